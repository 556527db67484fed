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

  @discardableResult private func run(seed: UInt64, faults: Int) async throws -> UInt64 {
    OneQueue.install()
    let folder = FileManager.default.temporaryDirectory.appending(component: "gangway-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let simulation = Simulation(seed: seed, folder: folder.path)
    try await simulation.run(faults: faults)
    #expect(simulation.faults >= faults)
    return simulation.trace
  }

  @Test func everyPromiseHoldsWhateverFails() async throws {
    let wanted = Self.number("GANGWAY_SIMULATED_FAULTS") ?? 20_000
    let first = UInt64(Self.number("GANGWAY_SEED") ?? 1)
    let start = ContinuousClock.now
    for number in 0..<max(1, wanted / Self.faultsOfASeed) {
      try await run(seed: first + UInt64(number), faults: min(wanted, Self.faultsOfASeed))
    }
    print("\(wanted) faults in \(ContinuousClock.now - start), from seed \(first)")
  }

  @Test func theSameSeedGivesTheSameRun() async throws {
    let first = try await run(seed: 42, faults: Self.faultsOfASeed)
    let second = try await run(seed: 42, faults: Self.faultsOfASeed)
    let other = try await run(seed: 43, faults: Self.faultsOfASeed)
    #expect(first == second)
    #expect(first != other)
  }
}
