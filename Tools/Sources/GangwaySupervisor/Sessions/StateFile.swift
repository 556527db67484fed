import FoundationEssentials
import GangwayClient
import GangwayProtocol
import Glibc

/// The session as kept between runs: a file that only its owner can read.
///
/// Its first line is a JSON object with the whole checkpoint, `{"kind":"gangway.session","checkpoint":…}`; each line after it
/// is one change, `{"change":…}`. It counts up to the last whole line: what came after that was being written when the process
/// ended.
public struct StateFile: Sendable {
  /// What was found on opening.
  public enum Content: Sendable {
    case nothing
    case checkpoint(Checkpoint)
    /// It could be used in part: what was left out, why, and where the file is kept as it was.
    case partial(Checkpoint, String)
    /// It could not be used: why, and where it was put.
    case setAside(String)
    /// The system lets no more files be opened now; it stays where it is.
    case notNow
  }

  private struct Envelope: Encodable {
    var kind: String
    var checkpoint: Checkpoint
  }

  /// An envelope that may have records in it that are none.
  private struct StoredEnvelope: Decodable {
    struct Stored: Decodable {
      var format: Int
      var nextNode: NodeID
      var records: [Lossy]
    }
    /// A record, or nothing where there is none.
    struct Lossy: Decodable {
      let record: Checkpoint.Record?
      init(from decoder: any Decoder) { record = try? Checkpoint.Record(from: decoder) }
    }
    var kind: String
    var checkpoint: Stored
  }

  /// One of the lines after the first.
  struct ChangeLine: Codable {
    var change: Checkpoint.Change
  }

  private static let kind = "gangway.session"
  /// The largest file that is read, in bytes.
  static let maximumSize = 64 << 20

  /// Where it is.
  public let path: String

  /// Names a state file, which need not exist.
  public init(path: String) { self.path = path }

  /// Where the file is kept as it was when this run began.
  var previous: String { "\(path).previous" }

  // MARK: Reading

  /// Reads the file. One that is damaged, of another program, or open to others is set aside, never deleted; of one that is
  /// damaged in part the rest is taken.
  public func read() -> Content { read(settingAside: true) }

  /// Reads the file.
  ///
  /// - Parameter movesBad: whether one that cannot be used is moved out of the way.
  func read(settingAside movesBad: Bool) -> Content {
    func setAside(_ reason: String) -> Content { movesBad ? self.setAside(reason) : .setAside(reason) }
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == EMFILE || errno == ENFILE { return .notNow }
      return errno == ENOENT ? .nothing : setAside("it cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return setAside("it is no regular file")
    }
    guard status.st_uid == geteuid() else {
      return setAside("it belongs to user \(status.st_uid), and this is user \(geteuid())")
    }
    guard status.st_mode & 0o077 == 0 else {
      return setAside("others can read or write it (mode \(String(status.st_mode & 0o777, radix: 8)), not 600)")
    }
    guard status.st_size <= Self.maximumSize else {
      return setAside("it has \(status.st_size) bytes, and at most \(Self.maximumSize) are read")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count == bytes.count else { return setAside("it cannot be read: \(String(cString: strerror(errno)))") }
    return content(of: bytes, setAside)
  }

  private func content(of bytes: [UInt8], _ setAside: (String) -> Content) -> Content {
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    var problems: [String] = []
    var checkpoint: Checkpoint
    do {
      checkpoint = try first(bytes[..<end], &problems)
    } catch let failure as HostMessage.Failure {
      return setAside("it is no stored session: \(failure.message)")
    } catch {
      return setAside("\(error)")
    }
    if let problem = fold(bytes[min(end + 1, bytes.count)...], into: &checkpoint) { problems.append(problem) }
    guard checkpoint.records.count <= Checkpoint.maximumRecords else {
      let defect = Checkpoint.Defect.tooMany(checkpoint.records.count, limit: Checkpoint.maximumRecords)
      return setAside("\(defect)")
    }
    guard !problems.isEmpty else { return .checkpoint(checkpoint) }
    let what = problems.joined(separator: "; ")
    return .partial(
      checkpoint, "The stored session '\(path)' is damaged, and goes on without that: \(what). \(keepCopy(of: bytes))")
  }

  /// The checkpoint of the first line, without what is damaged in it.
  private func first(_ line: ArraySlice<UInt8>, _ problems: inout [String]) throws -> Checkpoint {
    let envelope = try Line.decode(StoredEnvelope.self, from: line)
    guard envelope.kind == Self.kind else { throw SupervisorFailure("it is of another kind: '\(envelope.kind)'") }
    let stored = envelope.checkpoint
    let records = stored.records.compactMap(\.record)
    var checkpoint = Checkpoint(
      nextNode: stored.nextNode, records: Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { $1 }))
    checkpoint.format = stored.format
    if records.count < stored.records.count {
      problems.append("\(stored.records.count - records.count) of \(stored.records.count) entries cannot be read")
    }
    // Too much is no damage to be mended.
    if records.count > Checkpoint.maximumRecords {
      throw Checkpoint.Defect.tooMany(records.count, limit: Checkpoint.maximumRecords)
    }
    do {
      try checkpoint.validate()
    } catch let defect as Checkpoint.Defect {
      let left = checkpoint.droppingWhatHasNoPlace()
      guard (try? checkpoint.validate()) != nil, !checkpoint.records.isEmpty else { throw defect }
      problems.append(left == 0 ? "\(defect)" : "\(defect), so \(left) of \(records.count) entries have no place")
    }
    return checkpoint
  }

