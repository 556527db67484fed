import Glibc

/// What a process may take of the machine: one that grows without bound is stopped before anything else suffers.
///
/// Linux manual page setrlimit(2). Only root's code can raise a limit again.
struct ProcessLimits: Sendable {
  /// Address space, in megabytes; nil for any.
  var memory: Int?
  /// Open files; nil for any.
  var files: Int?

  /// Sets the limits for this process and what it starts.
  func apply() {
    if let memory, memory > 0 { Self.set(__rlimit_resource_t(RLIMIT_AS.rawValue), rlim_t(clamping: memory) << 20) }
    if let files, files > 0 { Self.set(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), rlim_t(clamping: files)) }
  }

  private static func set(_ resource: __rlimit_resource_t, _ wanted: rlim_t) {
    var limit = rlimit()
    getrlimit(resource, &limit)
    let value = min(wanted, limit.rlim_max)
    limit = rlimit(rlim_cur: value, rlim_max: value)
    setrlimit(resource, &limit)
  }
}
