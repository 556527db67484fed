import Glibc

/// The known users, each with a cookie.
///
/// A browser becomes known by the key of a one-time address, or by a first visit if the server admits anyone.
@MainActor final class People {
  /// A known user.
  struct Person: Sendable, Codable {
    /// The user's ID in folder names and messages; not a secret.
    let id: String
    /// The secret part of the user's cookie.
    let secret: String
    /// The token in the forms of the user's pages.
    let formToken: String
    /// The day on which the user's browser last got the cookie, in days since 1970.
    var renewed: Int
    /// True for the server's owner, who may use every feature; nil for other users.
    var isOwner: Bool?

    /// The value of the user's cookie.
    var cookie: String { "\(id).\(secret)" }

    /// Returns whether a cookie is the user's own.
    @MainActor func isMeant(by cookie: String) -> Bool { People.isSame(self.cookie, cookie) }
  }

  /// The reason why the list of users cannot be read or written.
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let storage: any PeopleStorage
  private var known: [String: Person] = [:]
  /// The IDs of all users, and the position at which the next search for users to forget goes on.
  private var (order, hand): ([String], Int) = ([], 0)
  /// Returns whether a user has nothing to lose if the server forgets them.
  var hasNothing: (Person) -> Bool = { _ in false }
  /// Called with the ID of a user who cannot return, so that nobody can see their sessions again.
  var didForget: (String) -> Void = { _ in }
  /// Returns the current day, in days since 1970.
  var day: () -> Int = { time(nil) / 86_400 }
  private let seal = NewcomerSeal()
  /// Returns the time in seconds since 1970.
  var now: () -> Int = { time(nil) }
  private let limits: WebLimits

