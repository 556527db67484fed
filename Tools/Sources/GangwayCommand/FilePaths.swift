import Glibc

/// Paths of files, however they were written.
enum FilePaths {
  /// The path from the root, links followed; the text itself where there is no such file.
  static func whole(_ path: String) -> String {
    guard let whole = realpath(path, nil) else { return path }
    defer { free(whole) }
    return String(cString: whole)
  }
}
