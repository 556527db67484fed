import Glibc

/// What tells one state of a file from another.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  let size: Int
  /// When its content was changed last, in nanoseconds since 1970.
  let modified: Int
  /// When anything of it was changed last, its mode and owner too. No call sets it.
  let changed: Int

  init(device: UInt64, inode: UInt64, size: Int, modified: Int, changed: Int) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int(status.st_size),
      modified: Self.nanoseconds(status.st_mtim), changed: Self.nanoseconds(status.st_ctim))
  }

  /// The present state of a file; nil where there is none.
  init?(ofFile path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Times of a damaged file system may be anything, so nothing here traps.
  private static func nanoseconds(_ time: timespec) -> Int {
    Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }

  /// Whether the file may have been changed since without a trace: its times are no older than the moment at which it was
  /// looked into, as far as clocks of file systems tell, or lie in the future because a clock went back.
  ///
  /// - Parameter moment: in nanoseconds since 1970.
  func isInDoubt(lookedIntoAt moment: Int) -> Bool { max(modified, changed) > moment - 2_000_000_000 }
}
