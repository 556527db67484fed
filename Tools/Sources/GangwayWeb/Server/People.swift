import FoundationEssentials
import GangwayClient
import GangwayProtocol
import Glibc

/// Those who may come in: each has a cookie, got for the key of a one-time address.
@MainActor final class People {
  /// One of them.
  struct Person: Sendable, Codable {
    /// Names them in folders and messages; no secret.
    let id: String
    /// What their cookie has besides.
    let secret: String
    /// What the forms of their pages have.
    let formToken: String
    /// The day on which their browser last got the cookie, in days since 1970.
    var renewed: Int

    /// Their cookie.
    var cookie: String { "\(id).\(secret)" }

    /// Whether a cookie is theirs.
    @MainActor func isMeant(by cookie: String) -> Bool { People.isSame(self.cookie, cookie) }
  }

  /// Why nobody new is taken in.
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let file: String?
  private var known: [String: Person] = [:]
  /// Their names, in the order in which it is looked at whether they can be forgotten, and where that goes on.
  private var (order, hand): ([String], Int) = ([], 0)
  /// Whether nothing would be lost with somebody who is not known any more.
  var hasNothing: (Person) -> Bool = { _ in false }
  /// Called with the name of somebody who cannot come back, and whose sessions nobody will see again.
  var didForget: (String) -> Void = { _ in }
  /// Which day it is, in days since 1970.
  var day: () -> Int = { time(nil) / 86_400 }
  private var keys: Set<String> = []
  private let seal = NewcomerSeal()
  /// The time in seconds since 1970.
  var now: () -> Int = { time(nil) }
  private let limits: WebLimits
  /// Whether the file ends with a whole line.
  private var canBeAddedTo = false
  /// How many lines it has: of those who were renewed, several; of those who were forgotten, some.
  private var lineCount = 0

  /// Reads who was known to an earlier run.
  ///
  /// - Parameter file: where they are kept, for the server's own user alone; nil for nowhere.
  /// - Throws: ``Failure`` where it cannot be read: whoever is in it would be locked out, and it would be written over.
  init(file: String?, limits: WebLimits = WebLimits()) throws {
    (self.file, self.limits) = (file, limits)
    guard let file, access(file, F_OK) == 0 else { return }
    let people: [Person]
    do {
      (people, canBeAddedTo) = try Self.read(file)
    } catch {
      throw Failure(
        description:
          """
          '\(file)', the list of users, cannot be used: \(error). Fix it, or move it away: every user then needs a new \
          address.
          """
      )
    }
    // Who was renewed has a line more.
    known = Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    order = Array(known.keys)
    lineCount = people.count
  }

