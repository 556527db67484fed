import Benchmark
import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor

func screenBenchmarks() {
  benchmark("scroll in a list of 100000 rows", seconds: 10, iterations: 300) { try await manyRows($0, "Long", .rows) }
  benchmark("a row selected in a list of 100000 rows", seconds: 10, iterations: 300) {
    try await manyRows($0, "Long", .selection)
  }
  benchmark("bytes of a scroll in a list of 100000 rows", seconds: 10, iterations: 1, metrics: [bytes]) {
    try await manyRows($0, "Long", .rows, countsBytes: true)
  }
  benchmark("extra memory of 100000 rows, compared with 100", seconds: 10, iterations: 1, metrics: [bytes]) {
    try await memoryOfRows($0)
  }
  benchmark("a toggle among 1000 rows", seconds: 10, iterations: 300) { try await manyRows($0, "Whole", .toggle) }
  benchmark("bytes of a toggle among 1000 rows", seconds: 10, iterations: 1, metrics: [bytes]) {
    try await manyRows($0, "Whole", .toggle, countsBytes: true)
  }
  for part in LinePart.allCases {
    benchmark(part.rawValue, seconds: 5, iterations: 50, metrics: [eachKilobyte]) { try lineParts($0, part) }
  }
  benchmark("bytes of a typed letter", seconds: 10, iterations: 1, metrics: [bytes]) {
    try await manyRows($0, "Field", .edit, countsBytes: true)
  }
}

/// Nanoseconds for each KB of a presentation of 1,000 rows of three elements, as sent over the line.
private let eachKilobyte = BenchmarkMetric.custom("eachKilobyte", polarity: .prefersSmaller, useScalingFactor: false)

private let bytes = BenchmarkMetric.custom("bytes", polarity: .prefersSmaller, useScalingFactor: false)

private enum Step { case rows, selection, toggle, edit }

/// Returns the source of a screen: a long list, many sections, or an ordinary screen.
private func home(_ name: String, rows: Int) -> String {
  let content =
    switch name {
    // No row is kept, so any additional memory is the list's.
    case "Long": "List((0..<\(rows)).lazy.map { Item(id: $0) }, selection: $model.selection) { Row(\"Row \\($0.id)\") }"
    case "Whole":
      """
      List {
        for number in 0..<\(rows) {
          Section("Row \\(number)") {
            Toggle("On", isOn: Binding { model.on.contains(number) } set: { isOn in
              if isOn { model.on.insert(number) } else { model.on.remove(number) }
            })
            Text("A sample setting")
            Button("Open") {}
          }
        }
      }
      """
    default:
      "TextField(\"Name\", text: $model.text)\nToggle(\"Well\", isOn: $model.isWell)\nText(\"An ordinary screen\")"
    }
  return """
    struct Item: Identifiable { let id: Int }
    @Observable @MainActor final class Model {
      var selection: Set<Int> = []
      var on: Set<Int> = []
      var text = ""
      var isWell = false
    }
    struct Home: Screen {
      @Bindable var model = Model()
      var body: some Content {
        \(content)
      }
    }
    """
}

/// Runs a body with a supervisor that has such a plugin.
@MainActor private func withRows(
  _ name: String, _ rows: Int, _ body: @MainActor (Supervisor) async throws -> Void
) async throws {
  let folder = FileManager.default.temporaryDirectory.path + "/gangway-bench-screens-\(getpid())"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let library = try await buildPlugin(name, in: folder, home: home(name, rows: rows))
  let supervisor = try Supervisor(makeOptions([library]))
  _ = try await supervisor.start()
  try await body(supervisor)
  await supervisor.stop()
}

/// Measures a user action on such a screen, up to its update, read and applied; or the length of the update.
@MainActor private func manyRows(
  _ benchmark: Benchmark, _ name: String, _ step: Step, countsBytes: Bool = false
) async throws {
  try await withRows(name, name == "Long" ? 100_000 : 1_000) { supervisor in
    for number in benchmark.scaledIterations {
      for early in 0..<warmUps { _ = try await supervisor.send(action(step, early, on: supervisor.presentation)) }
      let action = try action(step, number + warmUps, on: supervisor.presentation)
      let before = supervisor.presentation
      benchmark.startMeasurement()
      var update = try await supervisor.send(action)
      benchmark.stopMeasurement()
      guard supervisor.presentation != before else { return benchmark.error("nothing changed") }
      guard countsBytes else { continue }
      // The content that went over the line.
      update.patch = supervisor.presentation.patch(from: before)
      update.presentation = nil
      benchmark.measurement(bytes, try Line.encode(HostMessage.update(session: "main", update)).count)
    }
  }
}

private struct NothingToDo: Error {}

/// Returns the next action of the sequence.
private func action(_ step: Step, _ number: Int, on presentation: Presentation) throws -> Event.Action {
  let wanted: Element.Kind = step == .toggle ? .toggle : step == .edit ? .field : .list
  let found = presentation.top?.elements.flattened.filter { $0.kind == wanted } ?? []
  guard let node = presentation.top?.node, let element = found.dropFirst(found.count / 2).first else {
    throw NothingToDo()
  }
  let target = Event.ElementReference(node: node, element: element.id)
  return switch step {
  // As in the terminal: half of the rows are there already.
  case .rows: .window(target, first: 100 * number % 90_000, count: 200)
  case .selection: .select(target, keys: ["\(number % 100)"])
  case .toggle: .toggle(target, isOn: element.value != "on")
  case .edit: .edit(target, text: "\(number)x")
  }
}

@MainActor private func memoryOfRows(_ benchmark: Benchmark) async throws {
  var memory: [Int] = []
  for count in [100, 100_000] {
    try await withRows("Long", count) { supervisor in
      memory.append(supervisor.hostProcessID.map(privateMemory) ?? 0)
    }
  }
  benchmark.measurement(bytes, max(0, memory[1] - memory[0]))
}

private enum LinePart: String, CaseIterable {
  case encode = "encoding a presentation, per KB"
  case split = "splitting the line of a presentation, per KB"
  case decode = "decoding a presentation, per KB"
}

/// Measures the parts of an update's way, without the processes around it.
@MainActor private func lineParts(_ benchmark: Benchmark, _ part: LinePart) throws {
  let rows = (0..<1_000).map { number in
    Element(
      id: "0.\(number)", kind: .section, label: "Row \(number)",
      children: [
        Element(id: "0.\(number).0", kind: .toggle, label: "On", value: "off"),
        Element(id: "0.\(number).1", kind: .text, label: "A sample setting"),
        Element(id: "0.\(number).2", kind: .button, label: "Open"),
      ])
  }
  let presentation = Presentation(
    revision: 1, tabBars: [], path: [], canGoBack: false,
    layers: [.init(node: 1, style: .base, title: "Rows", elements: rows)])
  let update = Update(event: 1, revision: 1, presentation: presentation, checkpoint: nil)
  let message = HostMessage.update(session: "main", update)
  let line = try Line.encode(message)
  for _ in benchmark.scaledIterations {
    let time = try ContinuousClock().measure {
      switch part {
      case .encode: _ = try Line.encode(message)
      case .split:
        var splitter = LineSplitter()
        // The capacity of a pipe.
        for start in stride(from: 0, to: line.count, by: 1 << 16) {
          _ = splitter.append(line[start..<min(start + 1 << 16, line.count)])
        }
      case .decode: _ = try Line.decode(HostMessage.self, from: line.dropLast())
      }
    }
    benchmark.measurement(eachKilobyte, Int(time / .nanoseconds(1)) * 1024 / line.count)
  }
}
