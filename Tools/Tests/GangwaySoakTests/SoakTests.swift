import Foundation
import TestSupport
import Testing

/// The sample app in use, with idle gaps: at a terminal by one user, and in browsers by three.
///
/// `script/soak` runs it; `GANGWAY_SOAK_MINUTES` says for how long.
@MainActor @Suite struct SoakTests {
  /// How long nobody does anything before each round: longer than a pool keeps threads that have nothing to do.
  private static let idle = Duration.seconds(15)
  /// Each disturbance comes at least once.
  private static let fewestRounds = Disturbance.allCases.count
  private static let browsers = 3

  /// What is done to the hosts while users have typed and not saved.
  private enum Disturbance: Int, CaseIterable {
    case reload, kill, killDuringSave, none
    init(round: Int) { self = Self.allCases[(round - 1) % Self.allCases.count] }
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["GANGWAY_SOAK_MINUTES"] != nil))
  func theAppIsUsedForLongAndNothingIsLost() async throws {
    let minutes = ProcessInfo.processInfo.environment["GANGWAY_SOAK_MINUTES"].flatMap(Double.init)
    let length = Duration.seconds(60 * (try #require(minutes)))
    let app = try await SoakedApp(browsers: Self.browsers)
    do {
      try await use(app, for: length)
    } catch {
      await app.abandon()
      throw error
    }
  }

  private func use(_ app: SoakedApp, for length: Duration) async throws {
    try await app.start()
    let clock = ContinuousClock()
    let end = clock.now + length
    var (round, first) = (0, Measures?.none)
    while round < Self.fewestRounds || clock.now < end {
      round += 1
      try await Task.sleep(for: Self.idle)
      let disturbance = Disturbance(round: round)
      // Hosts are killed that nobody uses just then, too.
      let isKilledIdle = round.isMultiple(of: 3)
      if isKilledIdle { try await app.killHosts() }
      try await app.begin(round)
      switch disturbance {
      case .kill: try await app.killHosts()
      case .reload: try await app.reload(round / Disturbance.allCases.count % 2 == 0 ? "todos" : "ledger")
      case .killDuringSave: try await app.saveDuringKill(round)
      case .none: break
      }
      if disturbance != .killDuringSave { try await app.save(round) }
      try await app.write()
      let measures = try await app.measure()
      say("round \(round): \(disturbance)\(isKilledIdle ? ", killed while idle" : ""); \(measures)")
      if let first { measures.check(since: first, "round \(round)") } else { first = measures }
    }
    try await app.startAgain(after: round)
    try await app.stop()
    try app.checkFiles(after: round)
    say("rounds: \(round)")
  }

  /// Prints a line at once.
  private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
