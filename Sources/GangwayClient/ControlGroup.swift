#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Processes that the system ends together: a folder of cgroup v2.
///
/// A process is in the group of the process that started it, regardless of its session or environment.
///
/// Source: Documentation/admin-guide/cgroup-v2.rst of the Linux kernel; `cgroup.kill` came with Linux 5.14.
@_spi(FrontEnd) public struct ControlGroup: Hashable, Sendable {
  /// The folder of the group.
  public let folder: String

  /// Refers to an existing group.
  public init(folder: String) { self.folder = folder }

  /// The folder of this process's group, whether this process may create groups there or not.
  ///
  /// Nil if the system has no cgroup v2.
  public static var own: String? {
    guard let groups = ProcessIO.contents(of: "/proc/self/cgroup"),
      let mounts = ProcessIO.contents(of: "/proc/self/mountinfo")
    else { return nil }
    return folder(groups: String(decoding: groups, as: UTF8.self), mounts: String(decoding: mounts, as: UTF8.self))
  }

  /// Returns the folder of a process's group.
  ///
  /// - Parameters:
  ///   - groups: the content of `/proc/PID/cgroup`.
  ///   - mounts: the content of `/proc/PID/mountinfo`.
  static func folder(groups: String, mounts: String) -> String? {
    guard let group = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::/") })?.dropFirst("0::".count),
      !group.hasPrefix("/..")
    else { return nil }
    for mount in mounts.split(separator: "\n") {
      let fields = mount.split(separator: " ")
      // The file system's type comes after a lone hyphen, because the number of fields before it varies.
      guard fields.count > 5, let hyphen = fields.firstIndex(of: "-"), fields[(hyphen + 1)...].first == "cgroup2"
      else { continue }
      let (root, place) = (fields[3] == "/" ? "" : String(fields[3]), String(fields[4]))
      let path = group == "/" ? "" : String(group)
      if path == root || path.hasPrefix(root + "/") { return place + String(path.dropFirst(root.count)) }
    }
    return nil
  }

  /// Creates an empty group.
  ///
  /// - Parameter parent: the folder for the group.
  /// - Returns: the group; nil if this process may not create one there, or if the system cannot end one.
  public static func make(in parent: String) -> ControlGroup? {
    let group = ControlGroup(folder: "\(parent)/gangway-\(getpid())-\(UInt32.random(in: .min ... .max))")
    guard mkdir(group.folder, 0o755) == 0 else { return nil }
    // To move a process, write access to the common parent of both groups is needed.
    let files = ["\(group.folder)/cgroup.kill", "\(group.folder)/cgroup.procs", "\(parent)/cgroup.procs"]
    if files.allSatisfy({ access($0, W_OK) == 0 }) { return group }
    rmdir(group.folder)
    return nil
  }

  /// Moves this process into the group.
  ///
  /// Processes that it starts later are in the group, too.
  ///
  /// - Returns: nil, or the system's reason for a failure.
  package func join() -> String? { Self.write("0", to: "\(folder)/cgroup.procs") }

  /// Whether a process is in the group, or in a group within it.
  public var isPopulated: Bool {
    FileManager.default.contents(atPath: "\(folder)/cgroup.events")
      .map { String(decoding: $0, as: UTF8.self).split(separator: "\n").contains("populated 1") } ?? false
  }

  /// Kills all processes in the group and removes the group.
  ///
  /// Blocks the thread until that is done.
  ///
  /// - Parameter limit: the time limit.
  /// - Returns: whether the group is gone.
  @discardableResult public func end(within limit: Duration = .seconds(2)) -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
      _ = Self.write("1", to: "\(folder)/cgroup.kill")
      Self.remove(folder)
      if access(folder, F_OK) != 0 { return true }
      guard ContinuousClock.now < deadline else { return false }
      usleep(5_000)
    }
  }

  /// Removes a group and the groups within it.
  ///
  /// A group with a process stays.
  private static func remove(_ folder: String) {
    guard rmdir(folder) != 0, errno == EBUSY else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !name.hasPrefix("cgroup.") {
      remove("\(folder)/\(name)")
    }
    rmdir(folder)
  }

  private static func write(_ text: String, to file: String) -> String? {
    let descriptor = open(file, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    defer { close(descriptor) }
    return ProcessIO.writeAll(Array(text.utf8), to: descriptor) ? nil : String(cString: strerror(errno))
  }
}
