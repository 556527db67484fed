#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Whether somebody looks into a process, in which case no deadline counts.
public enum Debugger {
  /// The process that traces another, as the kernel says in `/proc/PID/status`; nil where none does.
  public static func tracer(of process: Int32) -> Int32? {
    guard let status = fopen("/proc/\(process)/status", "re") else { return nil }
    defer { fclose(status) }
    var buffer = [CChar](repeating: 0, count: 256)
    while fgets(&buffer, Int32(buffer.count), status) != nil {
      let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard line.hasPrefix("TracerPid:") else { continue }
      let number = line.dropFirst("TracerPid:".count).filter { !$0.isWhitespace }
      return Int32(number).flatMap { $0 == 0 ? nil : $0 }
    }
    return nil
  }

  /// Whether a debugger, or another tracer, is attached to a process.
  public static func isAttached(to process: Int32) -> Bool { tracer(of: process) != nil }
}
