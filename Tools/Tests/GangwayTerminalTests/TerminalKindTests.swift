import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import TestSupport
import Testing

/// Kinds of terminals and their features: types, locales, colors, pastes and stops.
@MainActor @Suite(.serialized) struct TerminalKindTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test(arguments: [
    ("dumb", false), ("nobody-knows-it", false), ("''", false), ("xterm-ghostty-9", true), ("tmux-of-tomorrow", true),
    ("vt100", true), ("linux", true), ("xterm-256color", true),
  ])
  func aTerminalIsDrawnOnWhereItCanBe(_ type: String, _ isFull: Bool) async throws {
    try await RealTerminal.running(workshop.command("--plugin scenes", "TERM=\(type)")) { terminal in
      guard isFull else {
        let screen = try await terminal.await("Text: []")
        #expect(screen.contains("the terminal cannot be used"))
        // The plain front end works as usual.
        try await terminal.type("set Text = typed")
        try await terminal.press("Enter")
        try await terminal.await("Text: [typed]")
        return
      }
      try await terminal.await("[ Go to Scene 2 ]")
      try await terminal.type("typed")
      try await terminal.await("Text: typed")
      try await terminal.press("M-q")
      try await terminal.await("ENDED 0")
    }
  }

  @Test(arguments: [("LC_ALL=xx_YY.UTF-8", "─"), ("LC_ALL=xx_YY.ISO-8859-1", "-")])
  func aLocaleThatWasNeverGeneratedIsTakenAtItsWord(_ environment: String, _ line: String) async throws {
    try await RealTerminal.running(workshop.command("--plugin scenes", environment)) { terminal in
      let screen = try await terminal.await("[ Go to Scene 2 ]")
      #expect(screen.contains(String(repeating: line, count: 20)))
    }
  }

  @Test func stoppedAndInFrontAgainTheScreenStandsEveryTime() async throws {
    try await RealTerminal.running("PS1='at-prompt ' bash --norc --noprofile -i") { terminal in
      try await terminal.await("at-prompt")
      try await terminal.type(workshop.command("--plugin scenes"))
      try await terminal.press("Enter")
      let before = try await terminal.await("[ Go to Scene 2 ]")
      for number in 1...20 {
        try await terminal.press("C-z")
        // An earlier prompt may still be visible; the shell shows its next one when the process has stopped.
        try await terminal.await(end: "\nat-prompt")
        // The shell's own line editing works, and pastes there have no marks.
        try await terminal.type("echo stopped-\(number)")
        try await terminal.press("Enter")
        try await terminal.await("\nstopped-\(number)")
        try await terminal.type("fg")
        try await terminal.press("Enter")
        try await terminal.await("[ Go to Scene 2 ]")
        #expect(try await terminal.screen() == before, "the time \(number)")
      }
      try await terminal.type("typed")
      try await terminal.await("Text: typed")
      try await terminal.press("M-q")
      try await terminal.await("at-prompt")
    }
  }

  @Test func theFrontEndGoesOnAfterAStop() async throws {
    try await RealTerminal.running(workshop.command("--plugin scenes")) { terminal in
      try await terminal.await("[ Go to Scene 2 ]")
      let gangway = try #require(children(of: try await terminal.processID).first)
      kill(gangway, SIGTSTP)
      try await Task.sleep(for: .milliseconds(200))
      kill(gangway, SIGCONT)
      try await terminal.type("again")
      try await terminal.await("Text: again")
      try await terminal.press("Tab", "q")
      try await terminal.await("ENDED")
    }
  }

  @Test func pastedLinesPressNothingAndQuitNothing() async throws {
    try await RealTerminal.running(workshop.command("--plugin gallery"), columns: 80, rows: 50) { terminal in
      try await terminal.await("Attributes")
      // The list has focus, where these keys would open a sample and quit the app.
      try await terminal.paste("\r\rq\r")
      try await Task.sleep(for: .milliseconds(300))
      #expect(try await terminal.screen().contains("Attributes"))
      try await terminal.run(script: "tap Fields")
      try await terminal.await("Notes")
      try await terminal.press("Tab", "Tab")
      try await terminal.paste("pasted q\nsecond r")
      try await terminal.await("pasted q")
      try await terminal.await("second r")
      try await terminal.press("M-q")
      try await terminal.await("ENDED 0")
    }
  }

  @Test func coloursAreLeftOutOnRequest() async throws {
    for (environment, isColored) in [("NO_COLOR=", true), ("NO_COLOR=1", false)] {
      try await RealTerminal.running(
        workshop.command("--plugin blither --state \(workshop.path(environment + "s"))", environment)
      ) {
        terminal in
        // Without colors, brackets mark the buttons.
        try await terminal.await(isColored ? " New Game " : "[ New Game ]")
        #expect(try await terminal.screen().contains("[ New Game ]") != isColored)
        try await terminal.press("Enter")
        try await terminal.await("Board size")
        try await terminal.press("Tab", "Tab", "Enter")
        try await terminal.await("Red to move")
        try await terminal.press("Enter")
        try await terminal.await("Blue to move")
        let screen = try await terminal.screen(withColors: true)
        #expect(screen.contains("31m") == isColored, "\(environment): \(screen.debugDescription)")
      }
    }
  }
}
