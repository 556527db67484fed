import Foundation
import Subprocess
@_spi(FrontEnd) import TestSupport
import Testing

/// `gangway install` and `gangway uninstall`, with good archives and bad ones.
@MainActor @Suite struct InstallTests {
  private let workshop: Workshop
  /// The folder of the installed plugins.
  private var home: String { workshop.path("installed") }
  private var installed: String { home + "/libPacked.so" }

  init() throws { workshop = try Workshop() }

  /// Builds a version of a plugin, and packs it by hand.
  ///
  /// - Parameter change: changes the facts and the members before they are packed.
  /// - Returns: the path of the archive.
  private func archive(
    _ version: String, stated: String? = nil, architecture: String = "x86_64", format: Int = 1, digest: String? = nil,
    more: [String] = [], _ change: (String) throws -> Void = { _ in }
  ) async throws -> String {
    let library = try await workshop.plugin(
      "Packed",
      """
      import Gangway
      final class Packed: StackCoordinator {
        enum Route: NavigationRoute { case start }
        let start = Route.start
        func destination(for route: Route) -> Destination { .screen { PackedScreen() } }
      }
      struct PackedScreen: Screen { var body: some Content { Text("Version \(version)") } }
      final class PackedPlugin: Plugin {
        static let id = "packed", version = "\(version)"
        func register(in registry: Registrar) { registry.tab("main", title: "Packed") { _ in Packed() } }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(PackedPlugin.self) }
      """)
    let folder = workshop.path("members-\(UUID().uuidString)")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: library, toPath: folder + "/libPacked.so")
    let sum = try await run("sha256sum", [folder + "/libPacked.so"]).prefix(64)
    let facts = """
      {"format": \(format), "id": "packed", "version": "\(stated ?? version)", "architecture": "\(architecture)",
       "library": "libPacked.so", "files": {"libPacked.so": "\(digest ?? String(sum))"}}
      """
    try facts.write(toFile: folder + "/plugin.json", atomically: true, encoding: .utf8)
    try change(folder)
    let path = workshop.path("Packed-\(UUID().uuidString).gangway")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    _ = try await run("tar", ["--create", "--gzip", "--file", path, "--directory", folder] + more + names)
    return path
  }

  private static func replace(_ text: String, by other: String, in folder: String) throws {
    let facts = try String(contentsOfFile: folder + "/plugin.json", encoding: .utf8)
    #expect(facts.contains(text))
    try facts.replacing(text, with: other).write(toFile: folder + "/plugin.json", atomically: true, encoding: .utf8)
  }

  /// Gives the library another name, in the facts, too.
  private static func rename(_ name: String, to other: String, in folder: String) throws {
    try FileManager.default.moveItem(atPath: folder + "/" + name, toPath: folder + "/" + other)
    try replace(name, by: other, in: folder)
  }

  private func run(_ tool: String, _ arguments: [String]) async throws -> String {
    let result = try await Subprocess.run(
      .name(tool), arguments: Arguments(arguments), output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
    return result.standardOutput
  }

  private func install(_ path: String, _ more: [String] = []) async throws -> (
    code: Int32, output: String, errors: String
  ) { try await workshop.gangway(["install", path, "--to", home] + more) }

  @Test func aPluginIsInstalledReplacedAndRemoved() async throws {
    let old = try await archive("1.9.0") { folder in
      try "Free".write(toFile: folder + "/LICENSE", atomically: true, encoding: .utf8)
      let digest = "f411a1fb62758b4c54690d0a702b4955b54dd22115416fa7b1ce51b4a084818d"
      try Self.replace("{\"libPacked.so\"", by: "{\"LICENSE\": \"\(digest)\", \"libPacked.so\"", in: folder)
    }
    let new = try await archive("1.10.0")
    let first = try await install(old)
    #expect(first.code == 0 && first.output == "packed 1.9.0 was installed: \(installed).\n", "\(first)")
    let script = "expect Version 1.9.0\n"
    let shown = try await workshop.gangway(
      ["run", "--plugins-dir", home, "--plugin", "packed", "--script", "-"], input: script)
    #expect(shown.code == 0, "\(shown)")
    #expect(try String(contentsOfFile: installed + ".LICENSE", encoding: .utf8) == "Free")
    let second = try await install(new)
    #expect(second.code == 0 && second.output.contains("packed 1.10.0 was installed: \(installed). It replaces 1.9.0."))
    let older = try await install(old)
    #expect(older.code == 1, "\(older)")
    #expect(older.errors.contains("the installed 'packed' has the version 1.10.0, and the archive has 1.9.0"))
    let back = try await install(old, ["--downgrade"])
    #expect(back.code == 0 && back.output.contains("It replaces 1.10.0."), "\(back)")
    let names = try FileManager.default.contentsOfDirectory(atPath: home)
    #expect(names.sorted() == ["libPacked.so", "libPacked.so.LICENSE"])
    let gone = try await workshop.gangway(["uninstall", "packed", "--to", home])
    #expect(gone.code == 0, "\(gone)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home) == [])
    let again = try await workshop.gangway(["uninstall", "packed", "--to", home])
    #expect(again.code == 1 && again.errors.contains("there is no plugin 'packed' in '\(home)'"), "\(again)")
    let builtIn = try await workshop.gangway(["uninstall", "clock", "--to", home])
    #expect(builtIn.code == 1 && builtIn.errors.contains("removes only plugins in '\(home)'"), "\(builtIn)")
  }

  /// A broken file of the plugin is replaced or removed, although its id is not known.
  @Test func aBrokenPluginCanBeReplacedAndRemoved() async throws {
    let packed = try await archive("1.0.0")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    try "broken".write(toFile: installed, atomically: true, encoding: .utf8)
    let done = try await install(packed)
    #expect(done.code == 0, "\(done)")
    try "broken".write(toFile: installed, atomically: true, encoding: .utf8)
    let gone = try await workshop.gangway(["uninstall", "packed", "--to", home])
    #expect(gone.code == 0 && !FileManager.default.fileExists(atPath: installed), "\(gone)")
  }

  /// The app shows the new version, and the user stays.
  @Test func aRunningAppShowsTheNewVersion() async throws {
    let (old, new) = (try await archive("1.0.0"), try await archive("1.1.0"))
    #expect(try await install(old).code == 0)
    let command = workshop.command("--plugins-dir \(home) --plugin packed")
    try await RealTerminal.running(command) { terminal in
      try await terminal.await("Version 1.0.0")
      let done = try await install(new)
      #expect(done.code == 0, "\(done)")
      try await terminal.await("Version 1.1.0")
      try await terminal.press("q")
      try await terminal.await("ENDED 0")
    }
  }

  @Test func anAppWithoutThePluginIsToldAndIsNoFailure() async throws {
    let packed = try await archive("1.0.0")
    try await RealTerminal.running(workshop.command("--plugin clock")) { terminal in
      try await terminal.await("in UTC")
      let done = try await install(packed)
      #expect(done.code == 0 && done.errors.contains("shows the plugin after its next start"), "\(done)")
      try await terminal.press("q")
      try await terminal.await("ENDED 0")
    }
  }

  @Test func badArchivesAreRefusedAndTheInstalledPluginStays() async throws {
    #expect(try await install(try await archive("1.0.0")).code == 0)
    let other = try await workshop.plugin(
      "Other",
      """
      import Gangway
      final class OtherPlugin: Plugin {
        static let id = "other", version = "1.0.0"
        func register(in registry: Registrar) {}
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(OtherPlugin.self) }
      """)
    try FileManager.default.moveItem(atPath: other, toPath: home + "/libOther.so")
    let before = try Data(contentsOf: URL(filePath: installed))
    let zeros = String(repeating: "0", count: 64)
    let cut = workshop.path("cut.gangway")
    try Data(contentsOf: URL(filePath: try await archive("2.0.0"))).prefix(5_000).write(to: URL(filePath: cut))
    let text = workshop.path("text.gangway")
    try "hello".write(toFile: text, atomically: true, encoding: .utf8)
    let pipe = workshop.path("pipe.gangway")
    mkfifo(pipe, 0o600)
    let cases: [(String, String)] = [
      (try await archive("2.0.0", digest: zeros), "and the archive states \(zeros)"),
      (
        try await archive("2.0.0", stated: "3.0.0"),
        "says that it contains packed 3.0.0, but its library is packed 2.0.0"
      ),
      (try await archive("2.0.0", architecture: "aarch64"), "is for aarch64, and this machine is x86_64"),
      (try await archive("2.0.0", format: 7), "has the format 7, and this version reads the format 1"),
      (
        try await archive("2.0.0") { symlink("/etc/passwd", $0 + "/libMore.so") },
        "contains 'libMore.so -> /etc/passwd', which is not a regular file"
      ),
      (
        try await archive("2.0.0", more: ["--absolute-names", "--transform", "s|libPacked|../../libPacked|"]),
        "contains '../../libPacked.so', which is not a regular file"
      ),
      (
        try await archive("2.0.0") { mkdir($0 + "/more", 0o700) }, "contains 'more/', which is not a regular file"
      ),
      (
        try await archive("2.0.0") { try "x".write(toFile: $0 + "/extra", atomically: true, encoding: .utf8) },
        "says that it contains libPacked.so, but contains extra, libPacked.so"
      ),
      (
        try await archive("2.0.0") { try Self.rename("libPacked.so", to: "libClock.so", in: $0) },
        "'\(Workshop.built)/libClock.so' is the plugin 'clock', and the archive contains 'packed'"
      ),
      // A file of another name could replace another plugin.
      (
        try await archive("2.0.0") { try Self.rename("libPacked.so", to: "libOther.so", in: $0) },
        "'\(home)/libOther.so' is the plugin 'other', and the archive contains 'packed'"
      ),
      (
        try await archive("2.0.0") { folder in
          try Self.rename("libPacked.so", to: "libNew.so", in: folder)
          try FileManager.default.copyItem(atPath: folder + "/libNew.so", toPath: folder + "/libOther.so")
          try Self.replace("{\"libNew.so\"", by: "{\"libOther.so\": \"\(zeros)\", \"libNew.so\"", in: folder)
        }, "contains 'libOther.so', which is neither the library, its signature nor a license"
      ),
      (
        try await archive("2.0.0") { try Self.rename("libPacked.so", to: "packed", in: $0) },
        "names its library 'packed', but the name must look like libClock.so"
      ),
      (
        try await archive("2.0.0") { try FileManager.default.removeItem(atPath: $0 + "/plugin.json") },
        "has no plugin.json"
      ),
      (
        try await archive("2.0.0") { try "{".write(toFile: $0 + "/plugin.json", atomically: true, encoding: .utf8) },
        "the plugin.json in '"
      ),
      // 2 GB of zeros take no space on the disk, and little in the archive.
      (
        try await archive("2.0.0") { folder in
          #expect(FileManager.default.createFile(atPath: folder + "/bomb", contents: nil))
          truncate(folder + "/bomb", 2 << 30)
        }, "the limit is 64 files with 1073741824 bytes in all"
      ),
      (
        try await archive("2.0.0") { try "no".write(toFile: $0 + "/libPacked.so", atomically: true, encoding: .utf8) },
        "has the SHA-256 "
      ),
      (cut, "is damaged"), (text, "is damaged"), (pipe, "is a pipe, not an archive"),
    ]
    for (path, reason) in cases {
      let refused = try await install(path)
      #expect(refused.code == 1 && refused.errors.contains(reason), "\(reason): \(refused)")
      #expect(try Data(contentsOf: URL(filePath: installed)) == before, "\(reason)")
      let names = try FileManager.default.contentsOfDirectory(atPath: home)
      #expect(names.sorted() == ["libOther.so", "libPacked.so"], "\(reason)")
    }
    let missing = try await install(workshop.path("none.gangway"))
    #expect(missing.code == 66 && missing.errors.contains("No such file"), "\(missing)")
  }
}
