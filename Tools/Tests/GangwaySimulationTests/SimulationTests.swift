import Foundation
@testable import GangwaySimulation
import Testing

/// The promises of the supervisor, over simulated hosts that fail in every way.
///
/// `GANGWAY_SIMULATED_FAULTS` sets the number of faults, and `GANGWAY_SEED` the first seed. `script/simulate` runs more
/// of them, in a release build.
@MainActor @Suite(.serialized) struct SimulationTests {
  private static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  @Test func everyPromiseHoldsWhateverFails() async throws {
    let wanted = Self.number("GANGWAY_SIMULATED_FAULTS") ?? 1_000
    try #require(wanted > 0, "A simulation without faults shows nothing.")
    let run = try await SimulationRun(faults: wanted, firstSeed: UInt64(Self.number("GANGWAY_SEED") ?? 1))
    #expect(run.faults >= wanted)
    print(run)
  }

  @Test func theSameSeedGivesTheSameRun() async throws {
    let faults = SimulationRun.faultsOfASeed
    let first = try await SimulationRun.simulate(seed: 42, faults: faults).trace
    let second = try await SimulationRun.simulate(seed: 42, faults: faults).trace
    let other = try await SimulationRun.simulate(seed: 43, faults: faults).trace
    #expect(first == second)
    #expect(first != other)
  }
}
