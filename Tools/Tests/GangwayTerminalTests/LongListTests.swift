import Foundation
import Glibc
@_spi(FrontEnd) import TestSupport
import Testing

/// 700 todos in a real terminal: each row has a menu, a search field is above them, and a button below.
@MainActor @Suite(.serialized) struct LongListTests {
  private static let source = """
    import Gangway
    import Observation
    @MainActor @Observable final class Model { var search = ""; var last = "nothing" }
    struct Item: Identifiable { let id: Int }
    final class Many: StackCoordinator {
      enum Route: NavigationRoute { case list }
      let start = Route.list
      let model = Model()
      func destination(for route: Route) -> Destination { .screen { ManyScreen(model: self.model) } }
    }
    struct ManyScreen: Screen {
      @Bindable var model: Model
      var body: some Content {
        Text("Opened: \\(model.last).")
        List((1...700).map { Item(id: $0) }) { item in
          Row("Todo \\(item.id).") { model.last = "todo \\(item.id)" }
            .actions { Button("Delete") { model.last = "delete \\(item.id)" } }
        }
        .id("many").searchable(text: $model.search)
        Toolbar { Button("New todo") { model.last = "new" } }
      }
    }
    final class ManyPlugin: Plugin {
      static let id = "many", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Many") { _ in Many() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(ManyPlugin.self) }
    """

  /// Returns the numbers of the visible todos.
  private func todos(in screen: String) -> [Int] {
    screen.split(separator: "\n").compactMap { line in
      line.firstRange(of: "Todo ").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
    }
  }

  /// Returns the screen once it has not changed for half a second.
  private func rested(_ terminal: RealTerminal) async throws -> String {
    let patience = Patience(.seconds(20))
    var (screen, still) = (try await terminal.screen(), 0)
    while still < 10, !patience.hasEnded {
      try await Task.sleep(for: .milliseconds(50))
      let now = try await terminal.screen()
      (screen, still) = (now, now == screen ? still + 1 : 0)
    }
    return screen
  }

  /// Presses Enter on the focused row, scrolls up to the number of the opened todo, and returns it.
  private func opened(_ terminal: RealTerminal) async throws -> Int {
    try await terminal.press("Enter", "Home", "PPage")
    let screen = try await terminal.await("Opened: todo ")
    let text = screen.firstRange(of: "Opened: todo ").map { screen[$0.upperBound...].prefix { $0.isNumber } } ?? ""
    return try #require(Int(text))
  }

  private func running(_ body: (RealTerminal) async throws -> Void) async throws {
    let workshop = try Workshop()
    let plugin = try await workshop.plugin("Many", Self.source)
    try await RealTerminal.running(workshop.command("--plugin \(plugin)"), columns: 60, rows: 40) { terminal in
      try await terminal.await("Todo 20.")
      try await body(terminal)
    }
  }

  private static let loadingSource =
    source
    .replacing(
      "List((1...700).map { Item(id: $0) }) { item in",
      with: """
        Loading("Loading", model.items) { items in List(items) { item in
        """
    )
    .replacing(".searchable(text: $model.search)", with: "}")
    .replacing(
      "var last = \"nothing\"",
      with: """
        var last = "nothing"
          let items: Loadable<[Item]>
          init() {
            items = Loadable {
              try await Task.sleep(for: .seconds(1))
              return (1...700).map { Item(id: $0) }
            }
          }
        """)

  /// The first screens of the next host, or of the next run, have neither the rows nor the focus.
  @Test func aListThatLoadsIsWhereItWasAfterACrashAndInTheNextRun() async throws {
    let workshop = try Workshop()
    let command = workshop.command("--plugin \(try await workshop.plugin("Many", Self.loadingSource))")
    var before: [Int] = []
    try await RealTerminal.running(command, columns: 60, rows: 30) { terminal in
      try await terminal.await("Todo 20.")
      try await terminal.press("Down")
      for _ in 0..<12 { try await terminal.press("NPage") }
      before = todos(in: try await rested(terminal))
      #expect(before.first ?? 0 > 200)
      kill(try await terminal.hostProcessID, SIGKILL)
      try await terminal.await("The app restarted")
      try await terminal.await("Todo \(before[1]).")
      let after = todos(in: try await rested(terminal))
      // The message takes up to three lines.
      #expect(Array(before.dropLast(3)) == Array(after.prefix(before.count - 3)), "\(before) \(after)")
      try await terminal.press("q")
      try await terminal.await("ENDED 0")
    }
    try await RealTerminal.running(command, columns: 60, rows: 30) { terminal in
      try await terminal.await("Loading")
      try await terminal.await(gone: "Loading")
      let after = todos(in: try await rested(terminal))
      #expect(before == after, "\(before) \(after)")
      // Focus went to the row by itself, so an Enter at once would press nothing.
      try await terminal.press("Down", "Up")
      #expect(before.contains(try await opened(terminal)))
    }
  }

