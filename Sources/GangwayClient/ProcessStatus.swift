#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The kernel's facts about a process in `/proc/PID/status`; none if there is no such file.
///
/// Source: proc(5).
package enum ProcessStatus {
  /// Returns a field's value, without surrounding space.
  ///
  /// - Parameters:
  ///   - name: the name of the field, such as `Umask`; the field is in the first 4 KB.
  ///   - process: the process's id; nil stands for this process.
  /// - Returns: the value; nil if there is no such field or process.
  package static func field(_ name: String, of process: Int32? = nil) -> String? {
    let descriptor = open("/proc/\(process.map(String.init) ?? "self")/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return nil }
      let name = "\(name):".utf8
      var rest = buffer[..<count]
      while !rest.isEmpty {
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        if line.starts(with: name) {
          let value = line.dropFirst(name.count).drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
          return String(decoding: value, as: UTF8.self)
        }
        rest = rest[line.endIndex...].dropFirst()
      }
      return nil
    }
  }
}
