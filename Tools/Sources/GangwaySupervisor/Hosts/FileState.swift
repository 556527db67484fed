import Glibc

/// What tells one state of a file or folder from another.
public struct FileState: Hashable, Sendable {
  public let device: UInt
  public let inode: UInt
  /// In bytes.
  public let size: Int
  /// In nanoseconds since 1970.
  public let modified: Int
  public let isFolder: Bool

  /// What is at a path now, links followed; nil where nothing is that can be looked at.
  public init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
    modified = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }
}
