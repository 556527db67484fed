#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// System functions that every process here needs and that the standard library lacks.
@_spi(FrontEnd) public enum ProcessIO {
  /// The path of the running executable, with links resolved.
  public static var executable: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The folder of the running executable, with links resolved.
  public static var executableFolder: String {
    let path = executable
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// Returns an absolute path.
  ///
  /// Relative paths depend on the working directory of the process, which any plugin may change.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + (path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
  }

  /// Opens standard input, output and error on `/dev/null` if the caller closed them.
  ///
  /// Otherwise, the next opened file would take the place of one of them.
  public static func ensureStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY)
    }
  }

  /// Returns the content of a file of the system, such as `/proc/self/mountinfo`; nil if it cannot be read.
  ///
  /// The system passes such a file on in parts of at most a page. `FileManager` takes the first part for the whole file
  /// (seen with swift-foundation 6.3).
  package static func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(descriptor, &part, part.count)
      if count > 0 {
        content += part[..<count]
      } else if count == 0 {
        return content
      } else if errno != EINTR {
        return nil
      }
    }
  }

  /// Writes bytes to a descriptor, in as many calls as needed.
  ///
  /// - Returns: whether all bytes were written; on failure, `errno` has the reason.
  public static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&readiness, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
