import Glibc

/// The limit on the open files and connections of this process.
enum DescriptorLimit {
  /// The limit to request, which is more than a server needs at its own limits.
  ///
  /// An infinite limit would slow down programs that close all possible descriptors.
  private static let wanted: rlim_t = 65_536

  /// Raises the limit as far as the system allows without privileges.
  ///
  /// A host sets its own limit (`--file-limit`) before it loads a plugin, so plugins do not get this one.
  ///
  /// - Returns: the new limit.
  static func raise() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    let now = limit.rlim_cur
    limit.rlim_cur = max(now, min(limit.rlim_max, wanted))
    let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    return Int(clamping: isRaised ? limit.rlim_cur : now)
  }
}
