@_spi(FrontEnd) import GangwayProtocol

/// The storage of sessions between runs. ``FileStorage`` stores them in files.
///
/// Another implementation must pass the tests of `SessionStorageTests`. The methods that are not asynchronous must
/// return at once, so storage on another machine answers them from its memory.
@MainActor protocol SessionStorage: AnyObject {
  /// Opens a session for this app alone; the session need not exist.
  ///
  /// - Throws: ``SupervisorFailure`` if it cannot be opened now. The stored session stays as it is.
  func open(_ id: SessionID, of profile: String) async throws(SupervisorFailure) -> OpenedSession

  /// Begins to store a session that is not stored yet.
  ///
  /// - Throws: ``SupervisorFailure`` if it cannot be stored now.
  func begin(_ id: SessionID, of profile: String) throws(SupervisorFailure) -> OpenedSession

  /// Returns whether a profile has a stored session of this name.
  func isStored(_ id: SessionID, of profile: String) -> Bool

  /// Returns whether a profile has any stored data.
  func hasSessions(of profile: String) -> Bool

  /// Removes all sessions of a profile, except those that an app has open.
  func removeSessions(of profile: String)

  /// Removes the copies of emptied sessions, when an app starts.
  func removeCopies()
}

/// A session as its storage has it.
struct OpenedSession {
  /// The store of the session's changes; nil if nothing can be stored there.
  var store: (any StoredSession)?
  /// The stored state; nil for a new session.
  var checkpoint: Checkpoint?
  /// The reason why something is missing, for the operator; nil if everything is there.
  var notice: String?
}

/// The place where one session is stored.
///
/// Every change that a front end shows is already stored, unless ``isBehind`` is true.
@MainActor protocol StoredSession: AnyObject {
  /// Whether the newest changes are not stored. A crash of this process would lose them.
  var isBehind: Bool { get }
  /// Returns the current state of the session; nil if nothing holds the session any more.
  var current: () -> Checkpoint? { get set }
  /// Called with the reason if something could not be stored.
  var didFail: (String) -> Void { get set }
  /// Called when all changes are stored again; true stands for the end of a failure, false for that of a delay.
  var didCatchUp: (Bool) -> Void { get set }

  /// Stores a change.
  ///
  /// - Parameter checkpoint: the session's state after the change.
  func note(_ change: Checkpoint.Change, of checkpoint: Checkpoint)

  /// Keeps a copy of a session from which a host removes everything that was open.
  ///
  /// - Returns: whether there is a copy.
  func keepCopy(of checkpoint: Checkpoint) -> Bool

  /// Moves the stored session out of the way.
  ///
  /// - Returns: the text to show the user.
  func setAside(_ reason: String) -> String?

  /// Stores all unstored changes.
  ///
  /// - Returns: whether everything is stored. If not, this method can be called again, or ``goOn()``.
  @discardableResult func finish(_ checkpoint: Checkpoint) async -> Bool

  /// Stores changes again after ``finish(_:)``.
  func goOn()
}