  /// Takes in the lines after the first, up to the last whole one.
  ///
  /// - Returns: what is wrong with one before that; nothing after it counts.
  private func fold(_ bytes: ArraySlice<UInt8>, into checkpoint: inout Checkpoint) -> String? {
    guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
    for (index, line) in bytes[..<last].split(separator: UInt8(ascii: "\n")).enumerated() {
      do {
        let change = try Line.decode(ChangeLine.self, from: line).change
        if let defect = checkpoint.defect(of: change) { throw defect }
        checkpoint.fold(change)
      } catch {
        return "from line \(index + 2) on it cannot be read: \(error)"
      }
    }
    return nil
  }

  /// Keeps what was found, under a name that is free.
  ///
  /// - Returns: where, as a sentence.
  private func keepCopy(of bytes: [UInt8]) -> String {
    for number in 1...999 {
      let name = "\(path).set-aside-\(number)"
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { break }
      defer { close(descriptor) }
      guard ProcessIO.writeAll(bytes, to: descriptor) else { break }
      return "The file as it was is kept as '\(name)'."
    }
    return "The file as it was could not be kept: \(String(cString: strerror(errno)))."
  }

  // MARK: Writing

  /// Writes the file: to a new one beside it, synced, then renamed over it.
  ///
  /// - Throws: ``SupervisorFailure`` with the system's reason; what was stored before is still there.
  public func write(_ checkpoint: Checkpoint) throws {
    let (descriptor, temporary, _) = try writeBeside(checkpoint)
    fsync(descriptor)
    close(descriptor)
    try putInPlace(temporary)
  }

  /// Writes the whole session to a new file beside this one.
  ///
  /// - Returns: its descriptor, open for more lines, its path and its size.
  func writeBeside(_ checkpoint: Checkpoint) throws -> (descriptor: Int32, path: String, size: Int) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    if !folder.isEmpty {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let bytes: [UInt8]
    do {
      bytes = try Line.encode(Envelope(kind: Self.kind, checkpoint: checkpoint))
    } catch {
      throw SupervisorFailure("The session cannot be stored: \(error).")
    }
    let temporary = "\(path).\(getpid()).new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("'\(temporary)' cannot be made") }
    guard ProcessIO.writeAll(bytes, to: descriptor) else {
      let error = failure("'\(temporary)' cannot be written")
      close(descriptor)
      unlink(temporary)
      throw error
    }
    return (descriptor, temporary, bytes.count)
  }

