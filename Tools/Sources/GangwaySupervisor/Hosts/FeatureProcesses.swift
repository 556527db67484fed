import Dispatch
import GangwayClient
import Glibc

/// The processes that the features of an app start. They end with the app, however that ends.
///
/// They are in a control group, where one may be had, and known by a variable of their environment. A process beside
/// the app, the watcher, ends them where the app was killed: it waits for the end of a socket whose other end this
/// process alone has.
@MainActor public final class FeatureProcesses {
  private let host: String
  private let groupFolder: String?
  let orphans = OrphanProcesses(variable: OrphanProcesses.hostVariable)
  private(set) var group: ControlGroup?
  private var hostCount = 0
  /// This process's end of the socket; -1 for none.
  private var link: Int32 = -1
  /// Nobody else waits for it, so the number is its own until that is done here.
  private(set) var watcher: pid_t = 0

  /// Prepares for hosts; the first starts the watcher.
  ///
  /// - Parameters:
  ///   - host: the host's executable, which is the watcher's, too.
  ///   - groupFolder: the control group in which one is made for the processes; nil stands for that in
  ///     `GANGWAY_CONTROL_GROUP`, or else this process's own.
  public init(host: String, groupFolder: String? = nil) {
    self.host = host
    self.groupFolder = groupFolder ?? getenv("GANGWAY_CONTROL_GROUP").map { String(cString: $0) } ?? ControlGroup.own
  }

  convenience init(_ options: SupervisorOptions) {
    self.init(host: options.host, groupFolder: options.controlGroup)
  }

  deinit {
    guard link >= 0 else { return }
    // The watcher does the rest.
    close(link)
    let watcher = watcher
    DispatchQueue.global(qos: .utility).async { waitpid(watcher, nil, 0) }
  }

  /// What a host has to be started with.
  public struct Membership: Sendable {
    /// Arguments of its command line.
    public let arguments: [String]
    /// Variables of its environment.
    public var environment: [String: String] { [orphans.variable: orphans.marker] }
    /// What it leaves behind.
    let orphans: OrphanProcesses
  }

  /// Makes sure that the watcher runs, for a host that is about to be started.
  ///
  /// - Returns: what to start the host with.
  public func addHost() -> Membership {
    if hostCount == 0 { group = groupFolder.flatMap { ControlGroup.make(in: $0) } }
    hostCount += 1
    keepWatch()
    return Membership(
      arguments: group.map { ["--control-group", $0.folder] } ?? [], orphans: orphans.part(hostCount))
  }

  /// Kills all that are left, hosts too, and ends the watcher. Returns when they are gone; at most after 4 s.
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

  /// Starts the watcher, unless it runs.
  private func keepWatch() {
    if link >= 0 {
      guard waitpid(watcher, nil, WNOHANG) != 0 else { return }
      // Somebody else ended it.
      close(link)
      link = -1
    }
    var ends: [Int32] = [0, 0]
    // A socket, not a pipe: it cannot be opened from what stands of it in /proc.
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

  /// POSIX_SPAWN_SETSID of <spawn.h>, which the C library shows to none but its own extensions.
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
    // The watcher is no process of a feature, even where the app is started by a feature of another.
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
