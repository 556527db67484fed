import Glibc

/// Tells regular files from all else that a path can name. Only a regular file is ever written over or moved: what a device
/// or a folder is for, the whole system may depend on.
public enum RegularFile {
  /// What stands at a path in the place of a regular file: "a folder", "a device"; nil for a regular file, or nothing.
  /// A link is what it leads to.
  public static func other(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }
}
