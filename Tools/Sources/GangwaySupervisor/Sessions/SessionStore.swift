import GangwayClient
import GangwayProtocol
import Glibc

/// Keeps one session in a file, which no other app uses meanwhile.
///
/// What is shown is on file: each change is a line at the file's end, written before front ends hear of it. Now and then, and
/// at the end, the file is written anew as a whole.
@MainActor final class SessionStore {
  /// What was found where a session is to be kept.
  struct Opening {
    /// nil where nothing can be kept there.
    var store: SessionStore?
    var checkpoint: Checkpoint?
    var notice: String?
  }

  /// How long a line may take before the whole is written from another thread instead, until that is quick again: a disk that
  /// takes its time must not hold up the person's keys.
  var patience: Duration = .milliseconds(100)
  /// How many bytes of changes there may be, at the least, before the file is written anew.
  private static let minimumJournal = 256 << 10

  let file: StateFile
  private let lock: SessionLock?
  /// Where lines go; nil before the first, and where the last could not be written.
  private var descriptor: Int32?
  /// How large the file's first line, and what follows it, are.
  private var (wholeSize, journalSize) = (0, 0)
  /// Whether a line took too long: the whole is written instead, from another thread.
  private var isSlow = false
  /// Whether something is not on file, and comes there with the whole.
  private var needsWhole = false
  /// Lines since the whole was given to a thread; nil where none has been, or where it is not wanted any more.
  private var since: [[UInt8]]?
  private var writing: Task<Void, Never>?
  private var isFinished = false
  private var lastFailure: String?
  /// How many bytes a copy of a session may take from which a host removed everything.
  var roomForCopy: () -> Int = { KeptSession.maximumSize }
  /// Called with why something was not stored.
  var didFail: (String) -> Void = { _ in }
  /// What the session is now; nil where nobody has it any more.
  var current: () -> Checkpoint? = { nil }

  /// Writes the whole to a new file: its descriptor, its path and its size.
  var write: @Sendable (StateFile, Checkpoint) throws -> (descriptor: Int32, path: String, size: Int) = {
    try $0.writeBeside($1)
  }

  private init(_ file: StateFile, _ lock: SessionLock?) {
    self.file = file
    self.lock = lock
  }

  isolated deinit { descriptor.map { _ = close($0) } }

