import Dispatch
@_spi(FrontEnd) import GangwayClient
import Glibc

/// The processes that the features of an app start; they end with the app, however the app ends.
///
/// The processes share a control group, if one can be created, and an environment variable that identifies them. A
/// watcher process ends them if the app is killed. The watcher waits for the end of a socket whose other end belongs to
/// this process only.
@_spi(FrontEnd) @MainActor public final class FeatureProcesses {
  private let host: String
  private let groupFolder: String?
  let orphans = OrphanProcesses(variable: OrphanProcesses.hostVariable)
  private(set) var group: ControlGroup?
  private var hostCount = 0
  /// This process's end of the socket; -1 for none.
  private var link: Int32 = -1
  /// The process ID of the watcher.
  ///
  /// Only this type waits for the process, so the system does not reuse the ID before then.
  private(set) var watcher: pid_t = 0

  /// Prepares for hosts; the first host starts the watcher.
  ///
  /// - Parameters:
  ///   - host: the host's executable, which also runs the watcher.
  ///   - groupFolder: the control group that becomes the parent of the processes' group; nil stands for the group in
  ///     `GANGWAY_CONTROL_GROUP`, or else for this process's own.
  public init(host: String, groupFolder: String? = nil) {
    self.host = host
    self.groupFolder = groupFolder ?? getenv("GANGWAY_CONTROL_GROUP").map { String(cString: $0) } ?? ControlGroup.own
  }

  convenience init(_ options: SupervisorOptions) {
    self.init(host: options.host, groupFolder: options.controlGroup)
  }

  deinit {
    guard link >= 0 else { return }
    // The watcher ends the remaining processes.
    close(link)
    let watcher = watcher
    DispatchQueue.global(qos: .utility).async { waitpid(watcher, nil, 0) }
  }

  /// The arguments and environment that make a host part of the app's processes.
  public struct Membership: Sendable {
    /// The folder of the control group to join; nil for none.
    let controlGroup: String?
    /// The additional command-line arguments of a host that is not served.
    public var arguments: [String] { controlGroup.map { ["--control-group", $0] } ?? [] }
    /// The host's additional environment variables.
    public var environment: [String: String] { [orphans.variable: orphans.marker] }
    /// The marker of the processes that the host leaves behind.
    let orphans: OrphanProcesses
  }

  /// Starts the watcher if necessary, for a host that is about to start.
  ///
  /// - Returns: the arguments and environment for the host.
  public func addHost() -> Membership {
    if hostCount == 0 { group = groupFolder.flatMap { ControlGroup.make(in: $0) } }
    hostCount += 1
    keepWatch()
    return Membership(controlGroup: group?.folder, orphans: orphans.part(hostCount))
  }

  /// Kills all remaining processes, including hosts, and ends the watcher.
  ///
  /// Returns when the processes are gone, after at most 4 s.
  public func end() async {
    guard hostCount > 0 else { return }
    hostCount = 0
    let (orphans, group, link, watcher) = (orphans, group, link, watcher)
    (self.link, self.watcher) = (-1, 0)
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        group?.end()
        orphans.end()
        if link >= 0 { Self.endWatch(watcher, link) }
        continuation.resume()
      }
    }
  }

  // MARK: The watcher

  /// Starts the watcher unless it is running.
  private func keepWatch() {
    if link >= 0 {
      guard waitpid(watcher, nil, WNOHANG) != 0 else { return }
      // Something outside the app ended the watcher.
      close(link)
      link = -1
    }
    var ends: [Int32] = [0, 0]
    // A socket, not a pipe: another process cannot open a socket through its entry in /proc.
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return }
    defer { close(ends[1]) }
    let arguments = [host, "--watch", orphans.marker] + (group.map { ["--control-group", $0.folder] } ?? [])
    guard let process = Self.spawn(host, arguments, input: ends[1]) else {
      close(ends[0])
      return
    }
    (link, watcher) = (ends[0], process)
  }

  private nonisolated static func endWatch(_ watcher: pid_t, _ link: Int32) {
    kill(watcher, SIGKILL)
    kill(-watcher, SIGKILL)
    close(link)
    waitpid(watcher, nil, 0)
  }

  /// POSIX_SPAWN_SETSID of <spawn.h>, which the C library declares only with its GNU extensions.
  private static let newSession: Int16 = 0x80

  /// Starts a process in a session of its own, without output.
  private static func spawn(_ executable: String, _ arguments: [String], input: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Ctrl-C of the terminal is for the supervisor.
    posix_spawnattr_setflags(&attributes, newSession)
    let given = (arguments.map { strdup($0) }) + [nil]
    defer { for argument in given { free(argument) } }
    // The watcher must not look like a process of a feature, even if a feature of another app started this app.
    var variables: [UnsafeMutablePointer<CChar>?] = []
    var entry = environ
    while let variable = entry.pointee {
      if strncmp(variable, "\(OrphanProcesses.hostVariable)=", OrphanProcesses.hostVariable.utf8.count + 1) != 0 {
        variables.append(variable)
      }
      entry += 1
    }
    var process: pid_t = 0
    return posix_spawn(&process, executable, &actions, &attributes, given, variables + [nil]) == 0 ? process : nil
  }
}
