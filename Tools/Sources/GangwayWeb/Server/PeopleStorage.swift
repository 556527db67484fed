/// The storage of a server's users and one-time keys. ``PeopleFile`` stores the users in a file.
///
/// Another implementation must pass the tests of `PeopleStorageTests`.
///
/// No method is asynchronous, because each request first asks for its user. ``admission(by:)``, ``add(_:for:)`` and
/// ``remove(_:)`` must return at once, so storage on another machine answers them from its memory. ``store(_:)`` and
/// ``take(_:)`` run only for a new user and for a renewed cookie. They may wait a moment for another machine, although
/// all users then wait, and throw if it does not answer. After an error, the storage is as it was before the call.
@MainActor protocol PeopleStorage: AnyObject {
  /// Returns all stored users, in any order: users of earlier runs, and users stored since.
  ///
  /// A user whom a crash of the machine cut off in the middle of ``store(_:)`` may be missing.
  ///
  /// - Throws: ``People/Failure`` if the users, or some of them, cannot be read or may be forged. The stored users stay
  ///   as they are. Until the users can be read, ``store(_:)`` throws the same failure and overwrites nothing.
  func people() throws(People.Failure) -> [People.Person]

  /// Stores a new user, or replaces the stored user of the same ID.
  ///
  /// When the call returns, the user is stored: a crash of this process does not lose the user.
  ///
  /// - Throws: ``People/Failure`` if the user cannot be stored. An earlier user of this ID stays stored, here and for
  ///   the next run. The call can be repeated.
  func store(_ person: People.Person) throws(People.Failure)

  /// Removes users whom the server forgot. An unknown ID has no effect.
  ///
  /// The next run may still read such users, if the storage removes them later.
  func remove(_ ids: Set<String>)

  /// Adds a one-time key, or makes a taken key valid again if its user could not be stored.
  ///
  /// The key is valid when the call returns. It need not be valid in the next run.
  func add(_ key: String, for admission: Admission)

  /// Returns the user whom a key admits, without voiding the key; nil if the key is unknown or void.
  ///
  /// The time of this method and of ``take(_:)`` must not tell how much of a wrong key is right.
  func admission(by key: String) -> Admission?

  /// Voids a key. Of all callers with the same key, in all processes that share the storage, one gets the key.
  ///
  /// - Returns: the user whom the key admits; nil if the key is unknown or void.
  /// - Throws: ``People/Failure`` if the storage cannot decide this now. The key stays as it is.
  func take(_ key: String) throws(People.Failure) -> Admission?
}

/// The user whom a one-time key admits.
enum Admission: Sendable {
  /// A new user.
  case user
  /// The server's owner.
  case owner
}
