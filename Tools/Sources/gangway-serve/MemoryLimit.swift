import FoundationEssentials

/// The memory that the processes of this server may use.
enum MemoryLimit {
  /// The machine's memory in bytes, or the limit of the control group if that is lower.
  ///
  /// Sources: proc_meminfo(5); Linux, Documentation/admin-guide/cgroup-v2.rst, `memory.max`.
  static var bytes: Int { min(machine ?? .max, group ?? .max) }

  private static var machine: Int? {
    content("/proc/meminfo").split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
      .flatMap { $0.split(separator: " ").dropFirst().first }
      .flatMap { Int($0) }.map { $0 << 10 }
  }

  /// The lowest limit of this process's control group and its parents, in bytes.
  private static var group: Int? {
    // The group's path is in a line `0::/PATH` of cgroup v2.
    guard let line = content("/proc/self/cgroup").split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
      return nil
    }
    var path = String(line.dropFirst(3))
    var lowest: Int?
    while true {
      let text = content("/sys/fs/cgroup\(path)/memory.max")
      if let limit = Int(text.prefix { $0 != "\n" }) { lowest = min(limit, lowest ?? .max) }
      guard let slash = path.lastIndex(of: "/"), path.count > 1 else { return lowest }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
  }

  private static func content(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
