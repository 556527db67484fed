import Foundation
@_spi(FrontEnd) import GangwayHost
import Subprocess
import SystemPackage
@_spi(FrontEnd) import TestSupport
import Testing

/// The command, as a user or a script runs it.
@MainActor @Suite struct CommandTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  @Test func aScriptRestartsTheHostAndNothingMoves() async throws {
    let result = try await workshop.gangway(
      ["run", "--without", "blither", "--without", "gallery", "--script", "-"],
      input: "set Text = hello\ntap Open Scene 3\nscreen\ntree\nrestart\nscreen\ntree\n")
    #expect(result.code == 0, "\(result.errors)")
    let half = result.output.count / 2
    #expect(result.output.prefix(half) == result.output.suffix(half))
    #expect(
      result.output.hasPrefix(
        "[Scenes*] [Clock] [Todos] [Shapes] [Files] [Monitor] [Account] [Welcome]\nScene 1 > Scene 3\n(modal) Scene 3\n"
          + "You typed: hello\nroot"))
  }

  @Test func theScriptOfTheGalleryRunsInAHost() async throws {
    let result = try await workshop.gangway(
      ["run", "--plugin", "gallery", "--script", Workshop.script("Gallery", "gallery.txt")])
    #expect(result.code == 0, "\(result.errors)")
  }

  /// A script that did nothing proves nothing.
  @Test(arguments: ["", "# only a comment\n\n"]) func aScriptWithoutACommandFails(_ script: String) async throws {
    let result = try await workshop.gangway(["run", "--plugin", "scenes", "--script", "-"], input: script)
    #expect(result.code == 1 && result.errors.contains("The script has no command."), "\(result)")
  }

  @Test func aLinkIsACommandOfTheScript() async throws {
    let result = try await workshop.gangway(
      ["run", "--plugin", "clock", "--open", "gangway://clock/zones", "--script", "-"], input: "")
    #expect(result.code == 0, "\(result)")
  }

  /// As in the test kit, where the first step fails.
  @Test func workThatFailsAtTheStartFailsTheFirstLineOfAScript() async throws {
    let library = try await workshop.plugin(
      "Stumble",
      """
      import Gangway
      struct Stumbled: Error {}
      final class Stumbling: StackCoordinator {
        enum Route: NavigationRoute { case main }
        let start = Route.main
        init() { work { _ in throw Stumbled() } }
        func destination(for route: Route) -> Destination { .screen { _ in Fine() } }
      }
      struct Fine: Screen { var body: some Content { Text("fine") } }
      final class StumblePlugin: Plugin {
        static let id = "stumble", version = "1.0.0"
        func register(in registry: Registrar) { registry.tab("main", title: "Stumble") { _ in Stumbling() } }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(StumblePlugin.self) }
      """)
    let app = try await workshop.gangway(["run", "--plugin", library, "--script", "-"], input: "expect fine\n")
    #expect(app.code == 1 && app.errors.contains("line 1: Stumbled()"), "\(app)")
    let script = workshop.path("script.txt")
    try "expect fine\n".write(toFile: script, atomically: true, encoding: .utf8)
    let alone = try await workshop.run(Workshop.built + "/gangway-host", ["--plugin", library, "--script", script])
    #expect(alone.status == .exited(1) && alone.errors.contains("line 1: Stumbled()"), "\(alone)")
  }

  @Test func aFailedScriptNamesItsLine() async throws {
    let result = try await workshop.gangway(
      ["run", "--plugin", "scenes", "--script", "-"], input: "screen\ntap Nix\nscreen\n")
    #expect(result.code == 1)
    #expect(result.errors.contains("line 2: There is no 'Nix' on the screen."))
    #expect(result.output.components(separatedBy: "[Scenes*]").count == 2)
  }

  @Test func aScriptKeepsNoStateUnlessAsked() async throws {
    let script = "set Text = hello\n"
    #expect(try await workshop.gangway(["run", "--script", "-"], input: script).code == 0)
    #expect(try await workshop.gangway(["run", "--script", "-"], input: "expect Text: []\n").code == 0)
    let state = workshop.path("kept.json")
    #expect(try await workshop.gangway(["run", "--state", state, "--script", "-"], input: script).code == 0)
    #expect(
      try await workshop.gangway(["run", "--state", state, "--script", "-"], input: "expect Text: [hello]\n").code == 0)
    let fresh = try await workshop.gangway(
      ["run", "--state", state, "--fresh", "--script", "-"], input: "expect Text: []\n")
    #expect(fresh.code == 0)
    #expect(fresh.errors.contains("was moved to"))
    #expect(!fresh.errors.contains("could not be restored"), "\(fresh.errors)")
  }

  @Test func theEndOfInputQuitsAndKeepsTheSession() async throws {
    #expect(try await workshop.gangway(["run", "--frontend", "plain"], input: "set Text = kept\n").code == 0)
    let next = try await workshop.gangway(["run", "--frontend", "plain"], input: "")
    #expect(next.code == 0)
    #expect(next.output.contains("Text: [kept]"))
  }

  private static let samples = [
    "account", "blither", "clock", "files", "gallery", "hello", "monitor", "scenes", "shapes", "todos",
    "welcome",
  ]

  @Test func pluginsAreListedALineEach() async throws {
    let result = try await workshop.gangway(["list"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains(#/^ID +VERSION +STATE +CONTRIBUTIONS +FILE\n/#), "\(result.output)")
    let lines = result.output.split(separator: "\n").dropFirst()
    #expect(lines.map { String($0.prefix { $0 != " " }) } == Self.samples)
    #expect(lines.contains { $0.contains(#/^blither +1\.0\.0 +\w+ +tab blither\.main, link blither, /#) })
    // The output has columns, and no colors outside of a terminal.
    let versions = lines.compactMap { line in
      line.range(of: "1.0.0").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(versions.count == Self.samples.count && Set(versions).count == 1)
    #expect(!result.output.contains("\u{1b}"))
  }

  @Test func brokenPluginsAreListedWithTheirReasons() async throws {
    try "x".write(toFile: workshop.path("libBad.so"), atomically: true, encoding: .utf8)
    let bomb = try await workshop.plugin(
      "Bomb",
      """
      import Gangway
      import Glibc
      final class Bomb: Plugin {
        static let id = "bomb", version = "1.0.0"
        func register(in registry: Registrar) { abort() }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Bomb.self) }
      """)
    let result = try await workshop.gangway(["list", "--plugins-dir", workshop.folder, "--broken"])
    #expect(result.code == 1)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("\(workshop.folder)/libBad.so: it is not an ELF file") == true)
    #expect(
      lines.last?.hasPrefix(
        "\(bomb): the probe of the library was killed by signal 6 (SIGABRT), in register(in:) of the plugin bomb. ")
        == true)
    let fine = try await workshop.gangway(["list", "--plugins-dir", workshop.folder])
    #expect(fine.code == 1)
    #expect(fine.output.split(separator: "\n").dropFirst().count == Self.samples.count)
    #expect(fine.errors.contains("2 refused: see gangway list --broken"))
  }

  @Test func theListIsJSONOnRequest() async throws {
    let result = try await workshop.gangway(["list", "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    #expect(object?["format"] as? Int == 1)
    #expect(
      (object?["plugins"] as? [[String: Any]])?.map { $0["id"] as? String } == Self.samples)
  }

  @Test(arguments: [["run", "--frob"], ["dance"], ["list", "--frontend", "plain"]])
  func wrongUsageIs64(_ arguments: [String]) async throws {
    let result = try await workshop.gangway(arguments)
    #expect(result.code == 64)
    #expect(result.output.isEmpty)
    #expect(!result.errors.isEmpty)
  }

  @Test func helpVersionAndCompletionsAreResults() async throws {
    #expect(try await workshop.gangway(["--version"]).output == "gangway \(Host.version)\n")
    #expect(try await workshop.gangway(["--help"]).output.contains("SUBCOMMANDS"))
    #expect(try await workshop.gangway(["run", "--help"]).output.contains("--fresh"))
    #expect(try await workshop.gangway(["--generate-completion-script", "bash"]).output.contains("gangway"))
    for shell in ["bash", "zsh", "fish"] {
      let script = try await workshop.gangway(["completion", shell])
      #expect(script.code == 0 && script.output.contains("validate"), "\(shell): \(script.errors)")
    }
    let wrong = try await workshop.gangway(["completion", "csh"])
    #expect(wrong.code == 64)
    #expect(wrong.errors.hasPrefix("error: there is no completion for the shell 'csh'."), "\(wrong)")
    // Wrong usage has the style of all other errors.
    let usage = try await workshop.gangway(["list", "--nonsense"])
    #expect(usage.code == 64 && usage.errors.hasPrefix("error: "), "\(usage.errors)")
  }

  @Test(arguments: [
    ("run --plugin scenes --fresh <&-", Int32(0)), ("run --plugin scenes --script - <&-", 1),
    ("list >/dev/full", 1), ("run --plugin scenes >&- <&-", 1),
  ])
  func closedDescriptorsAreNoAccident(_ arguments: String, _ code: Int32) async throws {
    let result = try await Subprocess.run(
      .name("sh"), arguments: ["-c", "exec \(Workshop.built)/gangway \(arguments)"],
      environment: .inherit.updating(["XDG_STATE_HOME": workshop.path("state")]), output: .string(limit: 1 << 16),
      error: .discarded)
    #expect(result.terminationStatus == .exited(code))
  }

  @Test func aTermSignalStoresTheSession() async throws {
    let state = workshop.path("term.json")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Workshop.built + "/gangway")
    process.arguments = ["run", "--plugin", "scenes", "--state", state]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("set Text = before the end\n".utf8))
    var seen = Data()
    while !String(decoding: seen, as: UTF8.self).contains("[before the end]") {
      seen.append(output.fileHandleForReading.availableData)
    }
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationStatus == 128 + SIGTERM)
    let next = try await workshop.gangway(
      ["run", "--state", state, "--script", "-"], input: "expect [before the end]\n")
    #expect(next.code == 0, "\(next.errors)")
  }
}
