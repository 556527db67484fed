import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// The sample app in use, with idle gaps: one user at a terminal, and three in browsers.
///
/// `script/soak` runs it; `GANGWAY_SOAK_MINUTES` sets the duration.
@MainActor @Suite struct SoakTests {
  /// The idle time before each round, which is longer than a thread pool keeps idle threads.
  private static let idle = Duration.seconds(15)
  /// Each disturbance happens at least once.
  private static let fewestRounds = Disturbance.allCases.count
  private static let browsers = 3

  /// An action on the hosts while users have unsaved text.
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
      // In some rounds, also kill hosts that no user is using at the moment.
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

  /// Prints a line without buffering.
  private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