  /// Puts a file that was written beside this one in its place.
  func putInPlace(_ temporary: String) throws {
    guard rename(temporary, path) == 0 else {
      let error = failure("'\(path)' cannot be replaced")
      unlink(temporary)
      throw error
    }
  }

  /// Keeps the file as it is now until the next start, under another name.
  func keepPrevious() {
    unlink(previous)
    link(path, previous)
  }

  /// Removes what runs that were killed have left beside the file. Whoever calls it has the session for itself.
  func removeLeftovers() {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let name = path.split(separator: "/").last.map(String.init) ?? path
    for other in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where other.hasPrefix(name + ".") && other.hasSuffix(".new") {
      if Int32(other.dropFirst(name.count + 1).dropLast(4)) != nil { unlink("\(folder)/\(other)") }
    }
  }

  /// Puts the file out of the way, under a name that is free.
  public func setAside(_ reason: String) -> Content {
    if let kind = RegularFile.other(path) {
      return .setAside(
        "The stored session '\(path)' cannot be used: it is no regular file but \(kind), and is left as it is. A fresh one "
          + "begins, and is not stored there.")
    }
    if let name = moveAside() {
      return .setAside("The stored session '\(path)' was set aside as '\(name)': \(reason). A fresh one begins.")
    }
    return .setAside(
      "The stored session '\(path)' cannot be used: \(reason); and it cannot be moved: "
        + "\(String(cString: strerror(errno))). A fresh one begins, and is not stored there.")
  }

  /// Moves the file to a name that is free.
  ///
  /// - Returns: the name; nil where it cannot be moved, and `errno` says why.
  func moveAside() -> String? {
    // Nothing but a file of a session is moved: a device or a folder is not this program's to take away.
    guard RegularFile.other(path) == nil else {
      errno = EINVAL
      return nil
    }
    for number in 1...999 {
      let name = "\(path).set-aside-\(number)"
      guard access(name, F_OK) != 0 else { continue }
      return rename(path, name) == 0 ? name : nil
    }
    return nil
  }

  /// Forgets the session, unless an app has it open. What was set aside of it stays.
  func remove() {
    guard case .taken(let lock) = SessionLock.take(path) else { return }
    withExtendedLifetime(lock) {
      for file in [path, previous, KeptSession(of: path).copy, "\(path).lock"] { unlink(file) }
    }
  }

  static func notNow(_ path: String) -> SupervisorFailure {
    SupervisorFailure(
      "The session '\(path)' cannot be opened now: too many files are open. It is kept. Raise the limit of open files.")
  }

  func failure(_ what: String) -> SupervisorFailure {
    SupervisorFailure(
      "The session was not stored: \(what): \(String(cString: strerror(errno))). What was stored before is kept.")
  }
}

extension Checkpoint {
  /// Keeps what hangs together with the root.
  ///
  /// - Returns: how many records have no place.
  fileprivate mutating func droppingWhatHasNoPlace() -> Int {
    let before = records.count
    var kept: [NodeID: Record] = [:]
    let children = Dictionary(grouping: records.values.filter { $0.parent != nil }, by: { $0.parent ?? 0 })
    var open = records[Self.rootNode].map { [($0, 0)] } ?? []
    if let root = open.first?.0, root.parent != nil { open = [] }
    while let (record, depth) = open.popLast() {
      guard kept.updateValue(record, forKey: record.id) == nil else { continue }
      guard depth < Self.maximumDepth else { continue }
      for child in children[record.id] ?? [] where (1...Self.maximumNode).contains(child.id) {
        open.append((child, depth + 1))
      }
    }
    records = kept
    if !(1...Self.maximumNode + 1).contains(nextNode) { nextNode = (kept.keys.max() ?? 0) + 1 }
    return before - kept.count
  }
}
