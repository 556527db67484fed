import FoundationEssentials
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// Setting resource limits. They stop a process that grows without bound before anything else suffers.
///
/// Source: setrlimit(2). Only code of root can raise a limit again.
extension HostLaunch.Limits {
  /// Sets the limits for this process and its children.
  func apply() {
    if let memory, memory > 0 { Self.set(__rlimit_resource_t(RLIMIT_AS.rawValue), rlim_t(clamping: memory) << 20) }
    if let files, files > 0 { Self.set(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), rlim_t(clamping: files)) }
    if let processes, processes > 0, let present = Self.processesAndThreads {
      Self.set(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), rlim_t(clamping: present) + rlim_t(clamping: processes))
    }
  }

  /// The number of all processes and threads. The system counts those of one user against the limit, but counting them
  /// one by one takes milliseconds.
  ///
  /// Source: proc(5), `/proc/loadavg`, the number after the slash.
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