  /// Letters and digits that nobody guesses: of 62, as many as give 128 bits or more.
  static func secret(_ length: Int = 24) -> String {
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    var source = SystemRandomNumberGenerator()
    return String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &source)] })
  }

  /// A key that lets one browser in, once.
  func makeKey() -> String {
    let key = Self.secret(32)
    keys.insert(key)
    return key
  }

  /// Whether a key lets somebody in.
  func isKey(_ key: String) -> Bool { keys.contains { Self.isSame($0, key) } }

  /// Takes in whoever has a key, which is void then.
  ///
  /// - Returns: nil where it is none, or was used.
  /// - Throws: ``Refusal`` where there are too many, ``Failure`` where they cannot be kept.
  func enter(with key: String) throws -> Person? {
    guard let found = keys.first(where: { Self.isSame($0, key) }) else { return nil }
    let person = somebody()
    try add(person)
    keys.remove(found)
    return person
  }

  /// How long a newcomer's browser has to send its cookie back, in seconds.
  static let newcomerSeconds = 600

  /// Makes a cookie for a newcomer, of whom nothing is kept until they send it back.
  func greet() -> Person {
    let id = Self.secret(16)
    return Person(
      id: id, secret: seal.secret(for: id, at: now()), formToken: Self.secret(32), renewed: day())
  }

  /// Adds a user who sent back the cookie of a newcomer.
  ///
  /// - Returns: nil if this server did not make the cookie, or made it over ``newcomerSeconds`` ago.
  /// - Throws: ``Refusal`` if there are too many users, ``Failure`` if the user cannot be stored.
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

  /// Whose cookie it is; nil for nobody's.
  func person(cookie: String) -> Person? {
    guard let person = known[String(cookie.prefix { $0 != "." })], person.isMeant(by: cookie) else { return nil }
    return person
  }

  private func somebody() -> Person {
    Person(id: Self.secret(16), secret: Self.secret(32), formToken: Self.secret(32), renewed: day())
  }

  private func add(_ person: Person) throws {
    if known.count >= limits.people { forgetSome() }
    guard known.count < limits.people else {
      throw Refusal(503, "Full", "\(known.count) people are known here, and that is the most. Come again later.")
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

  /// How long a browser keeps a cookie, in days. (It keeps none for longer than 400: RFC 6265bis, 5.5.)
  static let cookieDays = 365
  /// After how many days it is told to keep it for as long again.
  static let renewalDays = 30

  /// Notes that somebody is here: who comes often enough is known for ever.
  ///
  /// - Returns: whether their browser is to be told to keep the cookie.
  func renew(_ person: Person) -> Bool {
    let today = day()
    guard var kept = known[person.id] else { return false }
    // A day that is to come is that of a clock that was wrong.
    if (0..<Self.renewalDays).contains(today - kept.renewed) { return false }
    kept.renewed = today
    known[person.id] = kept
    // Where it cannot be written, they are known all the same, and the next run does it.
    try? keep(kept)
    return true
  }

  /// Forgets those among the next few whose browsers have no cookie any more, and those who have nothing here. Of all of them it would
  /// take long.
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

  /// Compares without telling by the time it takes how much is the same.
  nonisolated static func isSame(_ first: String, _ second: String) -> Bool {
    let (one, other) = (Array(first.utf8), Array(second.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: The file

  /// Reads who is kept in a file, a line each.
  ///
  /// - Returns: the users, and whether lines can be added: not after a line that was cut off when the machine stopped.
  private static func read(_ file: String) throws -> (people: [Person], canBeAddedTo: Bool) {
    let bytes = try privateContent(of: file)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let isWhole = bytes.isEmpty || bytes.last == UInt8(ascii: "\n")
    let people = try lines.indices.compactMap { index -> Person? in
      do {
        return try Line.decode(Person.self, from: lines[index])
      } catch {
        // The first line is never half there: the file begins in one piece.
        guard !isWhole, index > 0, index == lines.count - 1 else { throw error }
        return nil
      }
    }
    return (people, isWhole)
  }

  /// Reads the file, if it is this user's alone: anybody else who can write to it can add a user.
  private static func privateContent(of file: String) throws -> Data {
    let descriptor = Glibc.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ELOOP ? Failure(description: "it is a link") : systemFailure()
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw systemFailure() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(description: "it is not a regular file") }
    guard status.st_uid == geteuid() else {
      throw Failure(description: "it belongs to user \(status.st_uid), and this is user \(geteuid())")
    }
    let mode = status.st_mode & 0o777
    guard mode & 0o077 == 0 else {
      throw Failure(description: "others can read or change it (mode \(String(mode, radix: 8)), not 600)")
    }
    var bytes = Data(count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw systemFailure() }
    return bytes.prefix(count)
  }

  private func keep(_ person: Person) throws {
    guard let file else { return }
    do {
      // One that has many lines more than there are people is written anew.
      if canBeAddedTo, lineCount < 2 * max(known.count, 500), access(file, F_OK) == 0 {
        try append(person, to: file)
        lineCount += 1
      } else {
        try writeAll(file)
        lineCount = known.count
      }
      canBeAddedTo = true
    } catch {
      throw Failure(
        description: "Who may come in cannot be kept in '\(file)': \(error). Name another folder with --state-dir.")
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

  /// However many there are, one more is one line more.
  private func append(_ person: Person, to file: String) throws {
    let descriptor = try Self.open(file, O_APPEND)
    defer { close(descriptor) }
    let length = lseek(descriptor, 0, SEEK_END)
    guard ProcessIO.writeAll(try Self.line(person), to: descriptor) else {
      let failure = Self.systemFailure()
      // Half a line would be one with whatever comes next.
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
