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
/// A process is in the group of the one that started it, whatever session or environment it has.
///
/// Source: Documentation/admin-guide/cgroup-v2.rst of the Linux kernel; `cgroup.kill` came with Linux 5.14.
public struct ControlGroup: Hashable, Sendable {
  /// Where it is.
  public let folder: String

  /// Names a group that was made.
  public init(folder: String) { self.folder = folder }

  /// The folder of the group that this process is in, whether groups can be made there or not.
  ///
  /// nil where the system has no groups of version 2.
  public static var own: String? {
    guard let groups = FileManager.default.contents(atPath: "/proc/self/cgroup"),
      let mounts = FileManager.default.contents(atPath: "/proc/self/mountinfo")
    else { return nil }
    return folder(groups: String(decoding: groups, as: UTF8.self), mounts: String(decoding: mounts, as: UTF8.self))
  }

  /// Reads where a process's group is.
  ///
  /// - Parameters:
  ///   - groups: its `/proc/PID/cgroup`.
  ///   - mounts: its `/proc/PID/mountinfo`.
  static func folder(groups: String, mounts: String) -> String? {
    guard let group = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::/") })?.dropFirst("0::".count),
      !group.hasPrefix("/..")
    else { return nil }
    for mount in mounts.split(separator: "\n") {
      let fields = mount.split(separator: " ")
      // The file system's type comes after a lone hyphen: the number of fields before it varies.
      guard fields.count > 5, let hyphen = fields.firstIndex(of: "-"), fields[(hyphen + 1)...].first == "cgroup2"
      else { continue }
      let (root, place) = (fields[3] == "/" ? "" : String(fields[3]), String(fields[4]))
      let path = group == "/" ? "" : String(group)
      if path == root || path.hasPrefix(root + "/") { return place + String(path.dropFirst(root.count)) }
    }
    return nil
  }

  /// Makes a group that nothing is in.
  ///
  /// - Parameter parent: the folder to make it in.
  /// - Returns: nil where this process may make none there, or the system cannot end one.
  public static func make(in parent: String) -> ControlGroup? {
    let group = ControlGroup(folder: "\(parent)/gangway-\(getpid())-\(UInt32.random(in: .min ... .max))")
    guard mkdir(group.folder, 0o755) == 0 else { return nil }
    // A process is moved by whoever may write the group that both groups are in.
    let files = ["\(group.folder)/cgroup.kill", "\(group.folder)/cgroup.procs", "\(parent)/cgroup.procs"]
    if files.allSatisfy({ access($0, W_OK) == 0 }) { return group }
    rmdir(group.folder)
    return nil
  }

  /// Moves this process into the group; what it starts from then on is in it, too.
  ///
  /// - Returns: nil, or the system's reason why it could not.
  public func join() -> String? { Self.write("0", to: "\(folder)/cgroup.procs") }

  /// Whether a process is in it, or in a group within it.
  public var isPopulated: Bool {
    FileManager.default.contents(atPath: "\(folder)/cgroup.events")
      .map { String(decoding: $0, as: UTF8.self).split(separator: "\n").contains("populated 1") } ?? false
  }

  /// Kills all processes in it and removes it. Blocks the thread until that is done.
  ///
  /// - Parameter limit: how long the system may take.
  /// - Returns: whether it is gone.
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

  /// Removes a group, and those that were made within it; one that has a process stays.
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
