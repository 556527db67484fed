import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import TestSupport
import Testing

/// Lines typed into the plain front end, in a real terminal.
@MainActor @Suite(.serialized) struct LineEditorTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func command(_ more: String = "") -> String {
    workshop.command("--frontend plain --plugin scenes --fresh \(more)", "TERM=xterm-256color")
  }

  @Test func aLineIsEditedCompletedAndHadAgainInTheNextRun() async throws {
    try await RealTerminal.running(command()) { terminal in
      try await terminal.await("Text: []")
      try await terminal.type("set Text = äc")
      try await terminal.press("Left", "b", "Home", "Right", "End", "Enter")
      try await terminal.await("Text: [äbc]")
      try await terminal.type("tap Go")
      try await terminal.press("Tab")
      try await terminal.await("> tap Go to Scene 2")
      try await terminal.press("Enter")
      try await terminal.await("Scene 1 > Scene 2")
      try await terminal.type("quit")
      try await terminal.press("Enter")
      try await terminal.await("ENDED 0")
    }
    let file = workshop.path("state/gangway/plain-history")
    let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(permissions == 0o600)
    try await RealTerminal.running(command()) { terminal in
      try await terminal.await("Text: []")
      try await terminal.press("Up", "Up", "Up")
      try await terminal.await("> set Text = äbc")
      try await terminal.press("Enter")
      try await terminal.await("Text: [äbc]")
      // The end of the input ends the app.
      try await terminal.press("C-d")
      try await terminal.await("ENDED 0")
    }
  }

  @Test func whatIsTypedStaysWhenSomethingIsToldMeanwhile() async throws {
    try await RealTerminal.running(command()) { terminal in
      try await terminal.await("Text: []")
      try await terminal.type("set Text = half")
      try await terminal.await("> set Text = half")
      kill(try await terminal.hostProcessID, SIGKILL)
      try await terminal.await("restarted after a crash")
      try await terminal.type("way")
      try await terminal.press("Enter")
      let screen = try await terminal.await("Text: [halfway]")
      #expect(screen.contains("\n> set Text = halfway\n"), "\(screen)")
      try await terminal.press("C-d")
      try await terminal.await("ENDED 0")
    }
  }

  @Test(arguments: [SIGKILL, SIGTERM, SIGHUP])
  func theTerminalIsAsItWasWhateverEndsTheApp(_ signal: Int32) async throws {
    try await RealTerminal.running(
      "stty -a >\(workshop.path("before")); " + command() + "; code=$?; sleep 1; (exit $code)"
    ) { terminal in
      try await terminal.await("Text: []")
      try await terminal.type("half")
      try await terminal.await("> half")
      let gangway = try #require(children(of: try await terminal.processID).first)
      kill(gangway, signal)
      try await terminal.await("ENDED \(128 + signal)")
      let modes = try String(contentsOfFile: workshop.path("before"), encoding: .utf8)
      try await eventually { terminal.modesAfter == modes }
    }
  }

  @Test func stoppedAndInFrontAgainTheLineGoesOn() async throws {
    try await RealTerminal.running("PS1='at-prompt ' bash --norc --noprofile -i") { terminal in
      try await terminal.await("at-prompt")
      try await terminal.type(command())
      try await terminal.press("Enter")
      try await terminal.await("Text: []")
      try await terminal.type("set Text = one")
      // Ctrl-Z discards the typed characters that the program has not read.
      try await terminal.await("> set Text = one")
      try await terminal.press("C-z")
      try await terminal.await("Stopped")
      try await terminal.type("fg")
      try await terminal.press("Enter")
      try await terminal.await(end: "\n> set Text = one")
      try await terminal.type(" two")
      try await terminal.press("Enter")
      try await terminal.await("Text: [one two]")
      try await terminal.press("C-d")
      try await terminal.await("at-prompt")
    }
  }

  @Test func theScreenIsReadOutAndActedOnByNumbers() async throws {
    try await RealTerminal.running(command("--screen-reader")) { terminal in
      try await terminal.await("2. Button: Go to Scene 2")
      try await terminal.type("2")
      try await terminal.press("Enter")
      let screen = try await terminal.await("Place: Scene 1, Scene 2")
      #expect(screen.contains("Screen: Scene 2"))
      try await terminal.press("C-d")
      try await terminal.await("ENDED 0")
    }
  }
}