  /// Reads the users of earlier runs.
  ///
  /// - Throws: ``Failure`` if the users cannot be read. A server that went on would lock its users out.
  init(_ storage: any PeopleStorage, limits: WebLimits = WebLimits()) throws(Failure) {
    (self.storage, self.limits) = (storage, limits)
    known = Dictionary(try storage.people().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    order = Array(known.keys)
  }

  /// Returns a random secret of letters and digits.
  ///
  /// With 62 characters to choose from, 22 or more give at least 128 bits.
  static func secret(_ length: Int = 24) -> String {
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    var source = SystemRandomNumberGenerator()
    return String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &source)] })
  }

  /// Returns a key that admits one browser, once.
  ///
  /// - Parameter isOwners: whether the browser is the owner's.
  func makeKey(isOwners: Bool = false) -> String {
    let key = Self.secret(32)
    storage.add(key, for: isOwners ? .owner : .user)
    return key
  }

  /// Whether an owner is known.
  var hasOwner: Bool { known.values.contains { $0.isOwner == true } }

  /// Returns whether a key admits a browser.
  func isKey(_ key: String) -> Bool { storage.admission(by: key) != nil }

  /// Makes a known user an owner by the key of an owner's address, and voids the key.
  ///
  /// - Returns: whether it was such a key.
  /// - Throws: ``Failure`` if the user cannot be stored; the user is then as before, and the key stays valid.
  func promote(_ person: Person, with key: String) throws -> Bool {
    // A key that gives this user nothing new stays valid for another browser.
    guard storage.admission(by: key) == .owner, var owner = known[person.id],
      let admission = try storage.take(key)
    else { return false }
    owner.isOwner = true
    try use(key, for: admission) { try storage.store(owner) }
    known[person.id] = owner
    return true
  }

  /// Adds a user who has a key, and voids the key.
  ///
  /// - Returns: the user; nil if the key is unknown or used.
  /// - Throws: ``ErrorPage`` if there are too many users, ``Failure`` if the user cannot be stored; the key then stays
  ///   valid.
  func enter(with key: String) throws -> Person? {
    guard let admission = try storage.take(key) else { return nil }
    var person = newPerson()
    if admission == .owner { person.isOwner = true }
    try use(key, for: admission) { try add(person) }
    return person
  }

  /// Stores the user of a key that was taken. If this fails, the key is valid again.
  private func use(_ key: String, for admission: Admission, _ store: () throws -> Void) throws {
    do {
      try store()
    } catch {
      storage.add(key, for: admission)
      throw error
    }
  }

  /// The time in which a newcomer's browser must send its cookie back, in seconds.
  static let newcomerSeconds = 600

  /// Creates a newcomer with a cookie; the server keeps nothing until the browser sends the cookie back.
  func greet() -> Person {
    let id = Self.secret(16)
    return Person(
      id: id, secret: seal.secret(for: id, at: now()), formToken: Self.secret(32), renewed: day())
  }

  /// Adds a user who sent back the cookie of a newcomer.
  ///
  /// - Returns: nil if this server did not make the cookie, or made it over ``newcomerSeconds`` ago.
  /// - Throws: ``ErrorPage`` if there are too many users, ``Failure`` if the user cannot be stored.
  func welcome(_ cookie: String) throws -> Person? {
    if let person = person(cookie: cookie) { return person }
    let parts = cookie.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let made = seal.time(ofSecret: parts[1], for: parts[0]),
      (0...Self.newcomerSeconds).contains(now() - made)
    else { return nil }
    let person = Person(id: parts[0], secret: parts[1], formToken: Self.secret(32), renewed: day())
    try add(person)
    return person
  }

  /// Returns the user of a cookie; nil if the cookie is unknown.
  func person(cookie: String) -> Person? {
    guard let person = known[String(cookie.prefix { $0 != "." })], person.isMeant(by: cookie) else { return nil }
    return person
  }

  private func newPerson() -> Person {
    Person(id: Self.secret(16), secret: Self.secret(32), formToken: Self.secret(32), renewed: day())
  }

  private func add(_ person: Person) throws {
    if known.count >= limits.people { forgetSome() }
    guard known.count < limits.people else {
      throw ErrorPage(503, Words.RefusalTitle.full, Words.Refusal.usersFull(known.count))
    }
    try storage.store(person)
    known[person.id] = person
    order.append(person.id)
  }

  // MARK: Time

  /// The lifetime of a cookie, in days. Browsers allow at most 400 (RFC 6265bis, 5.5).
  static let cookieDays = 365
  /// The days after which the browser gets the cookie again, with its full lifetime.
  static let renewalDays = 30

  /// Notes a visit of a user, so that a user who visits often enough stays known.
  ///
  /// - Returns: whether the browser should get the cookie again.
  func renew(_ person: Person) -> Bool {
    let today = day()
    guard var kept = known[person.id] else { return false }
    // A day in the future comes from a clock that was wrong.
    if (0..<Self.renewalDays).contains(today - kept.renewed) { return false }
    kept.renewed = today
    known[person.id] = kept
    // If this cannot be stored, the user stays known, and the next run renews the cookie.
    try? storage.store(kept)
    return true
  }

  /// Forgets some users whose browsers have no cookie any more, or who have nothing to lose.
  ///
  /// Each call checks at most 1,000 users, because a check of all users would take long.
  private func forgetSome() {
    let today = day()
    var gone: Set<String> = []
    for _ in 0..<min(1_000, order.count) {
      hand = (hand + 1) % order.count
      guard let person = known[order[hand]] else { continue }
      if today - person.renewed > Self.cookieDays {
        didForget(person.id)
        gone.insert(person.id)
      } else if hasNothing(person) {
        gone.insert(person.id)
      }
    }
    guard !gone.isEmpty else { return }
    for id in gone { known[id] = nil }
    storage.remove(gone)
    order.removeAll { gone.contains($0) }
    hand = 0
  }

  /// Returns whether two texts are equal, in a time that does not depend on the equal part.
  nonisolated static func isSame(_ first: String, _ second: String) -> Bool {
    let (one, other) = (Array(first.utf8), Array(second.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
