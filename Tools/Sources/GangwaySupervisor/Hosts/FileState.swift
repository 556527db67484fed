import Glibc

/// The properties that tell whether a file or folder has changed.
@_spi(FrontEnd) public struct FileState: Hashable, Sendable {
  public let device: UInt
  public let inode: UInt
  /// The size in bytes.
  public let size: Int
  /// The modification time in nanoseconds since 1970.
  public let modified: Int
  public let isFolder: Bool

  /// Reads the state of the file or folder at a path and follows links; returns nil if that fails.
  public init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode, size) = (UInt(status.st_dev), UInt(status.st_ino), Int(status.st_size))
    modified = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }
}
