import FoundationEssentials
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The configuration of a supervisor: what it starts, and where it stores data that must outlive a host.
@_spi(FrontEnd) public struct SupervisorOptions: Sendable {
  /// The path of the host's executable.
  public var host: String
  /// The settings of each host. The supervisor adds what it learns, such as the quarantined plugins.
  ///
  /// After the deadline for the code of a loading library, the host is ended and the library is to blame.
  public var launch: HostLaunch = {
    var launch = HostLaunch()
    launch.limits = .init(memory: 8_192, files: 4_096, processes: 4_096)
    return launch
  }()
  /// The file that stores the session between runs; nil to store nothing.
  public var stateFile: String?
  /// Whether to start with a new session and set the stored one aside.
  public var isFresh = false
  /// The initial state of the session, if there is no state file.
  public var checkpoint: Checkpoint?
  /// Whether guards check the initial state, as they check a stored session.
  public var asksGuards = true
  /// A file to record the session in.
  public var recording: String?
  /// Environment variables of the host in addition to those of this process.
  public var environment: [String: String] = [:]
  /// The time after which the user is asked about an unanswered event; nil for never.
  public var patience: Duration? = .seconds(5)
  /// The longest time that a starting host may send nothing before it is ended.
  public var startPatience: Duration = .seconds(20)
  /// The delay after which new sessions get another host when none stayed up, because the cause may be gone by then.
  public var retryDelay: Duration = .seconds(3)
  /// Whether a spare host is kept ready to take over from one that dies.
  public var keepsSpare = false
  /// The uptime of a host before a spare is started beside it; a short run needs no spare.
  public var spareDelay: Duration = .seconds(1)
  /// The number of events and changes to keep for the crash report of each session.
  public var steps = 200
  /// The shortest trial of a plugin in the search for one that stops hosts without evidence.
  public var trial: Duration = .seconds(2)
  /// The parent of the control group (cgroup v2) for all processes that features start.
  ///
  /// nil stands for the group that `GANGWAY_CONTROL_GROUP` names, or else for this process's own.
  public var controlGroup: String?
  /// The system, which a simulation replaces.
  package var system = SupervisorSystem()
  /// The counter of hosts that start and end; nil for none.
  public var counts: (any HostCounts)?
  /// The folder for logs and crash reports; created if missing.
  public var logFolder: String

  /// Creates options with default values, except for the host and the log folder.
  public init(host: String, logFolder: String) {
    self.host = host
    self.logFolder = logFolder
  }

  var clock: any SupervisorClock { system.clock }

  /// The folders in which a host looks for plugins, in search order.
  var searchedFolders: [String] {
    let path = environment["GANGWAY_PLUGIN_PATH"] ?? getenv("GANGWAY_PLUGIN_PATH").map { String(cString: $0) } ?? ""
    let own = host.lastIndex(of: "/").map { String(host[..<$0]) }
    return launch.folders + path.split(separator: ":").map(String.init) + [own].compactMap(\.self)
  }
}

/// A counter of hosts that start and end, such as a metrics library.
///
/// The methods are called on the main actor and must return at once.
@_spi(FrontEnd) public protocol HostCounts: Sendable {
  /// Counts a host that was started.
  func hostStarted()
  /// Counts a host whose end was not requested.
  ///
  /// - Parameters:
  ///   - plugin: the id of the plugin in which the host ended, or the name of the loading library; empty if unknown.
  ///   - cause: the kind of end in one word, such as `crashed`.
  func hostEnded(plugin: String, cause: String)
}

/// The reason why a supervisor cannot continue.
@_spi(FrontEnd) public struct SupervisorFailure: Error, Hashable, CustomStringConvertible {
  /// The problem, its cause and the fix.
  public let description: String
  package init(_ description: String) { self.description = description }
}
