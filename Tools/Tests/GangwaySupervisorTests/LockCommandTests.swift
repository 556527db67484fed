import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// `gangway lock`, `gangway sign`, and apps that load only known libraries.
@MainActor @Suite struct LockCommandTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Builds a plugin with one screen, in the folder of this test.
  private func plugin() async throws -> String {
    try await workshop.plugin(
      "Known",
      """
      import Gangway
      final class Known: StackCoordinator {
        enum Route: NavigationRoute { case start }
        let start = Route.start
        func destination(for route: Route) -> Destination { .screen { KnownScreen() } }
      }
      struct KnownScreen: Screen { var body: some Content { Text("All is known") } }
      final class KnownPlugin: Plugin {
        static let id = "known", version = "1.0.0"
        func register(in registry: Registrar) { registry.tab("main", title: "Known") { _ in Known() } }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(KnownPlugin.self) }
      """)
  }

  private func damage(_ file: String) throws {
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([0]))
    try handle.close()
  }

  @Test func aLockedAppRunsAsItWasAndRefusesWhatChanged() async throws {
    let library = try await plugin()
    let lock = workshop.path("plugins.lock")
    let options = ["--plugins-dir", workshop.folder]
    let written = try await workshop.gangway(["lock", "--output", lock] + options)
    #expect(written.code == 0, "\(written)")
    #expect(written.errors.contains("\(lock) lists 12 plugins. Run the app with --locked to load no others."))
    let text = try String(contentsOfFile: lock, encoding: .utf8)
    #expect(text.contains(#/{ "id": "known", "version": "1.0.0", "file": "libKnown.so", "sha256": "[0-9a-f]{64}" }/#))
    let script = "tab Known\nexpect All is known\n"
    let locked = options + ["--lock", lock]
    let taken = try await workshop.gangway(["run", "--script", "-"] + locked, input: script)
    #expect(taken.code == 0, "\(taken)")
    #expect(!taken.errors.contains("refused"), "\(taken)")
    // A restart of the host checks again.
    let again = try await workshop.gangway(["run", "--script", "-"] + locked, input: "restart\n" + script)
    #expect(again.code == 0, "\(again)")
    try damage(library)
    let why = try await workshop.gangway(["why", library] + locked)
    #expect(why.code == 1 && why.output.contains("at     trust (not-locked)"), "\(why)")
    #expect(why.output.contains(#/has the SHA-256 [0-9a-f]{64} for 'libKnown.so', but the file has [0-9a-f]{64}/#))
    // The fix is not to lock or sign it as it is.
    #expect(!why.output.contains("fix"))
    let refused = try await workshop.gangway(["run", "--script", "-"] + locked, input: "tab Clock\nexpect Clock\n")
    #expect(refused.code == 0 && refused.errors.contains("libKnown.so was refused: the lock"), "\(refused)")
    // The file was found, so it is not reported as missing.
    #expect(!refused.errors.contains("was not found"), "\(refused)")
    let without = try await workshop.gangway(
      ["run", "--script", "-", "--without", "known"] + locked, input: "tab Clock\nexpect Clock\n")
    #expect(without.code == 0 && !without.errors.contains("was not found"), "\(without)")
    try FileManager.default.removeItem(atPath: library)
    let missing = try await workshop.gangway(["validate", Workshop.built + "/libClock.so", "--steps", "1"] + locked)
    #expect(missing.code == 0, "\(missing)")
  }

  @Test func aSignedAppRunsAndTheOthersAreRefused() async throws {
    let library = try await plugin()
    let key = workshop.path("release.key")
    let created = try await workshop.gangway(["sign", "--new-key", key])
    #expect(created.code == 0 && created.errors.contains(#/the key [0-9A-F]{16} was created/#), "\(created)")
    let options = ["--plugin", library, "--trusted-keys", key + ".pub"]
    let unsigned = try await workshop.gangway(["run", "--script", "-"] + options, input: "expect All is known\n")
    #expect(unsigned.code == 1 && unsigned.errors.contains("it is not signed"), "\(unsigned)")
    let signed = try await workshop.gangway(["sign", "--key", key, library])
    #expect(signed.code == 0 && signed.errors.contains("libKnown.so.minisig"), "\(signed)")
    let taken = try await workshop.gangway(["run", "--script", "-"] + options, input: "expect All is known\n")
    #expect(taken.code == 0, "\(taken)")
    try damage(library)
    let changed = try await workshop.gangway(["run", "--script", "-"] + options, input: "expect All is known\n")
    #expect(changed.code == 1 && changed.errors.contains("does not match the library"), "\(changed)")
  }

  @Test func wrongUseIsRefused() async throws {
    let nothing = try await workshop.gangway(["sign", "libClock.so"])
    #expect(nothing.code == 64 && nothing.errors.contains("Name the key and the libraries"), "\(nothing)")
    let both = try await workshop.gangway(["sign", "--new-key", "a", "--key", "b", "c.so"])
    #expect(both.code == 64 && both.errors.contains("--new-key creates a key and signs nothing"), "\(both)")
    let none = try await workshop.gangway(["run", "--locked", "--script", "-"])
    #expect(none.code == 66 && none.errors.contains("--locked: the file 'plugins.lock' could not be read"), "\(none)")
    let keys = try await workshop.gangway(["run", "--trusted-keys", "/none", "--script", "-"])
    #expect(keys.code == 66 && keys.errors.contains("--trusted-keys: the file '/none' could not be read"), "\(keys)")
    let absent = try await workshop.gangway(["sign", "--key", "/none", "libClock.so"])
    #expect(absent.code == 1 && absent.errors.contains("there is no file '/none'"), "\(absent)")
    let unwritable = try await workshop.gangway(["lock", "--output", "/nowhere/plugins.lock"])
    #expect(unwritable.code == 73, "\(unwritable)")
  }
}
