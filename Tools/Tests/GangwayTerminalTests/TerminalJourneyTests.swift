@_spi(FrontEnd) import TestSupport
import Testing

/// Problems that users of the samples met: a feature that hangs, a game's own key, a cancelled sign-in.
@MainActor @Suite(.serialized) struct TerminalJourneyTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test func aFeatureThatIsWaitedForSaysHowToRestartIt() async throws {
    let plugin = try await workshop.trouble()
    try await RealTerminal.running(workshop.command("--plugin \(plugin) --patience 10"), rows: 40) { terminal in
      // The question comes again after each patience. It hides the hint, and takes the next key.
      func show(_ text: String, after key: String? = nil) async throws {
        let patience = Patience(.seconds(20))
        var isPressed = key == nil
        while true {
          let screen = try await terminal.screen()
          if screen.contains(text) { return }
          if screen.contains("does not answer") {
            try await terminal.press("Enter")
            // A second Enter would answer the next question.
            try await terminal.await(gone: "does not answer")
            isPressed = key == nil
          } else if let key, !isPressed {
            try await terminal.press(key)
            isPressed = true
          }
          if patience.hasEnded { return _ = try await terminal.await(text) }
          try await Task.sleep(for: .milliseconds(50))
        }
      }
      try await terminal.await("[ Hang ]")
      try await terminal.run(script: "tap Hang")
      let question = try await terminal.await("The plugin trouble does not answer")
      #expect(question.ranges(of: "does not answer").count == 1, "\(question)")
      #expect(question.ranges(of: "┌").count == 1, "\(question)")
      try await terminal.press("Enter")
      try await show("r restarts all features")
      // The hint stays as long as the event takes, not only until the next key.
      try await terminal.press("Tab")
      try await show("working …   r restarts all features")
      try await show("Restart all features?", after: "r")
      try await show("The features were restarted.", after: "y")
      try await terminal.await("[ Hang ]")
      try await terminal.press("q")
      try await terminal.await("ENDED 0")
    }
  }

  /// The host may never answer, and the user may wait for the effect of the key.
  @Test func aKeyRightAfterAnActionNeedsNoOtherKey() async throws {
    let plugin = try await workshop.trouble()
    try await RealTerminal.running(workshop.command("--plugin \(plugin) --patience 60"), rows: 40) { terminal in
      try await terminal.await("[ Hang ]")
      // Hang is the tenth button, and the first one has focus.
      try await terminal.press(keys: Array(repeating: "Tab", count: 9) + ["Enter", "?"])
      let help = try await terminal.await("back, dismiss, cancel")
      #expect(help.contains("working"))
    }
  }

  @Test func uUndoesAMoveAndNeverLeavesTheGame() async throws {
    try await RealTerminal.running(workshop.command("--plugin blither"), columns: 90, rows: 50) { terminal in
      try await terminal.await("New Game")
      try await terminal.press("Enter")
      try await terminal.await("Board size: 7")
      try await terminal.press("Tab", "Tab", "Enter")
      try await terminal.await("Red to move")
      try await terminal.press("u")
      let before = try await terminal.await("'Undo' cannot be used now: no moves yet.")
      #expect(before.contains("Red to move"))
      try await terminal.press("Enter")
      try await terminal.await("Blue to move")
      try await terminal.press("u")
      try await terminal.await("Red to move")
    }
  }

  @Test func aSignInThatIsLeftTellsNothing() async throws {
    let command = workshop.command("--plugin account --plugin blither --plugin todos")
    try await RealTerminal.running(command) { terminal in
      try await terminal.await("[ New Game ]")
      try await terminal.press("2")
      try await terminal.await("These todos are samples")
      // While the tab opens, the last line shows other keys.
      let before = try await terminal.await("Enter press   Ctrl-N New todo")
      try await terminal.press("Enter")
      try await terminal.await("Password *:")
      try await terminal.press("Escape")
      // The last line shows the keys again, without a message.
      try await terminal.await("Enter press   Ctrl-N New todo")
      #expect(try await terminal.screen() == before)
    }
  }
}
