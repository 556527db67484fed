import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// Typed text in a real terminal that the app has not stored when the app or its host ends.
@MainActor @Suite(.serialized) struct KeptTextTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Events of typed text wait in a queue, and the app ends before the host has answered them.
  @Test(arguments: [SIGTERM, 0]) func textThatIsTypedRightBeforeTheEndIsKept(_ signal: Int32) async throws {
    let text = (1...12).map { "word\($0)" }.joined(separator: " ")
    let command = workshop.command("--plugin scenes --state \(workshop.path("state.json"))")
    try await RealTerminal.running(command, columns: 120) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      let gangway = try #require(children(of: try await terminal.processID).first)
      if signal == 0 {
        try await terminal.type(text + "\u{1b}q")
      } else {
        try await terminal.type(text)
        try await terminal.await("word12")
        kill(gangway, signal)
      }
      try await terminal.await("ENDED \(signal == 0 ? 0 : 128 + signal)")
    }
    try await RealTerminal.running(command, columns: 120) { terminal in try await terminal.await("Text: \(text)") }
  }

  /// The host is stopped, so it dies with the first letter in flight; the next letters, if any, wait.
  @Test(arguments: ["k", "kept"]) func textThatIsTypedWhileTheHostDiesIsKept(_ text: String) async throws {
    let command = workshop.command("--plugin scenes --state \(workshop.path("state.json"))")
    try await RealTerminal.running(command) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      let host = try await terminal.hostProcessID
      kill(host, SIGSTOP)
      try await terminal.type(text)
      try await terminal.await("Text: \(text)")
      kill(host, SIGKILL)
      try await terminal.await("The app restarted after a crash")
      try await terminal.press("M-q")
      try await terminal.await("ENDED 0")
    }
    try await RealTerminal.running(command) { terminal in try await terminal.await("Text: \(text)") }
  }

  /// The question whether to keep waiting comes before the answer to the typed text.
  @Test func textThatIsTypedBeforeAHungHostIsRestartedIsKept() async throws {
    let command = workshop.command("--plugin scenes --patience 1 --state \(workshop.path("state.json"))")
    try await RealTerminal.running(command) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      kill(try await terminal.hostProcessID, SIGSTOP)
      try await terminal.type("k")
      try await terminal.await("does not answer")
      try await terminal.press("Right", "Enter")
      try await terminal.await("The app restarted after a crash")
      try await terminal.await("Text: k")
      try await terminal.type("ept")
      try await terminal.await("Text: kept")
      try await terminal.press("M-q")
      try await terminal.await("ENDED 0")
    }
    try await RealTerminal.running(command) { terminal in try await terminal.await("Text: kept") }
  }

  /// The host answers after the question whether to keep waiting has come.
  @Test func theQuestionGoesWhenAHungHostAnswers() async throws {
    let command = workshop.command("--plugin scenes --patience 1 --state \(workshop.path("state.json"))")
    try await RealTerminal.running(command) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      let host = try await terminal.hostProcessID
      kill(host, SIGSTOP)
      try await terminal.type("k")
      try await terminal.await("does not answer")
      kill(host, SIGCONT)
      try await terminal.run(script: "refuse does not answer")
      try await terminal.await("Text: k")
      try await terminal.type("ept")
      try await terminal.await("Text: kept")
      try await terminal.press("M-q")
      try await terminal.await("ENDED 0")
    }
    try await RealTerminal.running(command) { terminal in try await terminal.await("Text: kept") }
  }

  /// The front end is another process than the app, and only the app sees the end of the host.
  @Test func textThatIsTypedInAnAttachedTerminalWhileTheHostDiesIsKept() async throws {
    let command = workshop.command("--plugin scenes")
    let attach = workshop.command().replacing("/gangway run", with: "/gangway attach")
    try await RealTerminal.running(command) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      let host = try await terminal.hostProcessID
      try await RealTerminal.running(attach) { attached in
        try await attached.await("[ Go to Scene 2 ]")
        kill(host, SIGSTOP)
        try await attached.type("k")
        try await attached.await("Text: k")
        kill(host, SIGKILL)
        try await terminal.await("The app restarted after a crash")
        try await terminal.await("Text: k")
        try await attached.await("Text: k")
        try await attached.press("M-q")
        try await attached.await("ENDED 0")
      }
    }
  }

  /// The host is stopped, so the end does not wait for its answer any longer than some seconds.
  @Test func textThatCouldNotBeStoredIsToldAtTheEnd() async throws {
    try await RealTerminal.running(workshop.command("--plugin scenes --state \(workshop.path("state.json"))")) {
      terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      kill(try await terminal.hostProcessID, SIGSTOP)
      try await terminal.type("k")
      try await terminal.await("Text: k")
      try await terminal.press("M-q")
      let end = try await terminal.await("ENDED 0")
      #expect(end.contains("The app did not answer, so your last input may be lost."))
    }
  }

  /// The text crashes the plugin each time, so it is sent only twice, and stays in its field.
  @Test func aTextThatCrashesItsPluginStaysInItsField() async throws {
    let plugin = try await workshop.plugin("Fragile", Self.fragileSource)
    try await RealTerminal.running(workshop.command("--plugin \(plugin)")) { terminal in
      try await terminal.await("Name:")
      try await terminal.type("ada")
      try await terminal.await("3 letters")
      try await terminal.type("!")
      try await terminal.await("The app did not receive your text.")
      try await terminal.await("3 letters")
      try await terminal.await("Name: ada!")
      // Without the letter that crashes it, the text arrives.
      try await terminal.press("BSpace")
      try await terminal.type("le")
      try await terminal.await("5 letters")
      try await terminal.await("Name: adale")
    }
  }

  private static let fragileSource = """
    import Gangway
    import Observation
    final class Fragile: StackCoordinator {
      enum Route: NavigationRoute { case form }
      let start = Route.form
      func destination(for route: Route) -> Destination { .screen { FragileScreen(model: FragileModel()) } }
    }
    @MainActor @Observable final class FragileModel {
      var name = "" {
        didSet { precondition(!name.contains("!"), "an exclamation mark") }
      }
    }
    struct FragileScreen: Screen {
      @Bindable var model: FragileModel
      var body: some Content {
        TextField("Name", text: $model.name)
        Text("\\(model.name.count) letters")
      }
    }
    final class FragilePlugin: Plugin {
      static let id = "fragile", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Fragile") { _ in Fragile() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(FragilePlugin.self) }
    """
}
