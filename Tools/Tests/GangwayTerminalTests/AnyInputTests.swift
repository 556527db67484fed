import Foundation
import Subprocess
@_spi(FrontEnd) import TestSupport
import Testing

/// Arbitrary input: it causes no crash, and the terminal is restored.
@MainActor @Suite struct AnyInputTests {
  @Test func aMillionRandomBytesDoNoHarm() async throws {
    let workshop = try Workshop()
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let ended = terminal.run(
      Workshop.built + "/gangway", ["run", "--state", workshop.path("s.json")],
      ["XDG_STATE_HOME": workshop.path("state"), "XDG_DATA_HOME": workshop.path("data")])
    #expect(await terminal.await("Go to Scene 2"))
    var random = SeededRandom(seed: 1)
    for _ in 0..<250 {
      // Leave out q, which quits, and the keys that a terminal turns into signals: Ctrl-C, Ctrl-\\, Ctrl-Z; also
      // Ctrl-S.
      let bytes = (0..<4_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        .filter { ![UInt8(ascii: "q"), 3, 19, 26, 28].contains($0) }
      terminal.type(bytes)
      _ = terminal.take()
      await Task.yield()
    }
    let gangway = try await terminal.process
    #expect(kill(gangway, SIGTERM) == 0)
    #expect(await terminal.await("\u{1b}[?1049l"))
    #expect(await ended.value == .exited(128 + SIGTERM))
  }
}