  /// Opens a file, which need not exist.
  ///
  /// - Parameter isFresh: whether what is there is set aside.
  /// - Throws: ``SupervisorFailure`` where the system lets no more files be opened now; the session stays as it is.
  static func open(_ path: String, isFresh: Bool) throws(SupervisorFailure) -> Opening {
    var opening = Opening()
    // Before there is a lock beside it.
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
      let other = process.map { " (process \($0))" } ?? ""
      opening.notice =
        "The stored session '\(path)' is in use by another app\(other). This one begins a session of its own, which is "
        + "not stored: close the other first, or name another file with --state."
      return opening
    }
    let file = StateFile(path: path)
    opening.store = SessionStore(file, lock)
    if lock != nil { file.removeLeftovers() }
    switch isFresh && access(path, F_OK) == 0 ? file.setAside("a fresh one was asked for") : file.read() {
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
      // What could be neither read nor moved is somebody else's: it is not written over.
      if access(path, F_OK) == 0 { opening.store = nil }
    }
    return opening
  }

  /// Stores a change.
  func note(_ change: Checkpoint.Change, of checkpoint: Checkpoint) {
    guard !isSlow, !needsWhole, descriptor != nil,
      let line = try? CheckedLine.encode(StateFile.ChangeLine(change: change))
    else {
      needsWhole = true
      // The first is on file before anybody hears of it; nothing else writes then.
      if descriptor == nil, writing == nil, !isSlow { writeWhole(checkpoint) } else { schedule() }
      return
    }
    append(line)
    if journalSize > max(Self.minimumJournal, 4 * wholeSize) { schedule() }
  }

  /// Keeps a copy of a session from which a host removes everything that was open.
  ///
  /// - Returns: whether there is one.
  func keepCopy(of checkpoint: Checkpoint) -> Bool {
    KeptSession(of: file.path).keep(checkpoint, room: roomForCopy())
  }

  private func append(_ line: [UInt8]) {
    guard let descriptor else { return }
    let start = ContinuousClock.now
    guard ProcessIO.writeAll(line, to: descriptor) else {
      // Half a line would take the place of the next one.
      ftruncate(descriptor, off_t(wholeSize + journalSize))
      fail("\(file.failure("'\(file.path)' cannot be written"))")
      forget()
      needsWhole = true
      return schedule()
    }
    since?.append(line)
    journalSize += line.count
    if ContinuousClock.now - start > patience { isSlow = true }
    lastFailure = nil
  }

  private func fail(_ text: String) {
    if lastFailure != text { didFail(text) }
    lastFailure = text
  }

  private func forget() {
    descriptor.map { _ = close($0) }
    descriptor = nil
  }

  /// Begins the file anew: the one there was stays as it is, under another name.
  private func writeWhole(_ checkpoint: Checkpoint) {
    let start = ContinuousClock.now
    do {
      let (descriptor, temporary, size) = try write(file, checkpoint)
      do {
        try file.putInPlace(temporary)
      } catch {
        close(descriptor)
        throw error
      }
      use(descriptor, size)
      needsWhole = false
      lastFailure = nil
    } catch {
      fail("\(error)")
      schedule()
    }
    if ContinuousClock.now - start > patience { isSlow = true }
  }

  private func use(_ descriptor: Int32, _ size: Int) {
    forget()
    self.descriptor = descriptor
    (wholeSize, journalSize) = (size, 0)
  }

  /// Puts what is stored out of the way.
  ///
  /// - Returns: what to tell the person.
  func setAside(_ reason: String) -> String? {
    forget()
    // What is being written is what is set aside.
    since = nil
    if case .setAside(let notice) = file.setAside(reason) { return notice }
    return nil
  }

  /// Has the whole written soon.
  private func schedule() {
    guard writing == nil else { return }
    writing = Task {
      try? await Task.sleep(for: .milliseconds(500))
      await writeInBackground()
      writing = nil
      if needsWhole, !isFinished { schedule() }
    }
  }

  /// Writes the whole on another thread; lines that come meanwhile go to the old file, and to the end of the new one before
  /// it takes the old one's place.
  private func writeInBackground() async {
    guard let snapshot = current() else { return }
    needsWhole = false
    since = []
    defer { since = nil }
    let (file, write) = (file, write)
    let start = ContinuousClock.now
    let result = await Task.detached { () -> Result<(Int32, String, Int), SupervisorFailure> in
      do {
        let (descriptor, temporary, size) = try write(file, snapshot)
        fsync(descriptor)
        return .success((descriptor, temporary, size))
      } catch {
        return .failure(error as? SupervisorFailure ?? SupervisorFailure("\(error)"))
      }
    }.value
    do {
      let (descriptor, temporary, size) = try result.get()
      guard let lines = since?.flatMap(\.self) else {
        close(descriptor)
        unlink(temporary)
        return
      }
      guard ProcessIO.writeAll(lines, to: descriptor) else {
        let error = file.failure("'\(temporary)' cannot be written")
        close(descriptor)
        unlink(temporary)
        throw error
      }
      try file.putInPlace(temporary)
      use(descriptor, size)
      journalSize = lines.count
      isSlow = ContinuousClock.now - start > patience * 5
      lastFailure = nil
    } catch {
      needsWhole = true
      fail("\(error)")
    }
  }

  /// Writes what is not stored yet, after a write that is under way, and the whole where there are lines.
  func finish(_ checkpoint: Checkpoint) async {
    isFinished = true
    // Ends the wait before the write, not the write.
    writing?.cancel()
    await writing?.value
    guard needsWhole || journalSize > 0 else { return }
    current = { checkpoint }
    await writeInBackground()
    forget()
  }
}
