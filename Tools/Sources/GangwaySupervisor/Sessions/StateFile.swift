import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// A file that stores a session between runs and that only its owner can read.
///
/// Each line is JSON with a checksum (``CheckedLine``). The first line is `{"kind":"gangway.session",…}` with the
/// number of entries. Each entry follows as `{"record":…}`, and each change as `{"change":…}`. A damaged line costs
/// only that line. An incomplete last line is ignored, because the process ended while writing it.
@_spi(FrontEnd) public struct StateFile: Sendable {
  /// The result of reading the file.
  public enum Content: Sendable {
    case nothing
    case checkpoint(Checkpoint)
    /// The file is partly usable; the text says what was left out, why, and where the original is kept.
    case partial(Checkpoint, String)
    /// The file is unusable; the text says why, and where the file is now.
    case setAside(String)
    /// Too many files are open; the file stays where it is.
    case notNow
  }

  /// The first line.
  private struct Header: Codable {
    var kind: String
    var format: Int
    var nextNode: NodeID
    /// The number of lines with entries that follow.
    var entries: Int
  }

  /// A line with an entry of the navigation tree.
  private struct EntryLine: Encodable { var record: Checkpoint.Record }

  /// A line with a change.
  struct ChangeLine: Encodable { var change: Checkpoint.Change }

  /// A line after the first.
  private struct StoredLine: Decodable {
    var record: Checkpoint.Record?
    var change: Checkpoint.Change?
  }

  private static let kind = "gangway.session"
  /// The largest file to read, in bytes.
  static let maximumSize = 64 << 20

  /// The path of the file.
  public let path: String

  /// Names a state file, which need not exist.
  public init(path: String) { self.path = path }

  /// The path of a copy from the start of this run.
  var previous: String { "\(path).previous" }

  // MARK: Reading

  /// Reads the file.
  ///
  /// A file that is damaged, of another program, or open to others is set aside, never deleted. The intact part of a
  /// partly damaged file is used.
  public func read() -> Content { read(settingAside: true) }

  /// Reads the file.
  ///
  /// - Parameter movesBad: whether to set an unusable file aside.
  package func read(settingAside movesBad: Bool) -> Content {
    func setAside(_ reason: String) -> Content { movesBad ? self.setAside(reason) : .setAside(reason) }
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == EMFILE || errno == ENFILE { return .notNow }
      return errno == ENOENT ? .nothing : setAside(Words.Unusable.notOpened(reason: String(cString: strerror(errno))))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return setAside(Words.Unusable.notRegular)
    }
    guard status.st_uid == geteuid() else {
      return setAside(Words.Unusable.foreign(owner: status.st_uid, user: geteuid()))
    }
    guard status.st_mode & 0o077 == 0 else {
      return setAside(Words.Unusable.open(mode: String(status.st_mode & 0o777, radix: 8)))
    }
    guard status.st_size <= Self.maximumSize else {
      return setAside(Words.Unusable.tooLarge(bytes: status.st_size, limit: Self.maximumSize))
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count == bytes.count else {
      return setAside(Words.Unusable.notRead(reason: String(cString: strerror(errno))))
    }
    return content(of: bytes, setAside)
  }

