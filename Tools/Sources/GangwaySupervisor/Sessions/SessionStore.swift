@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// Stores one session in a file that no other app uses at the same time.
///
/// Every change that a front end shows is already in the file: a change is appended as a line before front ends learn
/// of it. The whole file is rewritten from time to time, and at the end.
@MainActor final class SessionStore: StoredSession {
  /// The longest time that appending a line may take.
  ///
  /// After a slower write, a background thread rewrites the whole file until writing is fast again. A slow disk must
  /// not delay the user's input.
  var patience: Duration = .milliseconds(100)
  /// The least size of the appended changes, in bytes, at which the file is rewritten.
  private static let minimumJournal = 256 << 10

  let file: StateFile
  private let lock: SessionLock?
  /// The descriptor for appending lines; nil before the first write and after a failed one.
  private var descriptor: Int32?
  /// The size of the first line and of the lines after it, in bytes.
  private var (wholeSize, journalSize) = (0, 0)
  /// Whether appending was too slow, so that a background thread rewrites the file instead.
  private var isSlow = false
  /// Whether a change is missing in the file, and only a rewrite can store it.
  private var needsWhole = false
  private(set) var isBehind = false
  /// The lines appended since a background rewrite began; nil if there is none, or its result is not wanted any more.
  private var since: [[UInt8]]?
  private var writing: Task<Void, Never>?
  private var isFinished = false
  private var lastFailure: String?
  var didFail: (String) -> Void = { _ in }
  var didCatchUp: (Bool) -> Void = { _ in }
  var current: () -> Checkpoint? = { nil }

  var disk: SessionDisk

  private init(_ file: StateFile, _ lock: SessionLock?, _ disk: SessionDisk) {
    (self.file, self.lock, self.disk) = (file, lock, disk)
  }

  isolated deinit { descriptor.map { _ = close($0) } }

  /// Opens a file, which need not exist.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - isFresh: whether to set an existing session aside.
  ///   - disk: the operations that store the session.
  /// - Throws: ``SupervisorFailure`` if too many files are open; the session stays as it is.
  static func open(
    _ path: String, isFresh: Bool, _ disk: SessionDisk = SessionDisk()
  ) throws(SupervisorFailure) -> OpenedSession {
    var opening = OpenedSession()
    // Check before a lock file is created beside it.
    if RegularFile.other(path) != nil {
      if case .setAside(let notice) = StateFile(path: path).setAside("") { opening.notice = notice }
      return opening
    }
    var lock: SessionLock?
    switch SessionLock.take(path) {
    case .taken(let taken): lock = taken
    case .impossible: break
    case .notNow: throw StateFile.notNow(path)
    case .inUse(let process):
      opening.notice = Words.Stored.inUse(path, process: process)
      return opening
    }
    let file = StateFile(path: path)
    opening.store = SessionStore(file, lock, disk)
    if lock != nil { file.removeLeftovers() }
    switch isFresh && access(path, F_OK) == 0 ? file.setAside(Words.Unusable.newRequested) : file.read() {
    case .nothing: break
    case .checkpoint(let stored):
      opening.checkpoint = stored
      file.keepPrevious()
    case .partial(let stored, let notice):
      opening.checkpoint = stored
      opening.notice = notice
    case .notNow: throw StateFile.notNow(path)
    case .setAside(let notice):
      opening.notice = notice
      // A file that could be neither read nor moved may belong to another user, so it is not overwritten.
      if access(path, F_OK) == 0 { opening.store = nil }
    }
    return opening
  }

  func note(_ change: Checkpoint.Change, of checkpoint: Checkpoint) {
    guard !isSlow, !needsWhole, descriptor != nil,
      let line = try? CheckedLine.encode(StateFile.ChangeLine(change: change))
    else {
      needsWhole = true
      // The first change is written before front ends learn of it; no other write is active then.
      if descriptor == nil, writing == nil, !isSlow { return writeWhole(checkpoint) }
      isBehind = true
      return schedule()
    }
    append(line)
    if journalSize > max(Self.minimumJournal, 4 * wholeSize) { schedule() }
  }

  func keepCopy(of checkpoint: Checkpoint) -> Bool {
    KeptSession(of: file.path).keep(checkpoint, room: disk.roomForCopy())
  }

