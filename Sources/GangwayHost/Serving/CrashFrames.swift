import Glibc
import Synchronization

/// A record of the code that ran at the time of a crash, written in the signal handler.
///
/// It follows the unwind tables. The runtime's report follows frame pointers, which C code may omit, and comes later.
///
/// Format: a count, then as many addresses, the innermost first, each a machine word; then the text of
/// `/proc/self/maps`.
enum CrashFrames {
  /// The environment variable with the path of the file.
  private static let variable = "GANGWAY_CRASH_FRAMES"
  private static let limit = 256
  private static let bufferSize = 1 << 16

  // Set before any plugin loads, and used only in the handler.
  nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?
  nonisolated(unsafe) private static var words: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  nonisolated(unsafe) private static var buffer: UnsafeMutableRawPointer?
  nonisolated(unsafe) private static var unwind: SystemFunction.Backtrace?
  /// Whether nothing more will be written.
  static let isDone = Atomic(false)

  /// Prepares for a crash, because a signal handler must not allocate.
  static func prepare() {
    _ = isDone.load(ordering: .relaxed)
    guard let file = getenv(variable), let unwind = SystemFunction.backtrace else {
      isDone.store(true, ordering: .releasing)
      return
    }
    let words = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: limit + 1)
    words.initialize(repeating: nil, count: limit + 1)
    (self.words, self.unwind) = (words, unwind)
    buffer = .allocate(byteCount: bufferSize, alignment: 16)
    // The first call opens a library.
    _ = unwind(words + 1, Int32(limit))
    path = strdup(file)
  }

  /// Writes the file once. A damaged stack may crash this function. The handler then runs again, and continues after
  /// it.
  static func write() {
    defer { isDone.store(true, ordering: .releasing) }
    guard let path, let words, let buffer, let unwind else { return }
    Self.path = nil
    let count = max(0, Int(unwind(words + 1, Int32(limit))))
    words[0] = UnsafeMutableRawPointer(bitPattern: count)
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    _ = Glibc.write(file, words, (count + 1) * MemoryLayout<UnsafeMutableRawPointer?>.size)
    let maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
    if maps >= 0 {
      while case let size = read(maps, buffer, bufferSize), size > 0 {
        if Glibc.write(file, buffer, size) != size { break }
      }
      close(maps)
    }
    close(file)
  }

  /// Waits briefly until the file is written, because the thread that writes it may hang.
  static func wait() {
    var left = 500
    while !isDone.load(ordering: .acquiring), left > 0 {
      var pause = timespec(tv_sec: 0, tv_nsec: 100_000)
      nanosleep(&pause, nil)
      left -= 1
    }
  }
}
