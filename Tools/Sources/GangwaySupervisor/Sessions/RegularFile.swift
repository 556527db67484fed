import Glibc

/// A check that a path names a regular file.
///
/// Only regular files are overwritten or moved, because the whole system may depend on a device or a folder.
@_spi(FrontEnd) public enum RegularFile {
  /// Returns the kind of file at a path, such as "a folder" or "a device"; nil for a regular file or a missing one.
  ///
  /// Links are followed.
  public static func other(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: Words.FileKind.folder
    case S_IFIFO: Words.FileKind.pipe
    case S_IFSOCK: Words.FileKind.socket
    default: Words.FileKind.device
    }
  }
}
