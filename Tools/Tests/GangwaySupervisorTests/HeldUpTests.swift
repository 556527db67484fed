import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// Hosts and libraries that hang; the supervisor continues, and ends them.
@MainActor @Suite struct HeldUpTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func touch(_ name: String) throws { try Data().write(to: URL(fileURLWithPath: workshop.path(name))) }

  @Test(.timeLimit(.minutes(2))) func aLibraryThatDoesNotReturnIsSetAsideAndTheOthersLoad() async throws {
    let stuck = workshop.path("stuck")
    try await workshop.constructor("Stone", Workshop.waiting(for: stuck))
    let path = try await workshop.plugin(
      "Stuck",
      """
      import Gangway
      final class Stuck: Plugin {
        static let id = "stuck", version = "1.0.0"
        func register(in registry: Registrar) { registry.tab("main", title: "Stuck", order: 90) { _ in Never() } }
      }
      final class Never: StackCoordinator {
        enum Route: NavigationRoute { case start }
        let start = Route.start
        func destination(for route: Route) -> Destination { .screen { Calm() } }
      }
      struct Calm: Screen { var body: some Content { Text("All is calm") } }
      @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(Stuck.self) }
      """, libraries: ["Stone"])
    let supervisor = try workshop.supervisor([path, "scenes", "clock"]) { options in
      // Longer than the 10 s of a host without a supervisor, so the supervisor's timeout is the one that applies.
      options.launch.loadDeadline = .seconds(11)
    }
    _ = try await supervisor.start()
    try await supervisor.type("typed", into: "Text")
    try touch("stuck")
    let tab = try #require(supervisor.presentation.tabBars.joined().first { $0.title == "Stuck" })
    let notice = await supervisor.notice {
      Task { _ = try? await supervisor.send(.tab(tab.node)) }
    }
    #expect(notice.hasPrefix("The host stopped responding while loading \(path), so"), "\(notice)")
    try await supervisor.tab("Stuck")
    try await supervisor.shows("'Stuck' is not available.")
    #expect(supervisor.statuses["stuck"]?.state == .quarantined)
    try await supervisor.tab("Clock")
    try await supervisor.shows("Time zones")
    try await supervisor.tab("Scenes")
    try await supervisor.shows("Text: [typed]")
    await supervisor.stop()
  }

  /// A pipe buffers 64 KB, so a larger write to a host that does not read blocks.
  @Test(.timeLimit(.minutes(2))) func aHostThatDoesNotReadHoldsNobodyUp() async throws {
    let deaf = workshop.path("deaf")
    let wrapper = workshop.path("host.sh")
    try """
    #!/bin/sh
    if [ -e '\(deaf)' ]; then exec sleep 100; fi
    exec '\(Workshop.built)/gangway-host' "$@"
    """.write(toFile: wrapper, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: wrapper)
    let supervisor = try workshop.supervisor([Workshop.built + "/libScenes.so"]) {
      $0.host = wrapper
      // The machine may be busy with other tests.
      $0.startPatience = .seconds(100)
    }
    _ = try await supervisor.start()
    let long = String(repeating: "long ", count: 40_000)
    try await supervisor.type(long, into: "Text")
    try touch("deaf")
    let first = try #require(supervisor.hostProcessID)
    kill(first, SIGKILL)
    try await eventually { supervisor.hostProcessID != nil && supervisor.hostProcessID != first }
    let deafHost = try #require(supervisor.hostProcessID)
    // The supervisor is writing the checkpoint, which the host does not read. A blocking write would never get here.
    for _ in 0..<20 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(supervisor.hostProcessID == deafHost)
    try FileManager.default.removeItem(atPath: deaf)
    try await supervisor.shows("Text: [long long")
    // The next host reads.
    kill(deafHost, SIGKILL)
    let patience = Patience(.seconds(30))
    while !supervisor.presentation.plainText.contains("You typed") {
      try #require(!patience.hasEnded)
      // An event that was in flight when its host ended is not repeated.
      _ = try? await supervisor.tap("Go to Scene 2")
      try await Task.sleep(for: .milliseconds(20))
    }
    try await supervisor.shows("You typed: long long")
    await supervisor.stop()
  }
}
