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
  }

  /// Why nobody new is taken in.
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let file: String?
  private var known: [String: Person] = [:]
  private var keys: Set<String> = []

  /// Reads who was known to an earlier run.
  ///
  /// - Parameter file: where they are kept, for the server's own user alone; nil for nowhere.
  init(file: String?) {
    self.file = file
    guard let file, let data = FileManager.default.contents(atPath: file),
      let people = try? JSONDecoder().decode([Person].self, from: data)
    else { return }
    known = Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
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

  /// Takes in whoever has a key, which is void then.
  ///
  /// - Returns: nil where it is none, or was used.
  /// - Throws: ``Failure`` where they cannot be kept.
  func enter(with key: String) throws -> Person? {
    guard let found = keys.first(where: { Self.isSame($0, key) }) else { return nil }
    let person = try add()
    keys.remove(found)
    return person
  }

  /// Takes in somebody.
  ///
  /// - Throws: ``Failure`` where they cannot be kept.
  func add() throws -> Person {
    let person = Person(id: Self.secret(16), secret: Self.secret(32), formToken: Self.secret(32))
    known[person.id] = person
    try write()
    return person
  }

  /// Whose cookie it is; nil for nobody's.
  func person(cookie: String) -> Person? {
    let parts = cookie.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let person = known[String(parts[0])], Self.isSame(person.secret, String(parts[1])) else {
      return nil
    }
    return person
  }

  /// Compares without telling by the time it takes how much is the same.
  static func isSame(_ first: String, _ second: String) -> Bool {
    let (one, other) = (Array(first.utf8), Array(second.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private func write() throws {
    guard let file else { return }
    do {
      let data = try JSONEncoder().encode(known.values.sorted { $0.id < $1.id })
      let temporary = "\(file).new"
      unlink(temporary)
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw Failure(description: String(cString: strerror(errno))) }
      let isWritten = ProcessIO.writeAll(Array(data), to: descriptor)
      close(descriptor)
      guard isWritten, rename(temporary, file) == 0 else {
        throw Failure(description: String(cString: strerror(errno)))
      }
    } catch {
      throw Failure(
        description: "Who may come in cannot be kept in '\(file)': \(error). Name another folder with --state-dir.")
    }
  }
}