  private func append(_ line: [UInt8]) {
    guard let descriptor else { return }
    let start = disk.clock.now
    guard disk.append(line, descriptor) else {
      // An incomplete line would corrupt the next one.
      ftruncate(descriptor, off_t(wholeSize + journalSize))
      fail("\(file.failure("'\(file.path)' could not be written"))")
      forget()
      (needsWhole, isBehind) = (true, true)
      return schedule()
    }
    since?.append(line)
    journalSize += line.count
    if disk.clock.now - start > patience { isSlow = true }
  }

  /// Notes that all changes are in the file.
  private func noteStored() {
    guard isBehind else { return }
    isBehind = false
    let isAfterFailure = lastFailure != nil
    lastFailure = nil
    didCatchUp(isAfterFailure)
  }

  private func fail(_ text: String) {
    if lastFailure != text { didFail(text) }
    lastFailure = text
  }

  private func forget() {
    descriptor.map { _ = close($0) }
    descriptor = nil
  }

  /// Replaces the file by a new one with the whole session.
  private func writeWhole(_ checkpoint: Checkpoint) {
    let start = disk.clock.now
    do {
      let new = try disk.write(file, checkpoint)
      do {
        try file.putInPlace(new.path)
      } catch {
        close(new.descriptor)
        throw error
      }
      use(new)
      needsWhole = false
      noteStored()
    } catch {
      isBehind = true
      fail("\(error)")
      schedule()
    }
    if disk.clock.now - start > patience { isSlow = true }
  }

  private func use(_ new: SessionDisk.WholeFile) {
    forget()
    descriptor = new.descriptor
    (wholeSize, journalSize) = (new.size, 0)
  }

  func setAside(_ reason: String) -> String? {
    forget()
    // A rewrite in progress contains the session that is set aside, so drop its result.
    since = nil
    if case .setAside(let notice) = file.setAside(reason) { return notice }
    return nil
  }

  /// Schedules a rewrite.
  private func schedule() {
    guard writing == nil else { return }
    writing = Task {
      try? await disk.clock.sleep(for: .milliseconds(500))
      await writeInBackground()
      writing = nil
      if needsWhole, !isFinished { schedule() }
    }
  }

  /// Rewrites the file on another thread.
  ///
  /// Meanwhile, new lines go to the old file. They are also appended to the new file before it replaces the old one.
  private func writeInBackground() async {
    guard let snapshot = current() else { return }
    needsWhole = false
    since = []
    defer { since = nil }
    let (file, write) = (file, disk.write)
    let start = disk.clock.now
    let result = await disk.inBackground {
      do {
        let new = try write(file, snapshot)
        fsync(new.descriptor)
        return .success(new)
      } catch {
        return .failure(error as? SupervisorFailure ?? SupervisorFailure("\(error)"))
      }
    }
    do {
      let new = try result.get()
      guard let lines = since?.flatMap(\.self) else {
        close(new.descriptor)
        unlink(new.path)
        return
      }
      guard disk.append(lines, new.descriptor) else {
        let error = file.failure(Words.Stored.notWritten(new.path))
        close(new.descriptor)
        unlink(new.path)
        throw error
      }
      do {
        try file.putInPlace(new.path)
      } catch {
        close(new.descriptor)
        throw error
      }
      use(new)
      journalSize = lines.count
      isSlow = disk.clock.now - start > patience * 5
      if !needsWhole { noteStored() }
    } catch {
      needsWhole = true
      fail("\(error)")
    }
  }

  /// Writes all unstored changes after a rewrite in progress, and rewrites the file if it has appended lines.
  @discardableResult func finish(_ checkpoint: Checkpoint) async -> Bool {
    isFinished = true
    // Another call may be writing, and then this one starts when it is done.
    while let writing {
      // This cancels the delay before the rewrite, but not the rewrite.
      writing.cancel()
      await writing.value
    }
    guard needsWhole || journalSize > 0 else { return true }
    current = { checkpoint }
    let last = Task {
      await writeInBackground()
      // Another call may begin as soon as this task ends, so the result is found before.
      let isStored = !needsWhole || !isBehind
      if !needsWhole { forget() }
      writing = nil
      return isStored
    }
    writing = Task { _ = await last.value }
    return await last.value
  }

  func goOn() {
    isFinished = false
    if needsWhole { schedule() }
  }
}
