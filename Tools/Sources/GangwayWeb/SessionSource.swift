@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// The source of a multi-user front end's sessions, which hides their hosts.
@_spi(FrontEnd) @MainActor public protocol SessionSource: AnyObject {
  /// Opens a session on a host: a new, parked or stored one.
  ///
  /// - Parameters:
  ///   - id: the session's name, of letters and digits only.
  ///   - person: the user who owns the session.
  ///   - isOwners: whether the user is the server's owner, who may use every feature.
  ///   - isKept: whether a new session is stored from the start; if not, ``keep(_:of:)`` stores it.
  /// - Returns: the session with its first screen, and the messages for the user.
  /// - Throws: the reason why no host can show the session, in words for the server's operator.
  func open(
    _ id: SessionID, of person: String, isOwners: Bool, isKept: Bool
  ) async throws -> (session: any SessionConnection, notices: [Update.Notice])
  /// Stores an open session from now on. Called before each action of a user; further calls cost nothing.
  func keep(_ id: SessionID, of person: String) throws
  /// Called when a session can no longer be shown, with the reason in words for the server's operator.
  ///
  /// The session is then parked, and can be opened again.
  var didEnd: (SessionID, any Error) -> Void { get set }
  /// Returns whether the user has this session, parked or stored.
  func isStored(_ id: SessionID, of person: String) -> Bool
  /// Returns whether the user has any session: open, parked or stored.
  func hasSessions(of person: String) -> Bool
  /// The number of parked sessions whose latest changes are only in memory, because they cannot be stored.
  var unstoredCount: Int { get }
  /// Deletes the stored data of a user who cannot return.
  func forget(_ person: String)
  /// Copies a session, so that the copy continues from the same state.
  func copy(_ id: SessionID, to other: SessionID, of person: String) async throws
  /// Parks a session: stores it and releases its host.
  func putAway(_ id: SessionID, of person: String) async
}
