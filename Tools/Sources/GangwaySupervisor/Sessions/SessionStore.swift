import GangwayProtocol
import Glibc

/// Keeps one session in a file, which no other app uses meanwhile.
@MainActor final class SessionStore {
  /// What was found where a session is to be kept.
  struct Opening {
    /// nil where nothing can be kept there.
    var store: SessionStore?
    var checkpoint: Checkpoint?
    var notice: String?
  }

  private let file: StateFile
  private let lock: SessionLock?
  /// What is to be written.
  private var latest: Checkpoint?
  /// The write that is coming or under way.
  private var writing: Task<Void, Never>?
  private var isFinished = false
  /// Called with why something was not stored.
  var didFail: (String) -> Void = { _ in }

  private init(_ file: StateFile, _ lock: SessionLock?) {
    self.file = file
    self.lock = lock
  }

  /// Opens a file, which need not exist.
  ///
  /// - Parameter isFresh: whether what is there is set aside.
  static func open(_ path: String, isFresh: Bool) -> Opening {
    var opening = Opening()
    var lock: SessionLock?
    switch SessionLock.take(path) {
    case .taken(let taken): lock = taken
    case .impossible: break
    case .inUse(let process):
      let other = process.map { " (process \($0))" } ?? ""
      opening.notice =
        "The stored session '\(path)' is in use by another app\(other). This one begins a session of its own, which is "
        + "not stored: close the other first, or name another file with --state."
      return opening
    }
    let file = StateFile(path: path)
    opening.store = SessionStore(file, lock)
    switch isFresh && access(path, F_OK) == 0 ? file.setAside("a fresh one was asked for") : file.read() {
    case .nothing: break
    case .checkpoint(let stored): opening.checkpoint = stored
    case .setAside(let notice):
      opening.notice = notice
      // What could be neither read nor moved is somebody else's: it is not written over.
      if access(path, F_OK) == 0 { opening.store = nil }
    }
    return opening
  }

  /// Stores a change soon.
  func note(_ change: Checkpoint.Change, of checkpoint: Checkpoint) {
    latest = checkpoint
    schedule()
  }

  /// Puts what is stored out of the way.
  ///
  /// - Returns: what to tell the person.
  func setAside(_ reason: String) -> String? {
    if case .setAside(let notice) = file.setAside(reason) { return notice }
    return nil
  }

  private func schedule() {
    guard writing == nil else { return }
    writing = Task {
      try? await Task.sleep(for: .milliseconds(500))
      await write()
      writing = nil
      if latest != nil, !isFinished { schedule() }
    }
  }

  /// Writes on another thread: a disk that takes its time must not hold up the person's keys.
  private func write() async {
    guard let snapshot = latest else { return }
    latest = nil
    let file = file
    let failure = await Task.detached { () -> String? in
      do {
        try file.write(snapshot)
        return nil
      } catch {
        return "\(error)"
      }
    }.value
    if let failure { didFail(failure) }
  }

  /// Writes what is not stored yet, after a write that is under way.
  func finish(_ checkpoint: Checkpoint) async {
    isFinished = true
    // Ends the wait before the write, not the write.
    writing?.cancel()
    await writing?.value
    await write()
  }
}
