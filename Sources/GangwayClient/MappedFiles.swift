#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The files whose code or data is part of a process.
///
/// Source: proc(5), `/proc/pid/maps`.
@_spi(FrontEnd) public enum MappedFiles {
  /// Returns whether a file is mapped into a process.
  ///
  /// The code of a file that is not mapped cannot run there.
  ///
  /// - Returns: whether the file is mapped; also true if that is unknown.
  public static func contains(_ file: String, process: Int32) -> Bool {
    guard let resolved = realpath(file, nil) else { return true }
    defer { free(resolved) }
    let real = String(cString: resolved)
    var isReadable = false
    let found = first(in: process) { path, _ in
      isReadable = true
      // A file that was replaced since is still mapped.
      return path == real || path == real + " (deleted)"
    }
    return found != nil || !isReadable
  }

  /// Visits the mapped files with their addresses, until `visit` returns true.
  package static func first(
    in process: Int32 = getpid(), _ visit: (_ path: String, _ addresses: Range<UInt>) -> Bool
  ) -> String? {
    guard let maps = fopen("/proc/\(process)/maps", "re") else { return nil }
    defer { fclose(maps) }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 128)
    while fgets(&buffer, Int32(buffer.count), maps) != nil {
      let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let range = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard range.count == 2, range[0] < range[1], let start = line.firstIndex(of: "/") else { continue }
      let path = String(line[start...].prefix { $0 != "\n" })
      if visit(path, range[0]..<range[1]) { return path }
    }
    return nil
  }

  /// The paths of all mapped files.
  package static var paths: Set<String> {
    var paths: Set<String> = []
    _ = first { path, _ in
      paths.insert(path)
      return false
    }
    return paths
  }
}
