import Foundation

/// A run of simulations, one for each seed, until enough faults have happened.
package struct SimulationRun: CustomStringConvertible {
  /// The number of faults for one seed.
  package static let faultsOfASeed = 500

  /// The number of faults that happened.
  package let faults: Int
  /// The first seed, and the first one that was not used.
  package let seeds: Range<UInt64>
  /// The real time.
  package let duration: Duration

  /// Runs simulations.
  ///
  /// - Throws: the first broken promise, with its seed, as ``Simulation/Failure``.
  @MainActor package init(faults wanted: Int, firstSeed: UInt64) async throws {
    let start = ContinuousClock.now
    var (faults, seed) = (0, firstSeed)
    while faults < wanted {
      let simulation = try await Self.simulate(seed: seed, faults: min(wanted - faults, Self.faultsOfASeed))
      guard simulation.faults > 0, simulation.users.allSatisfy({ $0.acknowledgedCount > 0 }) else {
        throw Simulation.Failure(description: "The simulation with seed \(seed) did nothing.")
      }
      faults += simulation.faults
      seed += 1
    }
    (self.faults, seeds, duration) = (faults, firstSeed..<seed, ContinuousClock.now - start)
  }

  /// Runs one simulation in a folder of its own.
  @MainActor package static func simulate(seed: UInt64, faults: Int) async throws -> Simulation {
    OneQueue.install()
    let folder = FileManager.default.temporaryDirectory.appending(component: "gangway-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let simulation = Simulation(seed: seed, folder: folder.path)
    try await simulation.run(faults: faults)
    return simulation
  }

  package var description: String {
    let seconds = duration / .seconds(1)
    return "\(faults) faults in \(Int(seconds * 10) / 10) s, \(Int(Double(faults) / seconds)) a second, "
      + "from seed \(seeds.lowerBound) to \(seeds.upperBound - 1)"
  }
}
