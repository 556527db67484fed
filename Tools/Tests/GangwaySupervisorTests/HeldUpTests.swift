import Foundation
import GangwayProtocol
import TestSupport
import Testing

@testable import GangwaySupervisor

/// Hosts and libraries that do not go on: the supervisor does, and ends what holds it up.
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
      // Longer than a host that nobody watches would give it: it is the supervisor that sets it aside.
      options.loadPatience = .seconds(11)
    }
    _ = try await supervisor.start()
    try await supervisor.type("typed", into: "Text")
    try touch("stuck")
    let tab = try #require(supervisor.presentation.tabBars.joined().first { $0.title == "Stuck" })
    let notice = await supervisor.notice {
      Task { _ = try? await supervisor.send(.tab(tab.node)) }
    }
    #expect(notice.hasPrefix("\(path) "), "\(notice)")
    try await supervisor.tab("Stuck")
    try await supervisor.shows("The plugin stuck is not there:")
    #expect(supervisor.statuses["stuck"]?.state == .quarantined)
    try await supervisor.tab("Clock")
    try await supervisor.shows("Time zones")
    try await supervisor.tab("Scenes")
    try await supervisor.shows("Text: [typed]")
    await supervisor.stop()
  }

  /// A pipe takes 64 KB: more than that cannot be written to a host that does not read.
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
      // On a machine that is busy with other tests, too.
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
    // The checkpoint is being written now, to nobody. What else is to be done is done: this would never be reached.
    for _ in 0..<20 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(supervisor.hostProcessID == deafHost)
    try FileManager.default.removeItem(atPath: deaf)
    try await supervisor.shows("Text: [long long")
    // The one after it reads.
    kill(deafHost, SIGKILL)
    let patience = Patience(.seconds(30))
    while !supervisor.presentation.plainText.contains("You typed") {
      try #require(!patience.hasEnded)
      // One that is in flight when a host is ended is not done again.
      _ = try? await supervisor.tap("Go to Scene 2")
      try await Task.sleep(for: .milliseconds(20))
    }
    try await supervisor.shows("You typed: long long")
    await supervisor.stop()
  }
}
