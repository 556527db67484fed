@_spi(FrontEnd) import GangwayClient
import Glibc

/// The process-wide settings, saved before a library loads and restored after it.
///
/// Signal handlers are not included, because the runtimes of other languages need theirs.
struct ProcessState: ~Copyable {
  private let mask: mode_t?
  private let folder: String?
  private let folderDescriptor: Int32
  private let locale: String?
  private let limits: [rlimit]

  private static let resources: [(name: String, resource: __rlimit_resource_t)] = [
    ("open files", __rlimit_resource_t(RLIMIT_NOFILE.rawValue)),
    ("address space", __rlimit_resource_t(RLIMIT_AS.rawValue)),
    ("data", __rlimit_resource_t(RLIMIT_DATA.rawValue)), ("stack", __rlimit_resource_t(RLIMIT_STACK.rawValue)),
    ("file size", __rlimit_resource_t(RLIMIT_FSIZE.rawValue)),
    ("processor time", __rlimit_resource_t(RLIMIT_CPU.rawValue)),
  ]

  /// Saves the current state.
  init() {
    mask = Self.mask
    folder = Self.folder
    folderDescriptor = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    locale = Self.locale
    limits = Self.limits
  }

  deinit { close(folderDescriptor) }

  /// Restores all settings.
  ///
  /// - Returns: the changes in words, each with both values; empty if nothing changed.
  func putBack() -> [String] {
    var changes: [String] = []
    if let mask, let now = Self.mask, now != mask {
      umask(mask)
      changes.append("the file mode mask (umask), from \(String(mask, radix: 8)) to \(String(now, radix: 8))")
    }
    if let folder, Self.folder != folder {
      let now = Self.folder ?? "none"
      let isBack = fchdir(folderDescriptor) == 0
      changes.append(
        "the working folder, from '\(folder)' to '\(now)'" + (isBack ? "" : " (could not be restored)"))
    }
    if let locale, let now = Self.locale, now != locale {
      setlocale(LC_ALL, locale)
      changes.append("the locale, from '\(locale)' to '\(now)'")
    }
    for (index, now) in Self.limits.enumerated() where now.rlim_cur != limits[index].rlim_cur {
      var wanted = rlimit(rlim_cur: min(limits[index].rlim_cur, now.rlim_max), rlim_max: now.rlim_max)
      setrlimit(Self.resources[index].resource, &wanted)
      let isBack = wanted.rlim_cur == limits[index].rlim_cur
      changes.append(
        "the limit of \(Self.resources[index].name), from \(Self.text(limits[index].rlim_cur)) to "
          + Self.text(now.rlim_cur) + (isBack ? "" : " (could not be restored)"))
    }
    return changes
  }

  private static func text(_ limit: rlim_t) -> String { limit == rlim_t.max ? "none" : "\(limit)" }

  /// The file mode mask, as the system reports it. `umask` would also set the mask while other threads create files.
  ///
  /// Source: proc(5), `/proc/pid/status`, since Linux 4.7; nil before.
  private static var mask: mode_t? { ProcessStatus.field("Umask").flatMap { mode_t($0, radix: 8) } }

  private static var folder: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  private static var locale: String? { setlocale(LC_ALL, nil).map { String(cString: $0) } }

  private static var limits: [rlimit] {
    resources.map { _, resource in
      var limit = rlimit()
      getrlimit(resource, &limit)
      return limit
    }
  }
}
