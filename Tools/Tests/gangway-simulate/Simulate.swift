import Foundation
import GangwaySimulation
import Glibc

/// Runs the supervisor over simulated hosts, with faults from seeds: `gangway-simulate FAULTS SEED`.
@main enum Simulate {
  @MainActor static func main() async {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard arguments.count == 2, arguments[0] > 0, arguments[1] >= 0 else {
      print("Usage: gangway-simulate FAULTS SEED, with a positive number of faults")
      exit(64)
    }
    do {
      let run = try await SimulationRun(faults: arguments[0], firstSeed: UInt64(arguments[1]))
      print(run)
    } catch {
      print("\(error)")
      exit(1)
    }
  }
}
