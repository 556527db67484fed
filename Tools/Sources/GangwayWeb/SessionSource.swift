import GangwayClient
import GangwayProtocol

/// Where a front end for many people gets its sessions from: it knows no hosts.
@MainActor public protocol SessionSource: AnyObject {
  /// Gives a session to a host: a new one, one that was put away, or one that an earlier run stored.
  ///
  /// - Parameters:
  ///   - id: its name, letters and digits alone.
  ///   - person: whose it is.
  ///   - isKept: whether a new session is stored from the start; if not, ``keep(_:of:)`` stores it.
  /// - Returns: the session with its first screen, and notices for the user.
  /// - Throws: why no host can show it, for the operator.
  func open(
    _ id: String, of person: String, isKept: Bool
  ) async throws -> (session: any SessionConnection, notices: [Update.Notice])
  /// Stores an open session from now on. Called before the first thing that a user does in it, and again at no cost.
  func keep(_ id: String, of person: String) throws
  /// Called when a session cannot be shown any longer, and why, in words for whoever runs the server. It is put away then, and may be
  /// asked for again.
  var didEnd: (String, any Error) -> Void { get set }
  /// Whether there is such a session of a person, put away or stored.
  func isStored(_ id: String, of person: String) -> Bool
  /// Whether there are any of a person, open, put away or stored.
  func hasSessions(of person: String) -> Bool
  /// Forgets what is stored of somebody who cannot come back.
  func forget(_ person: String)
  /// Makes a session that goes on from where another one is.
  func copy(_ id: String, to other: String, of person: String) async throws
  /// Stores a session and takes it from its host.
  func putAway(_ id: String, of person: String) async
}
