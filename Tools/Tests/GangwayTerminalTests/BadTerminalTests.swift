import Foundation
@_spi(FrontEnd) import GangwayClient
import Subprocess
@_spi(FrontEnd) import TestSupport
import Testing

/// Terminals with an unusual size, without a reader, or with more input than a user can type.
@MainActor @Suite(.serialized) struct BadTerminalTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func start(_ terminal: PseudoTerminal, _ arguments: [String] = []) -> Task<TerminationStatus?, Never> {
    terminal.run(
      Workshop.built + "/gangway", ["run", "--state", workshop.path("s.json"), "--no-spare"] + arguments,
      ["XDG_STATE_HOME": workshop.path("state"), "XDG_DATA_HOME": workshop.path("data"), "NO_COLOR": "1"])
  }

  private static let sizes: [(columns: UInt16, rows: UInt16)] = [
    (1, 1), (500, 200), (40, 12), (2, 60), (300, 1), (39, 11), (80, 24), (41, 13),
  ]

  /// Resizes the terminal rapidly, with each kind of view in front: screen, palette, keys, messages, question, filter,
  /// find.
  @Test(arguments: ["", "\u{10}", "?", "m", "q", "/", "'"])
  func aStormOfSizesDoesNoHarm(_ keys: String) async throws {
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let ended = start(terminal, ["--plugin", "gallery", "--open", "gangway://gallery/list"])
    #expect(await terminal.await("Gallery"))
    if keys == "q" { terminal.type(Array("\u{1b}".utf8)) } else { terminal.type(Array(keys.utf8)) }
    let gangway = try await terminal.process
    var random = SeededRandom(seed: 7)
    for number in 0..<150 {
      let size = Self.sizes[number % Self.sizes.count]
      terminal.resize(columns: size.columns, rows: size.rows)
      kill(gangway, SIGWINCH)
      if number % 5 == 0 { terminal.type([UInt8(ascii: number % 2 == 0 ? "j" : "\t")]) }
      _ = terminal.take()
      if Int.random(in: 0..<3, using: &random) == 0 { try await Task.sleep(for: .milliseconds(3)) }
    }
    // After the storm, the app draws as before.
    try await Task.sleep(for: .milliseconds(100))
    terminal.resize(columns: 80, rows: 24)
    kill(gangway, SIGWINCH)
    terminal.type(Array("\u{1b}".utf8))
    try await Task.sleep(for: .milliseconds(200))
    _ = terminal.take()
    terminal.resize(columns: 82, rows: 24)
    kill(gangway, SIGWINCH)
    #expect(await terminal.await("Gallery"))
    #expect(await terminal.end(ended) == .exited(128 + SIGTERM))
  }

  @Test func aTerminalThatDoesNotReadLosesNothingAndHoldsNobodyUp() async throws {
    let terminal = try PseudoTerminal(columns: 120, rows: 40)
    let ended = start(terminal, ["--plugin", "scenes"])
    #expect(await terminal.await("Go to Scene 2"))
    // The app draws more than the terminal buffers, and nothing reads.
    let gangway = try await terminal.process
    for number in 0..<60 {
      terminal.resize(columns: number % 2 == 0 ? 119 : 120, rows: 40)
      kill(gangway, SIGWINCH)
      try await Task.sleep(for: .milliseconds(5))
    }
    terminal.push(Array("unread".utf8))
    try await Task.sleep(for: .milliseconds(500))
    _ = terminal.take()
    try await Task.sleep(for: .milliseconds(500))
    // The typed text appears once the output is read, because the app redraws everything.
    terminal.resize(columns: 110, rows: 40)
    kill(gangway, SIGWINCH)
    #expect(await terminal.await("unread"))
    // The app ends on SIGTERM, even though it cannot draw.
    for number in 0..<200 {
      terminal.resize(columns: number % 2 == 0 ? 119 : 120, rows: 40)
      kill(gangway, SIGWINCH)
      try await Task.sleep(for: .milliseconds(2))
    }
    kill(gangway, SIGTERM)
    let begin = ContinuousClock.now
    #expect(await ended.value == .exited(128 + SIGTERM))
    #expect(ContinuousClock.now - begin < Patience.allowed(.seconds(15)))
    let stored = try String(contentsOfFile: workshop.path("s.json"), encoding: .utf8)
    #expect(stored.contains("unread"))
  }

  @Test func tenMegabytesThatArePastedAreTakenAsFarAsThereIsRoom() async throws {
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    let ended = start(terminal, ["--plugin", "scenes"])
    #expect(await terminal.await("Go to Scene 2"))
    let begin = ContinuousClock.now
    terminal.type(Array("\u{1b}[200~".utf8))
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
    for _ in 0..<100 {
      terminal.type(piece)
      _ = terminal.take()
      await Task.yield()
    }
    terminal.type(Array("\u{1b}[201~".utf8))
    #expect(await terminal.await("first 1000000 characters", within: .seconds(60)))
    let time = ContinuousClock.now - begin
    // It takes 3 s on an idle machine; reading byte by byte took 22 s.
    #expect(time < Patience.allowed(.seconds(20)), "it took \(time)")
    // The app continues as before.
    terminal.type(Array("\u{1b}?".utf8))
    #expect(await terminal.await("Keys"))
    #expect(await terminal.end(ended) == .exited(128 + SIGTERM))
  }
}
