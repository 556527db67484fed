@_spi(FrontEnd) import GangwayProtocol

/// The moments at which hosts stopped while they handled an event, for each session.
struct StopTally {
  private var stops: [SessionID: [ContinuousClock.Instant]] = [:]

  /// Counts a host that stopped while it handled a session's event.
  ///
  /// - Returns: whether the session stops hosts too often to share one: twice within a minute.
  mutating func note(_ session: SessionID, at moment: ContinuousClock.Instant) -> Bool {
    let recent = stops[session, default: []].filter { moment - $0 < CrashTally.span } + [moment]
    stops[session] = recent
    return recent.count >= 2
  }

  /// Forgets a session that was removed.
  mutating func forget(_ session: SessionID) { stops[session] = nil }
}