  /// Both terminals show the rows that were asked for last.
  @Test func twoTerminalsOfASessionDoNotLeadEachOtherAround() async throws {
    let workshop = try Workshop()
    let plugin = try await workshop.plugin("Many", Self.source)
    let attach = workshop.command().replacing("/gangway run", with: "/gangway attach")
    try await RealTerminal.running(workshop.command("--plugin \(plugin)"), columns: 60, rows: 30) { one in
      try await one.await("Todo 20.")
      try await RealTerminal.running(attach, columns: 60, rows: 30) { other in
        try await other.await("Todo 20.")
        for (terminal, key, row) in [(one, "End", "Todo 700."), (other, "Home", "Todo 1."), (one, "End", "Todo 700.")] {
          try await terminal.press(key)
          try await terminal.await(row)
          try await Task.sleep(for: .seconds(1))
          let output = workshop.path(UUID().uuidString)
          try await one.record(to: output)
          try await Task.sleep(for: .seconds(2))
          let drawn = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
          #expect(drawn.count < 1_000, "after \(key), the terminals ask without end: \(drawn.count) characters")
          #expect(try await terminal.screen().contains(row))
        }
      }
    }
  }

  @Test func downMovesByOneRow() async throws {
    try await running { terminal in
      try await terminal.press("Down", "Down", "Down")
      #expect(try await opened(terminal) == 4)
    }
  }

  @Test func afterPageDownTheKeyboardIsOnThePageInSight() async throws {
    try await running { terminal in
      // Start from the search field, as after typing there.
      try await terminal.press("Up")
      try await terminal.await("Alt-? keys")
      for _ in 0..<5 { try await terminal.press("NPage") }
      var screen = try await terminal.await("Todo 168.")
      while !screen.contains("Enter open") {
        try await terminal.press("NPage")
        try await Task.sleep(for: .milliseconds(100))
        screen = try await terminal.screen()
      }
      let page = todos(in: screen)
      try await terminal.press("Down")
      let number = try await opened(terminal)
      #expect((page[0]...page[page.count - 1] + 1).contains(number), "\(number) of \(page)")
    }
  }

  @Test func tabLeavesTheListAndComesBackToItsRow() async throws {
    try await running { terminal in
      for _ in 0..<6 { try await terminal.press("NPage") }
      try await terminal.await("Todo 200.")
      try await terminal.press("Down", "Tab")
      try await terminal.await("Enter menu")
      try await terminal.press("Tab")
      try await terminal.await("Todo 700.")
      try await terminal.await("Enter press")
      try await terminal.press("BTab")
      try await terminal.await("Enter open")
      let page = todos(in: try await terminal.screen())
      let number = try await opened(terminal)
      #expect(page.contains(number) && number < 300, "\(number) of \(page)")
    }
  }

  /// The screen changes every few milliseconds, and each change takes time.
  ///
  /// So changes arrive between a key and the rows that it asked for.
  @Test func homeGoesToTheFirstRowWhileTheScreenChanges() async throws {
    let workshop = try Workshop()
    let source = Self.source
      .replacing("import Gangway\n", with: "import Gangway\nimport Glibc\n", maxReplacements: 1)
      .replacing("var last = \"nothing\"", with: "var last = \"nothing\"; var ticks = 0")
      .replacing("Text(\"Opened: ", with: "let _ = usleep(15_000)\n    Text(\"Ticks: \\(model.ticks). Opened: ")
      .replacing(
        ".searchable(text: $model.search)",
        with: """
          .searchable(text: $model.search)
              .task { while (try? await Task.sleep(for: .milliseconds(5))) != nil { model.ticks += 1 } }
          """)
    let plugin = try await workshop.plugin("Ticking", source)
    try await RealTerminal.running(workshop.command("--plugin \(plugin)"), columns: 60, rows: 40) { terminal in
      try await terminal.await("Todo 20.")
      for _ in 0..<6 {
        try await terminal.press("NPage", "NPage", "NPage", "NPage")
        while todos(in: try await terminal.screen()).first ?? 0 < 50 { try await Task.sleep(for: .milliseconds(20)) }
        try await terminal.press("NPage", "Home")
        try await terminal.await("Todo 1.")
        // Nothing that was asked for before moves the list away again.
        try await Task.sleep(for: .milliseconds(300))
        #expect(todos(in: try await terminal.screen()).first == 1)
      }
    }
  }
}
