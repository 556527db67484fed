import Glibc

/// Normalized file paths.
enum FilePaths {
  /// Returns the absolute path with links resolved; returns the text itself if there is no such file.
  static func whole(_ path: String) -> String {
    guard let whole = realpath(path, nil) else { return path }
    defer { free(whole) }
    return String(cString: whole)
  }
}
