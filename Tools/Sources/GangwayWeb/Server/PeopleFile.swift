import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// Users in a file with one line of JSON for each user, private to the server's own user.
///
/// A changed user gets another line, and the last line counts. Keys are in memory: a restart of the server voids them.
final class PeopleFile: PeopleStorage {
  /// The operations by which the list reaches the disk. Tests replace them.
  struct Disk {
    /// Reads the start of an open file; returns the number of read bytes, or -1 with the reason in `errno`.
    var read: (Int32, UnsafeMutableRawBufferPointer) -> Int = { pread($0, $1.baseAddress, $1.count, 0) }
    /// Writes bytes to an open file; returns whether all bytes were written. If not, `errno` has the reason.
    var write: ([UInt8], Int32) -> Bool = { ProcessIO.writeAll($0, to: $1) }
  }

  private let path: String?
  private let disk: Disk
  /// Whether the users of earlier runs are in ``stored``.
  private var isRead = false
  private var stored: [String: People.Person] = [:]
  /// Whether the file ends with a complete line.
  private var canBeAddedTo = false
  /// The number of lines in the file, including outdated lines of renewed users and lines of forgotten users.
  private var lineCount = 0
  private var keys: [String: Admission] = [:]

  /// Creates the storage; ``people()`` reads the file.
  ///
  /// - Parameter path: the file, which need not exist; nil to store users in memory only.
  init(path: String?, disk: Disk = Disk()) { (self.path, self.disk) = (path, disk) }

  // MARK: Users

  func people() throws(People.Failure) -> [People.Person] {
    try readOnce()
    return Array(stored.values)
  }

  func store(_ person: People.Person) throws(People.Failure) {
    try readOnce()
    let earlier = stored.updateValue(person, forKey: person.id)
    guard let path else { return }
    do {
      // Rewrite a file that has many more lines than users.
      if canBeAddedTo, lineCount < 2 * max(stored.count, 500), access(path, F_OK) == 0 {
        try append(person, to: path)
        lineCount += 1
      } else {
        try writeAll(path)
        lineCount = stored.count
      }
      canBeAddedTo = true
    } catch {
      stored[person.id] = earlier
      throw People.Failure(description: Words.Operator.listNotStored(path, reason: error.reason))
    }
  }

  /// Removes users from memory. The file loses their lines when it is rewritten.
  func remove(_ ids: Set<String>) { for id in ids { stored[id] = nil } }

  // MARK: Keys

  func add(_ key: String, for admission: Admission) { keys[key] = admission }

  func admission(by key: String) -> Admission? { found(key)?.value }

  func take(_ key: String) -> Admission? { found(key).flatMap { keys.removeValue(forKey: $0.key) } }

  private func found(_ key: String) -> (key: String, value: Admission)? {
    keys.first { People.isSame($0.key, key) }
  }

  // MARK: Reading

  private func readOnce() throws(People.Failure) {
    guard !isRead else { return }
    if let path, access(path, F_OK) == 0 {
      let people: [People.Person]
      do {
        (people, canBeAddedTo) = try read(path)
      } catch {
        throw People.Failure(description: Words.Operator.listUnusable(path, reason: "\(error)"))
      }
      // A changed user has more than one line; the last line counts.
      stored = Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      lineCount = people.count
    }
    isRead = true
  }

  /// Reads the users in a file, one per line.
  ///
  /// - Returns: the users, and whether lines can be added: not after an incomplete line, which a crash of the machine
  ///   leaves.
  private func read(_ path: String) throws -> (people: [People.Person], canBeAddedTo: Bool) {
    let bytes = try privateContent(of: path)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let isWhole = bytes.isEmpty || bytes.last == UInt8(ascii: "\n")
    let people = try lines.indices.compactMap { index -> People.Person? in
      do {
        return try Line.decode(People.Person.self, from: lines[index])
      } catch {
        // The first line is never incomplete, because the file is created in one piece.
        guard !isWhole, index > 0, index == lines.count - 1 else { throw error }
        return nil
      }
    }
    return (people, isWhole)
  }

  /// Reads the file, which must be private: another user who can write to it can add a user.
  private func privateContent(of path: String) throws -> Data {
    let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ELOOP ? People.Failure(description: Words.Operator.listIsLink) : Self.systemFailure()
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.systemFailure() }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw People.Failure(description: Words.Operator.listIsNotRegular)
    }
    guard status.st_uid == geteuid() else {
      throw People.Failure(description: Words.Operator.listIsForeign(owner: status.st_uid, user: geteuid()))
    }
    let mode = status.st_mode & 0o777
    guard mode & 0o077 == 0 else {
      throw People.Failure(description: Words.Operator.listIsOpen(mode: String(mode, radix: 8)))
    }
    var bytes = Data(count: Int(status.st_size))
    let count = bytes.withUnsafeMutableBytes { disk.read(descriptor, $0) }
    guard count >= 0 else { throw Self.systemFailure() }
    // Half of the list would be written over the whole one.
    guard count == bytes.count else {
      throw People.Failure(description: Words.Operator.listIsCutOff(count, of: bytes.count))
    }
    return bytes
  }

  // MARK: Writing

  private static func open(_ path: String, _ flags: Int32) throws -> Int32 {
    let descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
    guard descriptor >= 0 else { throw systemFailure() }
    return descriptor
  }

  private static func systemFailure() -> People.Failure {
    People.Failure(description: String(cString: strerror(errno)))
  }

  private static func line(_ person: People.Person) throws -> [UInt8] {
    try JSONEncoder().encode(person) + [UInt8(ascii: "\n")]
  }

  /// Adds one line instead of writing all users again.
  private func append(_ person: People.Person, to path: String) throws {
    let descriptor = try Self.open(path, O_APPEND)
    defer { close(descriptor) }
    let length = lseek(descriptor, 0, SEEK_END)
    guard disk.write(try Self.line(person), descriptor) else {
      let failure = Self.systemFailure()
      // Half a line would merge with the next line.
      if ftruncate(descriptor, length) != 0 { canBeAddedTo = false }
      throw failure
    }
  }

  private func writeAll(_ path: String) throws {
    let temporary = "\(path).new"
    unlink(temporary)
    let descriptor = try Self.open(temporary, O_CREAT | O_EXCL)
    let data = try stored.values.sorted { $0.id < $1.id }.flatMap(Self.line)
    let isWritten = disk.write(data, descriptor)
    close(descriptor)
    guard isWritten, rename(temporary, path) == 0 else { throw Self.systemFailure() }
  }
}