  private func content(of bytes: [UInt8], _ setAside: (String) -> Content) -> Content {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // The process ended while it wrote a last line without a line break. The line counts if only its break is missing
    // or damaged.
    if let last = lines.popLast(), !last.isEmpty {
      let whole = [last, last.dropLast()].first { (try? CheckedLine.decode(StoredLine.self, from: $0)) != nil }
      if let whole { lines.append(whole) }
    }
    guard let first = lines.first else { return setAside(Words.Unusable.incomplete) }
    var problems: [String] = []
    var header: Header?
    do {
      header = try CheckedLine.decode(Header.self, from: first)
    } catch {
      problems.append(Words.Unusable.lineUnreadable(1, reason: "\(error)"))
    }
    if let header {
      guard header.kind == Self.kind else { return setAside(Words.Unusable.otherKind(header.kind)) }
      guard header.format == Checkpoint.currentFormat else {
        return setAside("\(Checkpoint.Defect.format(found: header.format, known: Checkpoint.currentFormat))")
      }
    }
    let (records, changes) = Self.read(lines.dropFirst(), &problems)
    if header == nil, records.isEmpty { return setAside(Words.Unusable.notASession(problem: problems[0])) }
    if let header, records.count < header.entries {
      problems.append(Words.Unusable.entriesUnreadable(header.entries - records.count, of: header.entries))
    }
    var checkpoint = Checkpoint(
      nextNode: header?.nextNode ?? (records.map(\.id).max() ?? 0) + 1,
      records: Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { $1 }))
    do {
      try Self.repair(&checkpoint, &problems)
      for (number, change) in changes {
        if let defect = checkpoint.defect(of: change) {
          problems.append(Words.Unusable.lineMisfit(number, reason: "\(defect)"))
        } else {
          checkpoint.fold(change)
        }
      }
      guard checkpoint.records.count <= Checkpoint.maximumRecords else {
        throw Checkpoint.Defect.tooMany(checkpoint.records.count, limit: Checkpoint.maximumRecords)
      }
    } catch {
      return setAside("\(error)")
    }
    guard !problems.isEmpty else { return .checkpoint(checkpoint) }
    let more = problems.count > 3 ? Words.Unusable.more(problems.count - 3) : ""
    let what = problems.prefix(3).joined(separator: "; ") + more
    return .partial(checkpoint, Words.Stored.damaged(path, problems: what, copy: keepCopy(of: bytes)))
  }

  /// Reads the lines after the first.
  ///
  /// - Returns: the entries, and the changes with the numbers of their lines. A damaged line only adds a problem.
  private static func read(
    _ lines: ArraySlice<ArraySlice<UInt8>>, _ problems: inout [String]
  ) -> (records: [Checkpoint.Record], changes: [(number: Int, change: Checkpoint.Change)]) {
    var (records, changes) = ([Checkpoint.Record](), [(number: Int, change: Checkpoint.Change)]())
    for (index, line) in zip(lines.indices, lines) {
      do {
        var found: [StoredLine]
        do {
          found = [try CheckedLine.decode(StoredLine.self, from: line)]
        } catch {
          // The damage may be the line break between two lines.
          guard let parts = CheckedLine.split(line) else { throw error }
          found = parts.compactMap { try? CheckedLine.decode(StoredLine.self, from: $0) }
          problems.append(Words.Unusable.lineDamaged(index + 1, reason: "\(error)"))
        }
        for stored in found {
          if let record = stored.record { records.append(record) }
          if let change = stored.change { changes.append((index + 1, change)) }
        }
      } catch {
        problems.append(Words.Unusable.lineUnreadable(index + 1, reason: "\(error)"))
      }
    }
    return (records, changes)
  }

  /// Repairs the entries to a single tree: removes entries without a place, and replaces a missing root.
  ///
  /// - Throws: ``Checkpoint/Defect`` if no tree is left.
  private static func repair(_ checkpoint: inout Checkpoint, _ problems: inout [String]) throws {
    let count = checkpoint.records.count
    if count > Checkpoint.maximumRecords {
      throw Checkpoint.Defect.tooMany(count, limit: Checkpoint.maximumRecords)
    }
    do {
      try checkpoint.validate()
    } catch let defect as Checkpoint.Defect {
      let root = Checkpoint.rootNode
      if checkpoint.records[root] == nil, checkpoint.records.values.contains(where: { $0.parent == root }) {
        checkpoint.records[root] = Checkpoint.Record(id: root, parent: nil, position: 0, style: "root")
      }
      let left = checkpoint.droppingWhatHasNoPlace()
      guard (try? checkpoint.validate()) != nil, !checkpoint.records.isEmpty else { throw defect }
      problems.append(
        left == 0 ? "\(defect)" : Words.Unusable.entriesWithoutPlace(left, of: count, defect: "\(defect)"))
    }
  }

  /// Keeps a copy of the bytes under a free name.
  ///
  /// - Returns: a sentence with the name of the copy.
  private func keepCopy(of bytes: [UInt8]) -> String {
    for number in 1...999 {
      let name = "\(path).set-aside-\(number)"
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { break }
      defer { close(descriptor) }
      guard ProcessIO.writeAll(bytes, to: descriptor) else { break }
      return Words.Stored.copyKept(name)
    }
    return Words.Stored.copyNotKept(reason: String(cString: strerror(errno)))
  }

  // MARK: Writing

  /// Writes a new file beside this one, syncs it, and renames it over this one.
  ///
  /// - Throws: ``SupervisorFailure`` with the system's reason; the previous session is still stored.
  public func write(_ checkpoint: Checkpoint) throws {
    let new = try writeBeside(checkpoint)
    fsync(new.descriptor)
    close(new.descriptor)
    try putInPlace(new.path)
  }

  /// Writes the whole session to a new file beside this one.
  ///
  package func writeBeside(_ checkpoint: Checkpoint) throws -> SessionDisk.WholeFile {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    if !folder.isEmpty {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let bytes: [UInt8]
    do {
      let header = Header(
        kind: Self.kind, format: checkpoint.format, nextNode: checkpoint.nextNode, entries: checkpoint.records.count)
      bytes = try checkpoint.records.values.sorted { $0.id < $1.id }.reduce(into: CheckedLine.encode(header)) {
        $0 += try CheckedLine.encode(EntryLine(record: $1))
      }
    } catch {
      throw SupervisorFailure(Words.Stored.notEncoded(reason: "\(error)"))
    }
    let temporary = "\(path).\(getpid()).new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(Words.Stored.notCreated(temporary)) }
    guard ProcessIO.writeAll(bytes, to: descriptor) else {
      let error = failure(Words.Stored.notWritten(temporary))
      close(descriptor)
      unlink(temporary)
      throw error
    }
    return .init(descriptor: descriptor, path: temporary, size: bytes.count)
  }

  /// Replaces this file by a new one that was written beside it.
  func putInPlace(_ temporary: String) throws {
    guard rename(temporary, path) == 0 else {
      let error = failure(Words.Stored.notReplaced(path))
      unlink(temporary)
      throw error
    }
  }

  /// Keeps the current file under another name until the next start.
  func keepPrevious() {
    unlink(previous)
    link(path, previous)
  }

  /// Removes the unfinished files of runs that were killed; the caller must hold the session's lock.
  func removeLeftovers() {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let name = path.split(separator: "/").last.map(String.init) ?? path
    for other in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where other.hasPrefix(name + ".") && other.hasSuffix(".new") {
      if Int32(other.dropFirst(name.count + 1).dropLast(4)) != nil { unlink("\(folder)/\(other)") }
    }
  }

  /// Moves the file out of the way, to a free name.
  public func setAside(_ reason: String) -> Content {
    if let kind = RegularFile.other(path) {
      return .setAside(Words.Stored.notAFile(path, kind: kind))
    }
    if let name = moveAside() { return .setAside(Words.Stored.moved(path, to: name, reason: reason)) }
    let system = String(cString: strerror(errno))
    return .setAside(Words.Stored.notMoved(path, reason: reason, system: system))
  }

  /// Moves the file to a free name.
  ///
  /// - Returns: the name; nil if the file cannot be moved, with the reason in `errno`.
  func moveAside() -> String? {
    // Only regular files are moved, because a device or a folder may belong to another program.
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

  /// Deletes the session, unless an app has it open; files that were set aside stay.
  func remove() {
    guard case .taken(let lock) = SessionLock.take(path) else { return }
    withExtendedLifetime(lock) {
      for file in [path, previous, KeptSession(of: path).copy, "\(path).lock"] { unlink(file) }
    }
  }

  static func notNow(_ path: String) -> SupervisorFailure {
    SupervisorFailure(Words.Stored.notNow(path))
  }

  func failure(_ what: String) -> SupervisorFailure {
    SupervisorFailure(Words.Stored.notStored(what, reason: String(cString: strerror(errno))))
  }
}

extension Checkpoint {
  /// Keeps only the records that are connected to the root.
  ///
  /// - Returns: the number of removed records.
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
