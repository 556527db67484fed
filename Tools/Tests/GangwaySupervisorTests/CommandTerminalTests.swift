import Foundation
import Subprocess
@_spi(FrontEnd) import TestSupport
import Testing

/// Commands in a terminal: they show colors, but texts of plugins and files cannot control the terminal.
@MainActor @Suite struct CommandTerminalTests {
  private let workshop: Workshop
  /// A file name that would clear the screen and change its color if written unescaped.
  private static let hostile = "libEvil\u{1b}[2J\u{1b}[31m\u{9b}35m.so"

  init() throws { workshop = try Workshop() }

  /// Runs a command in a terminal to its end.
  private func run(
    _ arguments: [String], _ more: [Environment.Key: String?] = [:]
  ) async throws -> (code: Int32?, text: String) {
    let terminal = try PseudoTerminal(columns: 120, rows: 40)
    let ended = terminal.run(
      Workshop.built + "/gangway", arguments,
      [
        "XDG_STATE_HOME": workshop.path("state"), "XDG_DATA_HOME": workshop.path("data"),
        "XDG_CACHE_HOME": Workshop.caches, "NO_COLOR": nil,
      ].merging(more) { $1 })
    let result = await terminal.finish(ended)
    let text = String(decoding: result.bytes, as: UTF8.self)
    guard case .exited(let code) = result.status else { return (nil, text) }
    return (code, text)
  }

  /// Returns a text's control sequences, except those that only set colors.
  private func steering(_ text: String) -> [String] {
    text.matches(of: #/\u{1b}(\[[0-9;]*.|.)/#).map { String($0.output.0) }.filter { $0.last != "m" }
      + text.unicodeScalars.filter { (0x80...0x9f).contains($0.value) }.map { "U+\($0.value)" }
  }

  private nonisolated static let commands: [(arguments: [String], color: String?)] = [
    (["list"], "\u{1b}[1mclock\u{1b}[0m"), (["doctor"], "\u{1b}[32m✓\u{1b}[0m"),
    (["graph"], "\u{1b}[1mclock\u{1b}[0m 1.0.0"), (["validate", "hello", "--steps", "5"], "\u{1b}[32m✓\u{1b}[0m"),
    (["list", "--broken"], nil), (["list", "--json"], nil), (["graph", "--format", "mermaid"], nil),
    (["graph", "--format", "svg"], nil), (["routes"], nil), (["routes", "--conflicts"], nil), (["why", "clock"], nil),
    (["inspect", "clock"], nil), (["env"], nil), (["sessions"], nil), (["help"], nil), (["help", "run"], nil),
    (["--help"], nil), (["--version"], nil), (["--generate-completion-script", "bash"], nil),
  ]

  private nonisolated static let silent = [["list", "--broken"], ["routes", "--conflicts"], ["sessions"]]

  @Test(arguments: commands)
  func aTerminalShowsTheCommandsColors(_ arguments: [String], _ color: String?) async throws {
    let shown = try await run(arguments)
    // These commands have nothing to list, and say so on standard error.
    #expect(shown.text.isEmpty == Self.silent.contains(arguments), "\(shown.text)")
    #expect(!shown.text.contains("␛"), "\(shown.text)")
    #expect(steering(shown.text).isEmpty)
    if let color {
      #expect(shown.text.contains(color), "\(shown.text)")
    } else {
      #expect(!shown.text.contains("\u{1b}"), "\(shown.text)")
    }
  }

  @Test func aTerminalWithoutColorsGetsNone() async throws {
    for variables: [Environment.Key: String?] in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      for command in Self.commands.prefix(4) {
        let text = try await run(command.arguments, variables).text
        #expect(!text.isEmpty)
        #expect(!text.contains("\u{1b}") && !text.contains("␛"), "\(text)")
      }
    }
  }

  /// Commands that show the name of a file: a refused one and an accepted one.
  @Test(arguments: [
    ["list"], ["list", "--broken"], ["doctor"], ["why", "FILE"], ["inspect", "FILE"], ["validate", "FILE"], ["graph"],
    ["routes"], ["env"],
  ])
  func aFilesNameCannotSteerTheTerminal(_ arguments: [String]) async throws {
    let folder = workshop.path("\u{1b}]0;title\u{7}plugins")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "no library".write(toFile: "\(folder)/\(Self.hostile)", atomically: true, encoding: .utf8)
    try FileManager.default.copyItem(atPath: Workshop.built + "/libClock.so", toPath: "\(folder)/lib\u{1b}[2JClock.so")
    let words = arguments.map { $0 == "FILE" ? "\(folder)/\(Self.hostile)" : $0 }
    let shown = try await run(words + ["--plugins-dir", folder])
    #expect(shown.code != nil)
    #expect(steering(shown.text).isEmpty, "\(steering(shown.text))")
    #expect(!shown.text.contains("\u{1b}[31m\u{9b}"))
    // These commands name plugins, and no files.
    if !["graph", "routes", "validate"].contains(arguments[0]) {
      #expect(shown.text.contains("␛]0;title"), "\(shown.text)")
    }
  }

  @Test func aLogCannotSteerTheTerminal() async throws {
    try FileManager.default.createDirectory(
      atPath: workshop.path("state/gangway"), withIntermediateDirectories: true)
    try "[clock] \u{1b}[2Jgone\n".write(
      toFile: workshop.path("state/gangway/host.log"), atomically: true, encoding: .utf8)
    for arguments in [["logs"], ["logs", "clock"]] {
      let shown = try await run(arguments)
      #expect(shown.code == 0)
      #expect(shown.text.contains("[clock] ␛[2Jgone"))
      #expect(!shown.text.contains("\u{1b}"))
    }
  }

  @Test func aPluginsTextCannotSteerTheTerminal() async throws {
    let file = try await workshop.plugin(
      "Evil",
      """
      import Gangway
      final class Evil: Plugin {
        static let id = "evil", version = "1.0.0"
        func register(in registry: Registrar) throws { throw Failure() }
      }
      struct Failure: Error, CustomStringConvertible { let description = "\\u{1b}[2J\\u{1b}[31mgone" }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Evil.self) }
      """)
    for arguments in [["list", "--broken"], ["doctor"], ["why", file], ["inspect", file], ["validate", file]] {
      let shown = try await run(arguments + ["--plugins-dir", workshop.folder])
      #expect(shown.text.contains("␛[2J␛[31mgone"), "\(shown.text)")
      #expect(steering(shown.text).isEmpty)
      #expect(!shown.text.contains("\u{1b}[31mgone"))
    }
  }
}
