import FoundationEssentials
import Glibc

/// What a process may take of the machine: one that grows without bound is stopped before anything else suffers.
///
/// Linux manual page setrlimit(2). Only root's code can raise a limit again.
struct ProcessLimits: Sendable {
  /// Address space, in megabytes; nil for any.
  var memory: Int?
  /// Open files; nil for any.
  var files: Int?
  /// How many processes and threads there may come to be, beside those there are, until it can start no other; nil for any.
  var processes: Int?

  /// Sets the limits for this process and what it starts.
  func apply() {
    if let memory, memory > 0 { Self.set(__rlimit_resource_t(RLIMIT_AS.rawValue), rlim_t(clamping: memory) << 20) }
    if let files, files > 0 { Self.set(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), rlim_t(clamping: files)) }
    if let processes, processes > 0, let present = Self.processesAndThreads {
      Self.set(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), rlim_t(clamping: present) + rlim_t(clamping: processes))
    }
  }

  /// All that there are: the system counts those of a user against the limit, and to count them one by one takes milliseconds.
  ///
  /// Source: proc(5), `/proc/loadavg`, the number behind the slash.
  private static var processesAndThreads: Int? {
    guard let text = FileManager.default.contents(atPath: "/proc/loadavg") else { return nil }
    let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
    return fields.count > 3 ? fields[3].split(separator: "/").last.flatMap { Int($0) } : nil
  }

  private static func set(_ resource: __rlimit_resource_t, _ wanted: rlim_t) {
    var limit = rlimit()
    getrlimit(resource, &limit)
    let value = min(wanted, limit.rlim_max)
    limit = rlimit(rlim_cur: value, rlim_max: value)
    setrlimit(resource, &limit)
  }
}
