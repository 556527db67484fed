import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Subprocess
import SystemPackage

/// A scratch folder with misbehaving plugins, and supervisors over the real host.
@_spi(FrontEnd) @MainActor public final class Workshop {
  /// The folder, which is deleted with the workshop.
  public let folder: String
  /// The folder of the built host, framework and sample plugins.
  ///
  /// This is the folder of the test itself, or `GANGWAY_BUILT` if the test has a sanitizer that hosts do not have.
  public nonisolated static let built: String = {
    if let folder = ProcessInfo.processInfo.environment["GANGWAY_BUILT"] { return folder }
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
    return URL(fileURLWithPath: path).deletingLastPathComponent().path
  }()

  /// The hosts' cache folder of this run, so that each plugin is probed only once.
  public nonisolated static let caches = FileManager.default.temporaryDirectory
    .appendingPathComponent("gangway-caches-\(getpid())").path

  /// Creates the folder.
  public init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("gangway-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  isolated deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The root folder of the repository.
  public nonisolated static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..")
    .standardized

  /// The marker of the framework's binary interface: the name of its record.
  public nonisolated static let marker: String = {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("script/abi").path)) ?? []
    let record = names.first { $0.hasPrefix("gangway_abi_") } ?? "there is no record in script/abi"
    return record.replacingOccurrences(of: ".txt", with: "")
  }()

  /// Returns the path of a script of a sample plugin's tests.
  public nonisolated static func script(_ plugin: String, _ name: String) -> String {
    root.appendingPathComponent("Plugins/\(plugin)/Tests/Scripts/\(name)").path
  }

  /// Returns the path of a script that visits several features.
  public nonisolated static func journey(_ name: String) -> String {
    root.appendingPathComponent("Examples/Journeys/\(name).script").path
  }

  /// Returns a path in the folder.
  public func path(_ name: String) -> String { folder + "/" + name }

  /// Creates a supervisor over the real host.
  public func supervisor(_ plugins: [String], _ change: (inout SupervisorOptions) -> Void = { _ in }) throws
    -> Supervisor
  { try Supervisor(options(plugins, change)) }

  /// Returns the options of a supervisor over the real host.
  public func options(_ plugins: [String], _ change: (inout SupervisorOptions) -> Void = { _ in }) -> SupervisorOptions
  {
    var options = SupervisorOptions(host: Self.built + "/gangway-host", logFolder: path("log"))
    // The address sanitizer reserves terabytes of address space.
    if ProcessInfo.processInfo.environment["GANGWAY_SANITIZED_HOST"] != nil { options.launch.limits.memory = nil }
    options.launch.plugins = plugins
    // Plugins keep no data between tests or in the home folder of the user who runs them.
    options.environment = ["XDG_CACHE_HOME": Self.caches, "XDG_DATA_HOME": path("data")]
    // The machine may be busy with other tests.
    options.startPatience = .seconds(60)
    change(&options)
    return options
  }

  /// Runs the command `gangway` to its end, with state and data in this folder.
  public func gangway(
    _ arguments: [String], input: String = "", more: [Environment.Key: String?] = [:]
  ) async throws -> (code: Int32, output: String, errors: String) {
    // Use a file instead of a pipe: Subprocess 1.0.2 ends this process if a program ends before reading its piped input
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

  /// Returns a shell command for `gangway run`, with files of this folder and without colors, which change the text.
  public func command(_ arguments: String = "", _ environment: String = "") -> String {
    "env NO_COLOR=1 XDG_CONFIG_HOME=\(path("config")) XDG_STATE_HOME=\(path("state")) "
      + "XDG_DATA_HOME=\(path("data")) LANG=C.UTF-8 \(environment) \(Self.built)/gangway run \(arguments)"
  }

  /// Builds the plugin `trouble`; each of its buttons does a different kind of harm.
  public func trouble() async throws -> String { try await plugin("Trouble", Self.troubleSource) }

  /// Returns C code that waits until a file is gone; it does not wait while a plugin is only probed.
  public nonisolated static func waiting(for file: String) -> String {
    "while (!getenv(\"GANGWAY_PROBE_PROCESSES\") && access(\"\(file)\", F_OK) == 0) usleep(10000);"
  }

  /// Builds a C library whose code runs when the library is loaded.
  public func constructor(_ name: String, _ code: String) async throws {
    try await library(
      name,
      "#include <stdlib.h>\n#include <unistd.h>\n__attribute__((constructor)) static void start(void) { \(code) }\n")
  }

  /// Builds a C library.
  ///
  /// - Parameter options: additional options of the compiler.
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
  /// - Parameters:
  ///   - libraries: the names of the libraries of this folder that the plugin needs.
  ///   - hasLines: whether crash reports name the lines of the source.
  public func plugin(
    _ name: String, _ source: String, libraries: [String] = [], hasLines: Bool = false
  ) async throws -> String {
    let library = path("lib\(name).so")
    // Tests cannot share a build whose source names this folder.
    guard libraries.isEmpty, !hasLines, !source.contains(folder) else {
      let file = path("\(name).swift")
      try source.write(toFile: file, atomically: true, encoding: .utf8)
      try await BuiltPlugins.compile(
        name, file, to: library,
        ["-L", folder, "-Xlinker", "-rpath", "-Xlinker", folder] + libraries.map { "-l\($0)" }
          + (hasLines ? ["-g"] : []))
      return library
    }
    let built = try await BuiltPlugins.library(name, source)
    try? FileManager.default.removeItem(atPath: library)
    try FileManager.default.copyItem(atPath: built, toPath: library)
    return library
  }

  /// Builds a program from several sources, linked with the framework.
  ///
  /// - Parameter hasLines: whether its backtrace names the lines of the sources.
  public func program(_ name: String, _ sources: [String], hasLines: Bool = false) async throws -> String {
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
        ] + (hasLines ? ["-g"] : [])), output: .string(limit: 1 << 16), error: .combinedWithOutput)
    guard result.terminationStatus.isSuccess else { throw BuildFailed(description: result.standardOutput) }
    return path(name)
  }

  /// Runs a program to its end.
  ///
  /// - Parameter isTraced: whether the errors end with a backtrace if the program crashes.
  public func run(
    _ program: String, _ arguments: [String] = [], isTraced: Bool = false
  ) async throws -> (status: TerminationStatus, output: String, errors: String) {
    let result = try await Subprocess.run(
      .path(FilePath(program)), arguments: Arguments(arguments),
      environment: .inherit.updating([
        "SWIFT_BACKTRACE": isTraced ? "enable=yes,interactive=no,color=no,output-to=stderr" : "enable=no"
      ]),
      output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
    return (result.terminationStatus, result.standardOutput, result.standardError)
  }

  /// A failed build, with the compiler's output.
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
