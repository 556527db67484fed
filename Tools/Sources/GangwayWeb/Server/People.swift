import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
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

  private let file: String?
  private var known: [String: Person] = [:]
  /// The IDs of all users, and the position at which the next search for users to forget goes on.
  private var (order, hand): ([String], Int) = ([], 0)
  /// Returns whether a user has nothing to lose if the server forgets them.
  var hasNothing: (Person) -> Bool = { _ in false }
  /// Called with the ID of a user who cannot return, so that nobody can see their sessions again.
  var didForget: (String) -> Void = { _ in }
  /// Returns the current day, in days since 1970.
  var day: () -> Int = { time(nil) / 86_400 }
  /// The keys that admit a browser, with whether they make it the owner's.
  private var keys: [String: Bool] = [:]
  private let seal = NewcomerSeal()
  /// Returns the time in seconds since 1970.
  var now: () -> Int = { time(nil) }
  private let limits: WebLimits
  /// Whether the file ends with a complete line.
  private var canBeAddedTo = false
  /// The number of lines in the file, including outdated lines of renewed users and lines of forgotten users.
  private var lineCount = 0

  /// Reads the users of earlier runs.
  ///
  /// - Parameter file: the file of the users, private to the server's own user; nil to store no users.
  /// - Throws: ``Failure`` if the file cannot be read. A server that went on would lock its users out and overwrite the
  ///   file.
  init(file: String?, limits: WebLimits = WebLimits()) throws {
    (self.file, self.limits) = (file, limits)
    guard let file, access(file, F_OK) == 0 else { return }
    let people: [Person]
    do {
      (people, canBeAddedTo) = try Self.read(file)
    } catch {
      throw Failure(description: Words.Operator.listUnusable(file, reason: "\(error)"))
    }
    // A renewed user has more than one line; the last line counts.
    known = Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    order = Array(known.keys)
    lineCount = people.count
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
    keys[key] = isOwners
    return key
  }

  /// Whether an owner is known.
  var hasOwner: Bool { known.values.contains { $0.isOwner == true } }

  /// Returns whether a key admits a browser.
  func isKey(_ key: String) -> Bool { keys.keys.contains { Self.isSame($0, key) } }

  /// Makes a known user an owner by the key of an owner's address, and voids the key.
  ///
  /// - Returns: whether it was such a key.
  /// - Throws: ``Failure`` if the user cannot be stored; the user is then as before, and the key stays valid.
  func promote(_ person: Person, with key: String) throws -> Bool {
    guard let (found, isOwners) = keys.first(where: { Self.isSame($0.key, key) }), isOwners,
      var owner = known[person.id]
    else { return false }
    let before = owner
    owner.isOwner = true
    // A rewritten file has all known users, so the owner must be among them.
    known[person.id] = owner
    do {
      try keep(owner)
    } catch {
      known[person.id] = before
      throw error
    }
    keys[found] = nil
    return true
  }

  /// Adds a user who has a key, and voids the key.
  ///
  /// - Returns: the user; nil if the key is unknown or used.
  /// - Throws: ``ErrorPage`` if there are too many users, ``Failure`` if the user cannot be stored.
  func enter(with key: String) throws -> Person? {
    guard let (found, isOwners) = keys.first(where: { Self.isSame($0.key, key) }) else { return nil }
    var person = newPerson()
    if isOwners { person.isOwner = true }
    try add(person)
    keys[found] = nil
    return person
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
    known[person.id] = person
    do {
      try keep(person)
    } catch {
      known[person.id] = nil
      throw error
    }
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
    // If the file cannot be written, the user stays known, and the next run renews the cookie.
    try? keep(kept)
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
    order.removeAll { gone.contains($0) }
    hand = 0
  }

  /// Returns whether two texts are equal, in a time that does not depend on the equal part.
  nonisolated static func isSame(_ first: String, _ second: String) -> Bool {
    let (one, other) = (Array(first.utf8), Array(second.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: The file

  /// Reads the users in a file, one per line.
  ///
  /// - Returns: the users, and whether lines can be added: not after an incomplete line, which a crash of the machine
  ///   leaves.
  private static func read(_ file: String) throws -> (people: [Person], canBeAddedTo: Bool) {
    let bytes = try privateContent(of: file)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let isWhole = bytes.isEmpty || bytes.last == UInt8(ascii: "\n")
    let people = try lines.indices.compactMap { index -> Person? in
      do {
        return try Line.decode(Person.self, from: lines[index])
      } catch {
        // The first line is never incomplete, because the file is created in one piece.
        guard !isWhole, index > 0, index == lines.count - 1 else { throw error }
        return nil
      }
    }
    return (people, isWhole)
  }

  /// Reads the file, which must be private: another user who can write to it can add a user.
  private static func privateContent(of file: String) throws -> Data {
    let descriptor = Glibc.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ELOOP ? Failure(description: Words.Operator.listIsLink) : systemFailure()
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw systemFailure() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(description: Words.Operator.listIsNotRegular) }
    guard status.st_uid == geteuid() else {
      throw Failure(description: Words.Operator.listIsForeign(owner: status.st_uid, user: geteuid()))
    }
    let mode = status.st_mode & 0o777
    guard mode & 0o077 == 0 else {
      throw Failure(description: Words.Operator.listIsOpen(mode: String(mode, radix: 8)))
    }
    var bytes = Data(count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw systemFailure() }
    // Half of the list would be written over the whole one.
    guard count == bytes.count else {
      throw Failure(description: Words.Operator.listIsCutOff(count, of: bytes.count))
    }
    return bytes
  }

  private func keep(_ person: Person) throws {
    guard let file else { return }
    do {
      // Rewrite a file that has many more lines than users.
      if canBeAddedTo, lineCount < 2 * max(known.count, 500), access(file, F_OK) == 0 {
        try append(person, to: file)
        lineCount += 1
      } else {
        try writeAll(file)
        lineCount = known.count
      }
      canBeAddedTo = true
    } catch {
      throw Failure(description: Words.Operator.listNotStored(file, reason: "\(error)"))
    }
  }

  private static func open(_ file: String, _ flags: Int32) throws -> Int32 {
    let descriptor = Glibc.open(file, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
    guard descriptor >= 0 else { throw systemFailure() }
    return descriptor
  }

  private static func systemFailure() -> Failure { Failure(description: String(cString: strerror(errno))) }

  private static func line(_ person: Person) throws -> [UInt8] {
    try JSONEncoder().encode(person) + [UInt8(ascii: "\n")]
  }

  /// Adds one line instead of writing all users again.
  private func append(_ person: Person, to file: String) throws {
    let descriptor = try Self.open(file, O_APPEND)
    defer { close(descriptor) }
    let length = lseek(descriptor, 0, SEEK_END)
    guard ProcessIO.writeAll(try Self.line(person), to: descriptor) else {
      let failure = Self.systemFailure()
      // Half a line would merge with the next line.
      if ftruncate(descriptor, length) != 0 { canBeAddedTo = false }
      throw failure
    }
  }

  private func writeAll(_ file: String) throws {
    let temporary = "\(file).new"
    unlink(temporary)
    let descriptor = try Self.open(temporary, O_CREAT | O_EXCL)
    let data = try known.values.sorted { $0.id < $1.id }.flatMap(Self.line)
    let isWritten = ProcessIO.writeAll(data, to: descriptor)
    close(descriptor)
    guard isWritten, rename(temporary, file) == 0 else { throw Self.systemFailure() }
  }
}
