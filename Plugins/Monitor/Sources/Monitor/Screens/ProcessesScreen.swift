import Gangway
import Observation

/// The selected process, and the question whether to end it.
@MainActor @Observable final class Choice {
  var id: Int32?
  /// The process in the question, as it was when the question appeared.
  private(set) var asked: ProcessRow?
  private(set) var way = Termination.Way.terminate
  var isAsking = false
  @ObservationIgnored private let proc: ProcFolder

  init(_ proc: ProcFolder) { self.proc = proc }

  func ask(_ row: ProcessRow, _ way: Termination.Way) {
    (asked, self.way, isAsking) = (row, way, true)
  }

  func end() throws {
    guard let asked else { return }
    try Termination.end(asked.id, start: asked.start, way, proc)
  }
}

struct ProcessesScreen: Screen {
  let monitor: Monitor
  let router: Router<MonitorCoordinator>
  @Bindable var choice: Choice

  private var chosen: ProcessRow? { monitor.rows.first { $0.id == choice.id } }

  var body: some Content { processes.task { await monitor.watchProcesses() } }

  @ContentBuilder private var processes: ContentGroup {
    if monitor.rows.isEmpty {
      Progress("Reading")
    } else {
      Menu("Process") {
        Button("Show") { if let chosen { try await router.show(.process(chosen.id)) } }
        EndButtons(row: chosen, choice: choice)
      }
      .disabled(because: chosen == nil ? "select a process first" : nil)
      Table(
        "Processes", monitor.rows, selection: $choice.id,
        columns: [
          TableColumn("Name") { $0.name }.sortable { $0.name.lowercased() },
          TableColumn("CPU %") { Words.rounded($0.processor, 1) }.sortable { $0.processor }.trailing(),
          TableColumn("Memory") { Words.bytes($0.memory) }.sortable { $0.memory }.trailing(),
          TableColumn("User") { $0.user }.sortable { $0.user },
          TableColumn("PID") { "\($0.id)" }.sortable { $0.id }.trailing(),
        ]
      )
      Question(choice: choice, router: router)
    }
  }
}

struct ProcessScreen: Screen {
  let monitor: Monitor
  let router: Router<MonitorCoordinator>
  let id: Int32
  let choice: Choice

  var title: String? { monitor.rows.first { $0.id == id }?.name }

  var body: some Content { process.task { await monitor.watchProcesses() } }

  @ContentBuilder private var process: ContentGroup {
    if let row = monitor.rows.first(where: { $0.id == id }) {
      LabeledContent("PID", value: "\(row.id)")
      LabeledContent("State", value: ProcessReading.word(of: row.state))
      LabeledContent("User", value: row.user)
      LabeledContent("Processor", value: Words.percent(row.processor))
      LabeledContent("Memory", value: Words.bytes(row.memory))
      Text(monitor.command(of: row)).id("command")
      EndButtons(row: row, choice: choice)
      Question(choice: choice, router: router)
    } else if monitor.rows.isEmpty {
      Progress("Reading")
    } else {
      Empty("This process has ended", symbol: "∎", text: "There is no process \(id).")
    }
  }
}

/// The buttons that end a process. Each one asks first.
struct EndButtons: Content {
  let row: ProcessRow?
  let choice: Choice

  var body: some Content {
    Button("End…", role: .destructive) { if let row { choice.ask(row, .terminate) } }
    Button("Kill…", role: .destructive) { if let row { choice.ask(row, .kill) } }
  }
}

struct Question: Content {
  @Bindable var choice: Choice
  let router: Router<MonitorCoordinator>

  var body: some Content {
    Confirmation(
      "\(choice.way == .kill ? "Kill" : "End") '\(choice.asked?.name ?? "")' (\(choice.asked?.id ?? 0))?",
      message: choice.way == .kill ? "Unsaved work is lost." : "The process can save its work first.",
      isPresented: $choice.isAsking, button: choice.way == .kill ? "Kill it" : "End it"
    ) {
      try choice.end()
      router.tell("'\(choice.asked?.name ?? "")' was \(choice.way == .kill ? "killed" : "asked to quit").")
    }
  }
}
