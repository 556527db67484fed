@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// The state of an open session, for the simulation, which checks it after each step.
package struct SessionState {
  /// Whether the session has a store.
  package let isStored: Bool
  /// Whether its newest changes are not stored.
  package let isBehind: Bool
  /// The number of events that wait for their turn.
  package let waitingEvents: Int
  /// The number of notifications that no front end has heard.
  package let notices: Int
  /// The host that shows the session; nil if none does.
  package let host: (any HostChannel)?
}

extension UserSessions {
  /// Returns the state of an open session; nil if it is closed.
  package func state(of id: SessionID) -> SessionState? {
    guard let keeper = sessions[id]?.keeper else { return nil }
    return SessionState(
      isStored: keeper.memory.store != nil, isBehind: keeper.memory.store?.isBehind == true,
      waitingEvents: keeper.turns.count, notices: keeper.notices.count, host: (keeper.line as? HostLine)?.host?.channel)
  }

  /// Returns the phases of an open session and of its line of hosts, in words; nil if it is closed.
  package func phase(of id: SessionID) -> String? {
    guard let keeper = sessions[id]?.keeper else { return nil }
    return "\(keeper.phase); line: \((keeper.line as? HostLine).map { "\($0.phase)" } ?? "none")"
  }

  /// Returns the presentation of an open session; nil if it is closed.
  package func presentation(of id: SessionID) -> Presentation? { sessions[id]?.keeper.presentation }

  /// Returns whether a parked session waits to be stored.
  package func isUnstored(_ id: SessionID) -> Bool { unstored[id] != nil }

  /// The quarantined plugins or files of all pools, with the reasons.
  package var quarantined: [String: String] {
    var all: [String: String] = [:]
    for pool in pools where !pool.ledger.quarantined.isEmpty { all.merge(pool.ledger.quarantined) { $1 } }
    return all
  }
}
