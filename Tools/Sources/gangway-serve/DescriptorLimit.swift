import Glibc

/// How many files and connections this process may have open.
enum DescriptorLimit {
  /// More than a server needs at its own limits; a limit without end would slow down programs that close all numbers.
  private static let wanted: rlim_t = 65_536

  /// Raises the limit as far as the system lets a process do that by itself.
  ///
  /// A host sets its own limit (`--file-limit`) before it loads a plugin, so that plugins do not get this one.
  ///
  /// - Returns: what the limit is then.
  static func raise() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    let now = limit.rlim_cur
    limit.rlim_cur = max(now, min(limit.rlim_max, wanted))
    let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    return Int(clamping: isRaised ? limit.rlim_cur : now)
  }
}
