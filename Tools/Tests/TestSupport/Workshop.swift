import Foundation
import GangwaySupervisor
import Subprocess
import SystemPackage

/// A scratch folder with plugins that cause trouble, and supervisors over the real host.
@MainActor public final class Workshop {
  /// The folder, which goes with the workshop.
  public let folder: String
  /// Where the host, the framework and the sample plugins were built: beside this test, or, where this test is built with a
  /// sanitizer that hosts are not, in the folder that `GANGWAY_BUILT` names.
  public nonisolated static let built: String = {
    if let folder = ProcessInfo.processInfo.environment["GANGWAY_BUILT"] { return folder }
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
    return URL(fileURLWithPath: path).deletingLastPathComponent().path
  }()

  /// Where hosts of this run keep what they know of plugins, so that each is probed once.
  public nonisolated static let caches = FileManager.default.temporaryDirectory
    .appendingPathComponent("gangway-caches-\(getpid())").path

  /// Makes the folder.
  public init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("gangway-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  isolated deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A script of a sample plugin's tests.
  public nonisolated static func script(_ plugin: String, _ name: String, file: String = #filePath) -> String {
    URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Plugins/\(plugin)/Tests/Scripts/\(name)").path
  }

  /// A script that leads through several features.
  public nonisolated static func journey(_ name: String, file: String = #filePath) -> String {
    URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Examples/Journeys/\(name).script").path
  }

  /// A place in the folder.
  public func path(_ name: String) -> String { folder + "/" + name }

  /// A supervisor over the real host.
  public func supervisor(_ plugins: [String], _ change: (inout SupervisorOptions) -> Void = { _ in }) throws
    -> Supervisor
  { try Supervisor(options(plugins, change)) }

  /// What a supervisor over the real host is made with.
  public func options(_ plugins: [String], _ change: (inout SupervisorOptions) -> Void = { _ in }) -> SupervisorOptions
  {
    var options = SupervisorOptions(host: Self.built + "/gangway-host", logFolder: path("log"))
    // The address sanitizer sets terabytes of address space aside.
    if ProcessInfo.processInfo.environment["GANGWAY_SANITIZED_HOST"] != nil { options.memoryLimit = nil }
    options.plugins = plugins
    // Nothing that plugins keep is kept from one test to the next, or in the home of whoever runs them.
    options.environment = ["XDG_CACHE_HOME": Self.caches, "XDG_DATA_HOME": path("data")]
    // On a machine that is busy with other tests, too.
    options.startPatience = .seconds(60)
    change(&options)
    return options
  }

  /// Runs the command `gangway` to its end, with state and data in this folder.
  public func gangway(
    _ arguments: [String], input: String = "", more: [Environment.Key: String?] = [:]
  ) async throws -> (code: Int32, output: String, errors: String) {
    // A file, not a pipe: Subprocess 1.0.2 ends this process where a program ends before it has read a pipe of input
    // (swiftlang/swift-subprocess#367).
    let file = path("input-\(UUID().uuidString)")
    try input.write(toFile: file, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    let descriptor = try FileDescriptor.open(FilePath(file), .readOnly, options: .closeOnExec)
    let result = try await Subprocess.run(
      .path(FilePath(Self.built + "/gangway")), arguments: Arguments(arguments),
      environment: .inherit.updating(
        [
          "XDG_STATE_HOME": path("state"), "XDG_DATA_HOME": path("data"), "XDG_CACHE_HOME": Self.caches,
          "XDG_CONFIG_HOME": path("config"),
        ].merging(more) { $1 }),
      input: .fileDescriptor(descriptor, closeAfterSpawningProcess: true), output: .string(limit: 1 << 20),
      error: .string(limit: 1 << 20))
    guard case .exited(let code) = result.terminationStatus else {
      return (-1, result.standardOutput, "\(result.terminationStatus)")
    }
    return (code, result.standardOutput, result.standardError)
  }

  /// `gangway run` for a shell in a terminal, with files of this folder and without colours, which change what stands there.
  public func command(_ arguments: String = "", _ environment: String = "") -> String {
    "env NO_COLOR=1 XDG_CONFIG_HOME=\(path("config")) XDG_STATE_HOME=\(path("state")) XDG_DATA_HOME=\(path("data")) LANG=C.UTF-8 \(environment) "
      + "\(Self.built)/gangway run \(arguments)"
  }

  /// Builds the plugin `trouble`, whose buttons each do harm of one kind.
  public func trouble() async throws -> String { try await plugin("Trouble", Self.troubleSource) }

  /// Code of C that goes on when a file is gone; where a library is only looked into, at once.
  public nonisolated static func waiting(for file: String) -> String {
    "while (!getenv(\"GANGWAY_PROBE_PROCESSES\") && access(\"\(file)\", F_OK) == 0) usleep(10000);"
  }

  /// Builds a library of C whose code is run when it is loaded.
  public func constructor(_ name: String, _ code: String) async throws {
    try await library(
      name,
      "#include <stdlib.h>\n#include <unistd.h>\n__attribute__((constructor)) static void start(void) { \(code) }\n")
  }

  /// Builds a library of C.
  ///
  /// - Parameter options: more options of the compiler.
  public func library(_ name: String, _ source: String, _ options: [String] = []) async throws {
    let file = path("\(name).c")
    try source.write(toFile: file, atomically: true, encoding: .utf8)
    let result = try await Subprocess.run(
      .name("clang"), arguments: Arguments(["-shared", "-fPIC"] + options + ["-o", path("lib\(name).so"), file]),
      output: .string(limit: 1 << 16), error: .combinedWithOutput)
    guard result.terminationStatus.isSuccess else { throw BuildFailed(description: result.standardOutput) }
  }

  /// Builds a plugin from Swift source.
  ///
  /// - Parameter libraries: libraries of this folder that it needs, by name.
  public func plugin(_ name: String, _ source: String, libraries: [String] = []) async throws -> String {
    let library = path("lib\(name).so")
    // A source that names this folder is no other test's.
    guard libraries.isEmpty, !source.contains(folder) else {
      let file = path("\(name).swift")
      try source.write(toFile: file, atomically: true, encoding: .utf8)
      try await BuiltPlugins.compile(
        name, file, to: library,
        ["-L", folder, "-Xlinker", "-rpath", "-Xlinker", folder] + libraries.map { "-l\($0)" })
      return library
    }
    let built = try await BuiltPlugins.library(name, source)
    try? FileManager.default.removeItem(atPath: library)
    try FileManager.default.copyItem(atPath: built, toPath: library)
    return library
  }

  /// Builds a program of several sources that is linked with the framework.
  public func program(_ name: String, _ sources: [String]) async throws -> String {
    var files: [String] = []
    for (number, source) in sources.enumerated() {
      files.append(path("\(name)-\(number).swift"))
      try source.write(toFile: files[number], atomically: true, encoding: .utf8)
    }
    let result = try await Subprocess.run(
      .name("swiftc"),
      arguments: Arguments(
        ["-o", path(name)] + files + [
          "-module-name", name, "-swift-version", "6", "-parse-as-library", "-I", Self.built + "/Modules", "-L",
          Self.built, "-lGangway", "-Xlinker", "-rpath", "-Xlinker", Self.built,
        ]), output: .string(limit: 1 << 16), error: .combinedWithOutput)
    guard result.terminationStatus.isSuccess else { throw BuildFailed(description: result.standardOutput) }
    return path(name)
  }

  /// Runs a program to its end.
  public func run(_ program: String) async throws -> (status: TerminationStatus, output: String, errors: String) {
    let result = try await Subprocess.run(
      .path(FilePath(program)), environment: .inherit.updating(["SWIFT_BACKTRACE": "enable=no"]),
      output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
    return (result.terminationStatus, result.standardOutput, result.standardError)
  }

  /// What the compiler said.
  public struct BuildFailed: Error, CustomStringConvertible { public let description: String }

  public nonisolated static let troubleSource = """
    import Gangway
    import Glibc
    import Observation

    @Observable final class Trouble: StackCoordinator {
      enum Route: NavigationRoute { case home, question, cursed }
      let start = Route.home
      var state: [String] = []
      func destination(for route: Route) -> Destination {
        switch route {
        case .home: .screen { router in TroubleScreen(trouble: self, router: router) }
        case .question: .flow(.modal) { Asked() } onFinish: { self.state.append("answer \\($0)") }
        case .cursed: .screen { Cursed(isFresh: self.state.isEmpty) }
        }
      }
    }
    struct TroubleScreen: Screen {
      let trouble: Trouble
      let router: Router<Trouble>
      var body: some Content {
        Text("Heard: \\(trouble.state.joined(separator: ", "))")
        Button("Trap") {
          trouble.state.append("trapping")
          let nothing: [Int] = []
          _ = nothing[trouble.state.count]
        }
        Button("Exit") { exit(0) }
        Button("Abort") { abort() }
        Button("Recurse") { _ = recurse(0) }
        Button("Ask") { try await router.show(.question) }
        Button("Curse") {
          try await router.show(.cursed)
          trouble.state.append("cursed")
        }
        Button("Dawdle") { for _ in 0..<50 { usleep(2000) } }
        Button("Later") {
          try await Task.sleep(for: .milliseconds(300))
          abort()
        }
        Button("Note") { trouble.state.append("noted") }
        Button("Hang") { while true { usleep(1000) } }
      }
    }
    @inline(never) func recurse(_ depth: Int) -> Int { depth &+ recurse(depth + 1) &* 3 }
    /// Traps whenever it is made again.
    struct Cursed: Screen {
      init(isFresh: Bool) { if !isFresh { abort() } }
      var body: some Content { Text("Never again") }
    }
    final class Asked: StackCoordinator {
      enum Route: NavigationRoute { case asked }
      typealias Output = Int
      let start = Route.asked
      func destination(for route: Route) -> Destination { .screen { router in AskedScreen(router: router) } }
    }
    struct AskedScreen: Screen {
      let router: Router<Asked>
      var body: some Content { Button("Seven") { try await router.finish(7) } }
    }
    final class TroublePlugin: Plugin {
      static let id = "trouble", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.tab("main", title: "Trouble", order: 1) { _ in Trouble() }
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(TroublePlugin.self) }
    """
}
