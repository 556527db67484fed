import Glibc

/// The values that distinguish one state of a file from another.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  let size: Int
  /// The last change of the content, in nanoseconds since 1970.
  let modified: Int
  /// The last change of anything, mode and owner included, in nanoseconds since 1970. No call sets this time.
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

  /// Reads the current state of a file; nil if there is no file.
  init?(ofFile path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Returns a time in nanoseconds. Nothing here traps, because a damaged file system may return any time.
  private static func nanoseconds(_ time: timespec) -> Int {
    Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }

  /// Returns whether the file may have changed without a trace since it was examined.
  ///
  /// That is possible if its times are not clearly older than the examination, because clocks of file systems are
  /// coarse. It is also possible if the times are in the future, because a clock went back.
  ///
  /// - Parameter moment: the time of the examination, in nanoseconds since 1970.
  func isInDoubt(lookedIntoAt moment: Int) -> Bool { max(modified, changed) > moment - 2_000_000_000 }
}
