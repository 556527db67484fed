import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import TestSupport
import Testing

/// The command in a real terminal.
@MainActor @Suite(.serialized) struct RealTerminalTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test func everyKindOfElementIsShown() async throws {
    let plugin = try await workshop.plugin("Gallery", Self.gallerySource)
    try await RealTerminal.running(workshop.command("--plugin \(plugin)"), columns: 60, rows: 44) { terminal in
      let screen = try await terminal.await("[ Print ]")
      // The activity indicator changes all the time.
      #expect(
        screen.replacing(#/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] Waiting/#, with: "Waiting").split(separator: "\n").map(String.init) == [
          "  1 Gallery", " Everything", String(repeating: "─", count: 60), " Pictures", " Some text", " Name:",
          " Notes:", "   │ one", "   │ two", " Secret: •••", " [ ] Night", " Size:   ‹ medium ›",
          " [ A thing ]  sold out",
          " There →", " Row a", " Row b", " Extras", "   inside", " Prices", " what  price", " tea   2",
          " Loading ████████░░░░░░░░░░░░ 40%", " Waiting …", " " + String(repeating: "─", count: 58), " Board", " . x",
          " . .", " [ Print ]", " Tab next   Ctrl-P go to   Alt-? keys   Alt-q quit",
        ])
      try await terminal.press("BTab", "Enter")
      let alert = try await terminal.await("Print it?")
      #expect(alert.contains("On paper"))
      #expect(alert.contains("[ Cancel ]"))
      try await terminal.press("Escape")
      while try await terminal.screen().contains("Print it?") { try await Task.sleep(for: .milliseconds(10)) }
      // The screen has a secret, which no state file keeps.
      try await terminal.press("q")
      try await terminal.await("Your input on this screen is not stored.")
      try await terminal.press("y")
      try await terminal.await("ENDED 0")
    }
  }

  /// The script also runs in isolation and in a single host.
  @Test func theScriptOfTheScenesRunsInTheTerminal() async throws {
    let script = try String(contentsOfFile: Workshop.script("Scenes", "scenes.txt"), encoding: .utf8)
    try await RealTerminal.running(workshop.command("--plugin scenes")) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      try await terminal.run(script: script)
    }
  }

  /// The script covers every kind of element. Presses are reported in a format that ends at column 95.
  @Test func theScriptOfTheGalleryRunsInTheTerminal() async throws {
    let script = try String(contentsOfFile: Workshop.script("Gallery", "gallery.txt"), encoding: .utf8)
    try await RealTerminal.running(workshop.command("--plugin gallery"), columns: 80, rows: 50) { terminal in
      try await terminal.await("Attributes")
      try await terminal.run(script: script)
    }
  }

  /// After the press of *Send*, typed letters go to the field with the problem. Elsewhere, q quits.
  @Test func aFormMovesTheFocusToTheFirstProblem() async throws {
    let command = workshop.command("--plugin gallery --open gangway://gallery/form")
    try await RealTerminal.running(command) { terminal in
      try await terminal.await("I agree *")
      try await terminal.press("Tab", "Tab", "Tab", "Enter")
      try await terminal.await("! ")
      try await terminal.type("qa")
      try await terminal.await("Name *: qa")
    }
  }

  /// The script visits three features, and the host is killed on the way.
  @Test func theJourneyToARematchIsMadeInTheTerminal() async throws {
    var script = try String(contentsOfFile: Workshop.journey("rematch"), encoding: .utf8).split(separator: "\n").map(
      String.init)
    for line in ["expect Winner: Red", "tap Save"] {
      script.insert("restart", at: try #require(script.firstIndex(of: line)))
    }
    let command = workshop.command("--plugin account --plugin blither --plugin todos")
    try await RealTerminal.running(command, columns: 90, rows: 50) { terminal in
      try await terminal.await("New Game")
      try await terminal.run(script: script.joined(separator: "\n"))
    }
  }

  @Test func aKilledHostLeavesThePersonAtTheSameRowOfAVeryLongList() async throws {
    try await RealTerminal.running(workshop.command("--plugin gallery"), columns: 80, rows: 50) { terminal in
      try await terminal.await("Attributes")
      try await terminal.run(script: "tap Length")
      try await terminal.await("Number 20")
      try await terminal.press("End")
      try await terminal.await("Number 100000")
      // On the way up, the host sends the rows, and one is selected.
      try await terminal.press("PPage", "PPage", "PPage", "PPage", "Up", "Space")
      try await terminal.await("●")
      let before = try await terminal.screen()
      #expect(before.contains("Number 998") && !before.contains("Number 100000"))
      kill(try await terminal.hostProcessID, SIGKILL)
      try await terminal.await("The app restarted after a crash")
      let after = try await terminal.screen()
      // Only the last lines differ, because they show the message.
      #expect(before.split(separator: "\n").dropLast(3) == after.split(separator: "\n").dropLast(3))
      // The list continues from there.
      try await terminal.press("Up", "Space")
      var selected = 0
      for _ in 0..<500 where selected < 2 {
        try await Task.sleep(for: .milliseconds(20))
        selected = try await terminal.screen().filter { $0 == "●" }.count
      }
      #expect(selected == 2)
    }
  }

  @Test func aWinningGameIsPlayedByKeyboardAndCountedOnce() async throws {
    try await RealTerminal.running(workshop.command()) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      try await terminal.press("M-3")
      try await terminal.await("[ New Game ]")
      try await terminal.press("Enter")
      try await terminal.await("Board size: 7")
      try await terminal.press("BSpace", "5", "Tab", "Tab", "Enter")
      try await terminal.await("Red to move")
      for row in 1...5 {
        try await terminal.press("Enter")
        if row == 5 { break }
        try await terminal.await("Blue to move")
        try await terminal.press("Right", "Enter")
        try await terminal.await("Red to move")
        try await terminal.press("Left", "Down")
      }
      try await terminal.await("Winner: Red")
      try await terminal.press("Escape")
      try await terminal.await("[ Stats ]")
      try await terminal.press("Tab", "Tab", "Tab", "Enter")
      try await terminal.await("Games played: 1")
      try await terminal.press("q")
      try await terminal.await("ENDED 0")
    }
  }

  @Test func killingTheHostChangesNothingButTheStatusLine() async throws {
    try await RealTerminal.running("stty -a >\(workshop.path("before")); " + workshop.command()) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      try await terminal.type("typed in Scenes")
      try await terminal.await("Text: typed in Scenes")
      try await terminal.press("M-3", "Enter")
      try await terminal.await("Board size")
      try await terminal.press("Tab", "Tab", "Enter")
      try await terminal.await("Red to move")
      try await terminal.press("Down", "Right", "Enter")
      try await terminal.await("Blue to move")
      let before = try await terminal.await("[ Swap ]")
      kill(try await terminal.hostProcessID, SIGKILL)
      let after = try await terminal.await("The app restarted after a crash. Nothing was lost.")
      let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
      // The message takes up to three lines.
      #expect(after.split(separator: "\n", omittingEmptySubsequences: false).dropLast(3) == lines.dropLast(3))
      try await terminal.press("1")
      try await terminal.await("Text: typed in Scenes")
      // The field has focus, where q is a letter, so Tab moves on first.
      try await terminal.press("Tab", "q")
      try await terminal.await("ENDED 0")
      let modes = try String(contentsOfFile: workshop.path("before"), encoding: .utf8)
      try await eventually { terminal.modesAfter == modes }
    }
  }

  /// A separate process restores the terminal, because nothing of the app is left.
  @Test func whoseSupervisorIsKilledGetsTheTerminalBack() async throws {
    try await RealTerminal.running(
      "stty -a >\(workshop.path("before")); echo ABOVE; " + workshop.command() + "; sleep 1"
    ) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      let host = try await terminal.hostProcessID
      let status = try String(contentsOfFile: "/proc/\(host)/status", encoding: .utf8)
      let supervisor = try #require(
        status.split(separator: "\n").first { $0.hasPrefix("PPid:") }.flatMap {
          Int32($0.dropFirst(5).filter(\.isNumber))
        })
      kill(supervisor, SIGKILL)
      let after = try await terminal.await("ENDED 0")
      #expect(after.contains("ABOVE"), "\(after)")
      #expect(!after.contains("Go to Scene 2"), "\(after)")
      try await eventually { kill(host, 0) != 0 }
      let modes = try String(contentsOfFile: workshop.path("before"), encoding: .utf8)
      try await eventually { terminal.modesAfter == modes }
    }
  }

  @Test func aCrashIsOneLineAndItsReportAKeyAway() async throws {
    let plugin = try await workshop.trouble()
    try await RealTerminal.running(workshop.command("--plugin \(plugin)")) { terminal in
      try await terminal.await("[ Trap ]")
      try await terminal.press("Enter")
      try await terminal.await("Not done: tap on 'Trap'.")
      try await Task.sleep(for: .milliseconds(300))
      try await terminal.press("Tab", "!")
      try await terminal.await("Enter read or undo")
      try await terminal.press("Enter")
      try await terminal.await("y copy")
      try await terminal.press("Escape")
      try await Task.sleep(for: .milliseconds(100))
      try await terminal.press("q")
      try await terminal.await("ENDED 0")
    }
  }

  /// A feature can send any text, and name a file that never has any content.
  @Test func aReportThatIsNoFileHoldsNobodyUp() async throws {
    let pipe = workshop.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let plugin = try await workshop.plugin("Teller", Self.tellerSource.replacingOccurrences(of: "PIPE", with: pipe))
    try await RealTerminal.running(workshop.command("--plugin \(plugin)")) { terminal in
      try await terminal.await("[ Tell ]")
      try await terminal.press("Enter")
      try await terminal.await("It is written.")
      try await terminal.press("!")
      try await terminal.await("Enter read or undo")
      try await terminal.press("Enter")
      try await terminal.await("is not a file")
      try await terminal.press("Escape")
      try await Task.sleep(for: .milliseconds(100))
      try await terminal.press("q")
      try await terminal.await("ENDED 0")
    }
  }

  private static let tellerSource = """
    import Gangway
    final class Teller: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      func destination(for route: Route) -> Destination { .screen { router in Telling(router: router) } }
    }
    struct Telling: Screen {
      let router: Router<Teller>
      var body: some Content { Button("Tell") { router.tell("It is written. Report: PIPE") } }
    }
    final class TellerPlugin: Plugin {
      static let id = "teller", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Teller", order: 1) { _ in Teller() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(TellerPlugin.self) }
    """

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func aSignalGivesTheTerminalBack(_ signal: Int32) async throws {
    try await RealTerminal.running("stty -a >\(workshop.path("before")); " + workshop.command()) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      let gangway = try #require(children(of: try await terminal.processID).first)
      kill(gangway, signal)
      try await terminal.await("ENDED \(128 + signal)")
      let modes = try String(contentsOfFile: workshop.path("before"), encoding: .utf8)
      try await eventually { terminal.modesAfter == modes }
    }
  }

  @Test func aCrashOfTheFrontEndGivesTheTerminalBack() async throws {
    try await RealTerminal.running("stty -a >\(workshop.path("before")); " + workshop.command()) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      let gangway = try #require(children(of: try await terminal.processID).first)
      kill(gangway, SIGSEGV)
      try await terminal.await("ENDED \(128 + SIGSEGV)")
      let modes = try String(contentsOfFile: workshop.path("before"), encoding: .utf8)
      try await eventually { terminal.modesAfter == modes }
    }
  }

  @Test func theWindowsSizeIsFollowed() async throws {
    try await RealTerminal.running(workshop.command()) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      try await terminal.resize(columns: 39, rows: 12)
      try await terminal.await("The window is too small (39×12).")
      for size in 12..<40 { try await terminal.resize(columns: size * 3, rows: size) }
      try await terminal.resize(columns: 40, rows: 12)
      let screen = try await terminal.await("[ Go to Scene 2 ]")
      #expect(screen.contains(String(repeating: "─", count: 40)))
      try await terminal.press("Tab", "q")
      try await terminal.await("ENDED 0")
    }
  }

  @Test(arguments: ["TERM=", "TERM=no-such-terminal"])
  func withoutAKnownTerminalThePlainFrontEndIsUsed(_ environment: String) async throws {
    try await RealTerminal.running(workshop.command("--plugin scenes", environment)) { terminal in
      try await terminal.await("the terminal cannot be used")
      try await terminal.await("[Scenes*]")
      try await terminal.type("quit")
      try await terminal.press("Enter")
      try await terminal.await("ENDED 0")
    }
  }

  @Test func aLocaleThatIsNotUTF8GetsPlainCharacters() async throws {
    try await RealTerminal.running(workshop.command("--plugin scenes", "LANG=xx_XX.ISO-8859-1 LC_ALL=xx_XX.ISO-8859-1"))
    { terminal in
      let screen = try await terminal.await("[ Go to Scene 2 ]")
      #expect(screen.contains(String(repeating: "-", count: 80)))
      try await terminal.press("Tab", "q")
      try await terminal.await("ENDED 0")
    }
  }

  @Test func aFeatureThatHangsIsRestartedAfterAnyWaitingAndTyping() async throws {
    let plugin = try await workshop.trouble()
    try await RealTerminal.running(workshop.command("--plugin \(plugin) --plugin scenes --patience 1"), rows: 40) {
      terminal in
      try await terminal.await("[ Hang ]")
      try await terminal.run(script: "tap Hang")
      try await terminal.await("The plugin trouble does not answer")
      try await terminal.press("Enter")
      while try await terminal.screen().contains("does not answer") { try await Task.sleep(for: .milliseconds(20)) }
      // The user's actions wait for the host; the question comes again, and comes first.
      try await terminal.press("2")
      try await Task.sleep(for: .milliseconds(300))
      try await terminal.press("1", "Tab", "u")
      try await terminal.await("The plugin trouble does not answer")
      // Letters that were meant for the app do not answer the question.
      try await terminal.type("xy")
      try await terminal.press("Right", "Enter")
      try await terminal.await("The app restarted after a crash")
      try await terminal.await("Trap")
    }
  }

  @Test func helpExplainsTheKeys() async throws {
    try await RealTerminal.running(workshop.command("--plugin clock")) { terminal in
      try await terminal.await("24 hours")
      try await terminal.press("?")
      try await terminal.await("back, dismiss, cancel")
      // Typing narrows the list, and Enter performs the chosen command.
      try await terminal.type("messages")
      let narrowed = try await terminal.await("> messages")
      #expect(!narrowed.contains("back, dismiss, cancel"))
      try await terminal.press("Enter")
      try await terminal.await("No messages yet.")
      try await terminal.press("Escape")
      try await Task.sleep(for: .milliseconds(100))
      try await terminal.press("q")
      try await terminal.await("ENDED 0")
    }
  }
}

