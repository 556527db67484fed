@_spi(FrontEnd) import GangwayProtocol
import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Features that exceed their limits, which are stopped and named before anything else suffers.
@MainActor @Suite struct LimitTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func hog() async throws -> Supervisor {
    let supervisor = try workshop.supervisor(
      [try await workshop.plugin("Hog", Self.source), Workshop.built + "/libScenes.so"]
    ) {
      $0.launch.limits.memory = 2_048
      $0.launch.limits.files = 200
      $0.launch.limits.processes = 300
      // The memory grows only as fast as the machine provides it.
      $0.patience = .seconds(60)
    }
    _ = try await supervisor.start()
    return supervisor
  }

  @Test func aHostThatGrowsWithoutBoundIsStoppedAndItsPluginNamed() async throws {
    let supervisor = try await hog()
    let host = try #require(supervisor.hostProcessID)
    let answer = try await supervisor.tap("Grow")
    let notice = try #require(answer.notices.first)
    #expect(
      notice.developerText.hasPrefix("The plugin hog stopped the host while handling tap on 'Grow'"),
      "\(notice.developerText)")
    #expect(supervisor.hostProcessID != host)
    try await supervisor.shows("Grow")
    try await supervisor.tab("Scenes")
    try await supervisor.shows("Go to Scene 2")
    await supervisor.stop()
  }

  @Test func aPluginThatOpensFilesWithoutEndRunsOutOfThem() async throws {
    let supervisor = try await hog()
    try await supervisor.tap("Open")
    let opened = try #require(
      supervisor.presentation.plainText.split(separator: "\n").first { $0.hasPrefix("Opened ") }?.split(separator: " ")
        .last.flatMap { Int($0) })
    #expect(opened > 50 && opened < 200, "\(opened)")
    await supervisor.stop()
  }

  @Test func aPluginThatStartsProcessesWithoutEndRunsOutOfThem() async throws {
    let supervisor = try await hog()
    try await supervisor.tap("Start")
    let started = try #require(
      supervisor.presentation.plainText.split(separator: "\n").first { $0.hasPrefix("Started ") }?
        .split(separator: " ").last.flatMap { Int($0) })
    let host = try #require(supervisor.hostProcessID)
    let limits = try String(contentsOfFile: "/proc/\(host)/limits", encoding: .utf8)
    let limit = try #require(
      limits.split(separator: "\n").first { $0.hasPrefix("Max processes") }?.split(whereSeparator: \.isWhitespace)
        .dropFirst(2).first.flatMap { Int($0) })
    // The limit adds the number of processes that already run on this machine.
    #expect(limit > 300 && limit < 300 + 30_000, "\(limit)")
    // The system does not apply the limit to root.
    #expect(getuid() == 0 ? started == 2_000 : started < limit, "\(started)")
    await supervisor.stop()
  }

  private static let source = """
    import Gangway
    import Glibc
    import Observation

    @Observable final class Hog: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      var opened = 0
      var started = 0
      @ObservationIgnored var held: [[UInt8]] = []
      func destination(for route: Route) -> Destination { .screen { HogScreen(hog: self) } }
    }
    struct HogScreen: Screen {
      let hog: Hog
      var body: some Content {
        Text("Opened \\(hog.opened)")
        Text("Started \\(hog.started)")
        Button("Grow") { while true { hog.held.append([UInt8](repeating: 1, count: 16 << 20)) } }
        Button("Open") {
          var count = 0
          while open("/dev/null", O_RDONLY) >= 0, count < 100_000 { count += 1 }
          hog.opened = count
        }
        Button("Start") {
          var children: [pid_t] = []
          var child: pid_t = 0
          var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("60"), nil]
          while children.count < 2_000, posix_spawn(&child, "/bin/sleep", nil, nil, &arguments, environ) == 0 {
            children.append(child)
          }
          for child in children {
            kill(child, SIGKILL)
            waitpid(child, nil, 0)
          }
          hog.started = children.count
        }
      }
    }
    final class HogPlugin: Plugin {
      static let id = "hog", version = "1.0.0"
      func register(in registry: Registrar) { registry.tab("main", title: "Hog", order: -1) { _ in Hog() } }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(HogPlugin.self) }
    """
}
