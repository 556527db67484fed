import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// The limits of a host's reach, and the end of a host with its supervisor.
@MainActor @Suite struct HostBoundaryTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// Without a controlling terminal, a host can neither write over the screen nor change the terminal's modes.
  @Test func aHostHasASessionOfItsOwn() async throws {
    let supervisor = try workshop.supervisor(["scenes"])
    _ = try await supervisor.start()
    let host = try #require(supervisor.hostProcessID)
    #expect(getsid(host) == host)
    #expect(getpgid(host) == host)
    await supervisor.stop()
  }

  /// A host without a supervisor ends, even in a loop.
  @Test func aHostEndsWithItsSupervisorAlthoughItLoops() async throws {
    let path = try await workshop.plugin(
      "Looper",
      """
      import Gangway
      import Glibc
      final class Looper: Plugin {
        static let id = "looper", version = "1.0.0"
        func register(in registry: Registrar) { registry.tab("main", title: "Looper") { _ in Loops() } }
      }
      final class Loops: StackCoordinator {
        enum Route: NavigationRoute { case start }
        let start = Route.start
        func destination(for route: Route) -> Destination { .screen { Loop() } }
      }
      struct Loop: Screen {
        var body: some Content {
          Button("Loop") {
            _ = close(open("\(workshop.path("looping"))", O_CREAT | O_WRONLY, 0o600))
            while true { usleep(1000) }
          }
        }
      }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Looper.self) }
      """)
    let command = Process()
    command.executableURL = URL(fileURLWithPath: Workshop.built + "/gangway")
    command.arguments = ["run", "--plugin", path, "--script", "-"]
    command.environment = ProcessInfo.processInfo.environment.merging(
      ["XDG_STATE_HOME": workshop.path("state"), "XDG_CACHE_HOME": workshop.path("cache")]) { $1 }
    let input = Pipe()
    (command.standardInput, command.standardOutput, command.standardError) = (
      input, FileHandle.nullDevice, FileHandle.nullDevice
    )
    try command.run()
    let looping = workshop.path("looping")
    try input.fileHandleForWriting.write(contentsOf: Data("tap Loop\n".utf8))
    try await eventually { FileManager.default.fileExists(atPath: looping) }
    let host = try #require(child(of: command.processIdentifier))
    kill(command.processIdentifier, SIGKILL)
    command.waitUntilExit()
    try await eventually { !isRunning(host) }
  }

  private func child(of parent: pid_t) -> pid_t? {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    return all.first { status(of: $0)?.parent == parent && !isWatcher($0) }
  }

  /// Returns whether a process is running; an ended process that was not reaped stays as a zombie.
  private func isRunning(_ process: pid_t) -> Bool { status(of: process).map { $0.state != "Z" } ?? false }

  private func status(of process: pid_t) -> (state: String, parent: pid_t)? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return pid_t(fields[1]).map { (String(fields[0]), $0) }
  }

  /// A plugin that changes the working directory must not break plugins that load later.
  @Test func aPluginThatChangesTheFolderHarmsNoOther() async throws {
    let folder = workshop.path("rel")
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    // The folder is so deep that a relative path from there points elsewhere.
    let elsewhere = folder + String(repeating: "/deep", count: depth + 1)
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    let wanderer = try await workshop.plugin(
      "Wanderer",
      """
      import Gangway
      import Glibc
      final class Wanderer: Plugin {
        static let id = "wanderer", version = "1.0.0"
        func register(in registry: Registrar) {
          chdir("\(elsewhere)")
          registry.tab("main", title: "Wanderer", order: 1) { _ in Never() }
        }
      }
      final class Never: StackCoordinator {
        enum Route: NavigationRoute { case start }
        let start = Route.start
        func destination(for route: Route) -> Destination { .screen { Calm() } }
      }
      struct Calm: Screen { var body: some Content { Text("All is calm") } }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Wanderer.self) }
      """)
    try FileManager.default.moveItem(atPath: wanderer, toPath: folder + "/libWanderer.so")
    try FileManager.default.copyItem(atPath: Workshop.built + "/libScenes.so", toPath: folder + "/libScenes.so")
    let relative = String(repeating: "../", count: depth) + folder.dropFirst()
    for plugins in [["wanderer", "scenes"], [relative + "/libWanderer.so", relative + "/libScenes.so"]] {
      let supervisor = try workshop.supervisor(plugins) { $0.launch.folders = [relative] }
      _ = try await supervisor.start()
      try await supervisor.shows("All is calm")
      try await supervisor.tab("Scenes")
      try await supervisor.shows("Go to Scene 2")
      await supervisor.stop()
    }
  }
}