extension RealTerminalTests {
  static let gallerySource = """
    import Gangway
    import Observation
    @MainActor @Observable final class Model {
      var name = ""
      var notes = "one\\ntwo"
      var secret = "abc"
      var isNight = false
      var size = "medium"
      var isAsking = false
    }
    final class Gallery: StackCoordinator {
      enum Route: NavigationRoute { case everything }
      let start = Route.everything
      let model = Model()
      func destination(for route: Route) -> Destination { .screen { router in \
    GalleryScreen(model: self.model, router: router) } }
    }
    struct Item: Identifiable { let id: String }
    struct GalleryScreen: Screen {
      @Bindable var model: Model
      let router: Router<Gallery>
      var body: some Content {
        Heading("Pictures")
        Text("Some text")
        TextField("Name", text: $model.name)
        TextField("Notes", text: $model.notes, style: .multiline)
        TextField("Secret", text: $model.secret, style: .secure)
        Toggle("Night", isOn: $model.isNight)
        Picker("Size", selection: $model.size, options: ["small", "medium", "large"])
        Button("A thing") {}.disabled(because: "sold out")
        Link("There", to: .everything, in: router)
        List([Item(id: "a"), Item(id: "b")]) { Text("Row \\($0.id)") }
        Section("Extras") { Text("inside") }
        Table("Prices", columns: ["what", "price"], data: [("tea", 2)]) { [$0.0, "\\($0.1)"] }
        Progress("Loading", fraction: 0.4)
        Progress("Waiting")
        Divider()
        Grid("Board", rows: 2, columns: 2) { row, column in
          GridCell(row == 0 && column == 1 ? "x" : ".")
        } action: { _, _ in }
        Toolbar { Button("Print") { model.isAsking = true } }
        Confirmation("Print it?", message: "On paper", isPresented: $model.isAsking, button: "Go") {}
      }
    }
    final class GalleryPlugin: Plugin {
      static let id = "gallery", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Gallery") { _ in Gallery() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(GalleryPlugin.self) }
    """
}
