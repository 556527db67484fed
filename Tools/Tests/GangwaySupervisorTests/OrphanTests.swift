import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Processes that features start, which must end with the app in every case.
@MainActor @Suite struct OrphanTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// The number of processes that `Breed` starts; every second one has its own session.
  private static let count = 100

  private nonisolated static let nowhere = "/nonexistent"
  private nonisolated static let hasGroups: Bool = {
    guard let own = ControlGroup.own, let group = ControlGroup.make(in: own) else { return false }
    return group.end()
  }()
  private nonisolated static let noGroups: Comment = "this user may make no control group (cgroup v2) here"

  /// Builds the plugin `breeder`, which writes the IDs of the processes that it starts to the file `children`.
  ///
  /// - Parameter atOnce: whether it starts them during registration instead of when a button is pressed.
  private func breeder(atOnce: Bool = false) async throws -> String {
    try await workshop.plugin(
      "Breeder",
      Self.source.replacingOccurrences(of: "CHILDREN", with: workshop.path("children"))
        .replacingOccurrences(of: "REGISTERING", with: atOnce ? "breed(environ)" : "")
        .replacingOccurrences(of: "BODY", with: atOnce ? #"Text("Nothing to press")"# : Self.buttons))
  }

  /// The processes that the plugin has started.
  private var started: [Child] {
    let text = (try? String(contentsOfFile: workshop.path("children"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { pid_t($0).map(Child.init) }
  }

  /// The started processes that are still running.
  private var running: [Child] { started.filter(\.isRunning) }

  // MARK: The app ends in order

  @Test func afterQuitNoneSurvives() async throws {
    defer { for child in running { child.end() } }
    let supervisor = try workshop.supervisor([try await breeder()]) { $0.controlGroup = Self.nowhere }
    _ = try await supervisor.start()
    try await supervisor.tap("Breed")
    try await eventually { running.count == Self.count }
    // Without a control group, a process without its host's variable is not found, as Supervisor.md says.
    try await supervisor.tap("Breed without an environment")
    try await eventually { running.count == Self.count + 1 }
    await supervisor.stop()
    #expect(running == started.suffix(1))
  }

  @Test(.enabled(if: hasGroups, noGroups)) func afterQuitNoneSurvivesWhateverItsEnvironment() async throws {
    defer { for child in running { child.end() } }
    let supervisor = try workshop.supervisor([try await breeder()])
    _ = try await supervisor.start()
    try await supervisor.tap("Breed")
    try await supervisor.tap("Breed without an environment")
    try await eventually { running.count == Self.count + 1 }
    await supervisor.stop()
    #expect(running == [])
    #expect(access(try #require(supervisor.pool.processes?.group).folder, F_OK) != 0)
  }

  /// The processes of a replaced host end with it, and those of the current host continue.
  @Test func theProcessesOfTheHostThatRunsStay() async throws {
    defer { for child in running { child.end() } }
    let supervisor = try workshop.supervisor([try await breeder()])
    _ = try await supervisor.start()
    try await supervisor.tap("Breed")
    try await eventually { running.count == Self.count }
    let old = running
    try await supervisor.restart()
    try await supervisor.tap("Breed")
    try await eventually { !old.contains(where: \.isRunning) && running.count == Self.count }
    await supervisor.stop()
    #expect(running == [])
  }

  // MARK: The app is killed

  @Test func afterTheSupervisorWasKilledNoneSurvives() async throws {
    defer { for child in running { child.end() } }
    let plugin = try await breeder()
    let bystander = try Child(environment: ["\(OrphanProcesses.hostVariable)=1-another"])
    defer { bystander.end() }
    let app = try run(["run", "--plugin", plugin, "--script", "-"], ["GANGWAY_CONTROL_GROUP": Self.nowhere])
    try app.say("tap Breed")
    try await eventually { running.count == Self.count }
    let watcher = try #require(watchers(of: app.number).first)
    app.kill()
    try await eventually(within: .seconds(10)) { running == [] && commandLine(of: watcher) == [] }
    #expect(bystander.isRunning)
  }

  @Test(.enabled(if: hasGroups, noGroups)) func afterTheSupervisorWasKilledItsGroupIsGone() async throws {
    defer { for child in running { child.end() } }
    let app = try run(["run", "--plugin", try await breeder(), "--script", "-"])
    try app.say("tap Breed")
    try app.say("tap Breed without an environment")
    try await eventually { running.count == Self.count + 1 }
    let watcher = try #require(watchers(of: app.number).first)
    let folder = try #require(commandLine(of: watcher).last)
    #expect(ControlGroup(folder: folder).isPopulated)
    app.kill()
    try await eventually(within: .seconds(10)) {
      running == [] && commandLine(of: watcher) == [] && access(folder, F_OK) != 0
    }
  }

  // MARK: The watcher

  @Test func anAppHasOneWatcher() async throws {
    let supervisor = try workshop.supervisor(["scenes"]) {
      $0.keepsSpare = true
      $0.spareDelay = .milliseconds(1)
    }
    _ = try await supervisor.start()
    try await eventually { supervisor.pool.spareProcessID != nil }
    let processes = try #require(supervisor.pool.processes)
    let watcher = processes.watcher
    #expect(watchers(of: getpid(), processes) == [watcher])
    // Ctrl-C in the terminal does not reach the watcher.
    #expect(getsid(watcher) == watcher)
    // A killed watcher is replaced.
    kill(watcher, SIGKILL)
    try await eventually { commandLine(of: watcher) == [] }
    try await supervisor.restart()
    try await eventually { watchers(of: getpid(), processes).count == 1 }
    #expect(processes.watcher != watcher)
    await supervisor.stop()
    #expect(watchers(of: getpid(), processes) == [])
  }

  @Test func hostsOfAServerHaveOneWatcher() async throws {
    let userSessions = try UserSessions(workshop.options(["scenes"]), hosts: 3, folder: nil)
    try await userSessions.start()
    try await eventually { userSessions.hostProcessIDs.count == 3 }
    #expect(watchers(of: getpid(), userSessions.processes).count == 1)
    await userSessions.stop()
    #expect(watchers(of: getpid(), userSessions.processes) == [])
  }

  // MARK: Commands

  @Test(arguments: [["validate"], ["list", "--plugins-dir"], ["doctor", "--plugins-dir"]])
  func whatAFeatureStartsWhileItIsLookedIntoEndsWithTheCommand(_ arguments: [String]) async throws {
    defer { for child in running { child.end() } }
    let file = try await breeder(atOnce: true)
    let place = arguments.last == "--plugins-dir" ? workshop.folder : file
    _ = try await workshop.gangway(arguments + [place])
    #expect(started.count >= Self.count)
    #expect(running == [])
  }

  @Test func whatAReplayStartsEndsWithIt() async throws {
    defer { for child in running { child.end() } }
    let (file, recording) = (try await breeder(), workshop.path("recording"))
    let first = try await workshop.gangway(
      ["run", "--plugin", file, "--record", recording, "--script", "-"], input: "tap Breed\n")
    #expect(first.code == 0, "\(first.errors)")
    #expect(started.count == Self.count)
    #expect(running == [])
    let second = try await workshop.gangway(["replay", recording, "--plugins-dir", workshop.folder])
    #expect(second.code == 0, "\(second.errors)")
    #expect(started.count == 2 * Self.count)
    #expect(running == [])
  }

  // MARK: The command

  /// Starts the command `gangway`.
  private func run(_ arguments: [String], _ more: [String: String] = [:]) throws -> RunningCommand {
    try RunningCommand(
      arguments,
      [
        "XDG_STATE_HOME": workshop.path("state"), "XDG_DATA_HOME": workshop.path("data"),
        "XDG_CACHE_HOME": Workshop.caches, "XDG_CONFIG_HOME": workshop.path("config"),
      ].merging(more) { $1 })
  }

  /// Returns the watchers of a process.
  ///
  /// - Parameter processes: the owner of the watchers, if the process has several supervisors.
  private func watchers(of process: pid_t, _ processes: FeatureProcesses? = nil) -> [pid_t] {
    children(of: process).filter { child in
      let line = commandLine(of: child)
      return line.contains("--watch") && processes.map { line.contains($0.orphans.marker) } ?? true
    }
  }

  private static let buttons = """
    Button("Breed") { breed(environ) }
    Button("Breed without an environment") {
      var none: [UnsafeMutablePointer<CChar>?] = [nil]
      start(inSession: true, &none)
    }
    """

  private static let source = """
    import Gangway
    import Glibc

    final class Breeder: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      func destination(for route: Route) -> Destination { .screen { BreederScreen() } }
    }
    struct BreederScreen: Screen {
      var body: some Content { BODY }
    }
    func breed(_ environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
      for number in 0..<100 { start(inSession: number % 2 == 0, environment) }
    }
    func start(inSession: Bool, _ environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) {
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      if inSession { posix_spawnattr_setflags(&attributes, 0x80) }
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("600"), nil]
      var process: pid_t = 0
      guard posix_spawn(&process, "/bin/sleep", nil, &attributes, &arguments, environment) == 0 else { return }
      let file = open("CHILDREN", O_CREAT | O_WRONLY | O_APPEND, 0o600)
      let line = "\\(process)\\n"
      _ = line.withCString { write(file, $0, strlen($0)) }
      close(file)
    }
    final class BreederPlugin: Plugin {
      static let id = "breeder", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.tab("main", title: "Breeder", order: 1) { _ in Breeder() }
        REGISTERING
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(BreederPlugin.self) }
    """
}

/// A process that runs `sleep 600`.
private struct Child: Equatable, CustomStringConvertible {
  let number: pid_t

  init(_ number: pid_t) { self.number = number }

  /// Starts a process.
  init(environment: [String]) throws {
    var arguments = ["sleep", "600"].map { (text: String) in strdup(text) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, "/bin/sleep", nil, nil, &arguments, &variables)
    try #require(code == 0)
    number = process
  }

  /// Whether the process exists and has not ended.
  var isRunning: Bool { commandLine(of: number) == ["sleep", "600"] }

  func end() {
    kill(number, SIGKILL)
    waitpid(number, nil, 0)
  }

  var description: String { "\(number)" }
}

/// Returns the command line of a process; empty if the process has ended or never existed.
private func commandLine(of process: pid_t) -> [String] {
  (FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()).split(separator: 0)
    .map { String(decoding: $0, as: UTF8.self) }
}

/// A running command `gangway`.
@MainActor private final class RunningCommand {
  private let process = Process()
  private let input = Pipe()

  init(_ arguments: [String], _ environment: [String: String]) throws {
    process.executableURL = URL(fileURLWithPath: Workshop.built + "/gangway")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    (process.standardInput, process.standardOutput, process.standardError) = (
      input, FileHandle.nullDevice, FileHandle.nullDevice
    )
    try process.run()
  }

  var number: pid_t { process.processIdentifier }

  /// Writes a line to the command's standard input.
  func say(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

  /// Kills the command, and waits for its end.
  func kill() {
    Glibc.kill(number, SIGKILL)
    process.waitUntilExit()
  }
}
