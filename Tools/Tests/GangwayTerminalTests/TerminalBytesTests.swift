import Foundation
import Subprocess
@_spi(FrontEnd) import TestSupport
import Testing

/// Bytes to and from the terminal: sequences that no picture of a screen shows.
@MainActor @Suite(.serialized) struct TerminalBytesTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Runs the app with one of the Gallery's samples, and ends it.
  private func running(_ sample: String, _ body: (PseudoTerminal) async throws -> Void) async throws {
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let ended = terminal.run(
      Workshop.built + "/gangway",
      ["run", "--state", workshop.path("s.json"), "--plugin", "gallery", "--open", "gangway://gallery/\(sample)"],
      ["XDG_STATE_HOME": workshop.path("state"), "XDG_DATA_HOME": workshop.path("data"), "NO_COLOR": "1"])
    try await body(terminal)
    #expect(await terminal.end(ended) == .exited(128 + SIGTERM))
  }

  @Test func aLinkOutOfTheAppIsTheTerminalsToOpen() async throws {
    try await running("markdown") { terminal in
      #expect(
        await terminal.await("\u{1b}]8;id=0;https://www.swift.org\u{1b}\\a page\u{1b}]8;;\u{1b}\\"))
      // The terminal does not get a link of the app itself.
      #expect(String(decoding: terminal.take(), as: UTF8.self).firstRange(of: "]8;id=1") == nil)
    }
  }

  @Test func theBarOfALongListIsDragged() async throws {
    try await running("length") { terminal in
      #expect(await terminal.await("?1002h"), "the terminal tells where the mouse is while its button is down")
      #expect(await terminal.await("Number 5"))
      // Press at the foot of the bar, drag to its top, and release; columns and rows count from 1.
      terminal.type(Array("\u{1b}[<0;80;23M".utf8))
      #expect(try await isDrawn("Number 100000", terminal))
      terminal.type(Array("\u{1b}[<32;70;12M\u{1b}[<32;70;2M".utf8))
      #expect(try await isDrawn("Number 2", terminal))
      terminal.type(Array("\u{1b}[<0;70;2m".utf8))
      try await Task.sleep(for: .milliseconds(300))
      // The button is up, so motion reports drag nothing, even if a terminal sends them.
      terminal.type(Array("\u{1b}[<35;70;23M".utf8))
      try await Task.sleep(for: .milliseconds(300))
      #expect(try await isDrawn("Number 2", terminal))
    }
  }

  /// Returns whether a text appears; the screen is redrawn for this, because the app writes only changes.
  private func isDrawn(_ text: String, _ terminal: PseudoTerminal) async throws -> Bool {
    let process = try await terminal.process
    for _ in 0..<100 {
      kill(process, SIGCONT)
      try? await Task.sleep(for: .milliseconds(50))
      if String(decoding: terminal.take(), as: UTF8.self).contains(text) { return true }
    }
    return false
  }
}
