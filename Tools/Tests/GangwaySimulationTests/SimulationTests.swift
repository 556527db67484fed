import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor

/// The promises of the supervisor, over simulated hosts that fail in every way.
///
/// `GANGWAY_SIMULATED_FAULTS` sets the number of faults, and `GANGWAY_SEED` the first seed.
@MainActor @Suite(.serialized) struct SimulationTests {
  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }
  /// The number of faults for one seed.
  private static let faultsOfASeed = 500

  private func run(seed: UInt64, faults: Int) async throws -> Simulation {
    OneQueue.install()
    let folder = FileManager.default.temporaryDirectory.appending(component: "gangway-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let simulation = Simulation(seed: seed, folder: folder.path)
    try await simulation.run(faults: faults)
    return simulation
  }

  @Test func everyPromiseHoldsWhateverFails() async throws {
    let wanted = Self.number("GANGWAY_SIMULATED_FAULTS") ?? 20_000
    let first = UInt64(Self.number("GANGWAY_SEED") ?? 1)
    let start = ContinuousClock.now
    try #require(wanted > 0, "A simulation without faults shows nothing.")
    var (faults, seed) = (0, first)
    while faults < wanted {
      let simulation = try await run(seed: seed, faults: min(wanted - faults, Self.faultsOfASeed))
      try #require(simulation.faults > 0 && simulation.users.allSatisfy { $0.acknowledgedCount > 0 })
      faults += simulation.faults
      seed += 1
    }
    print("\(faults) faults in \(ContinuousClock.now - start), from seed \(first)")
  }

  @Test func theSameSeedGivesTheSameRun() async throws {
    let first = try await run(seed: 42, faults: Self.faultsOfASeed).trace
    let second = try await run(seed: 42, faults: Self.faultsOfASeed).trace
    let other = try await run(seed: 43, faults: Self.faultsOfASeed).trace
    #expect(first == second)
    #expect(first != other)
  }
}
