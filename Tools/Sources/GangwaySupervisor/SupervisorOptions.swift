import FoundationEssentials
import GangwayClient
import GangwayProtocol
import Glibc

/// What a supervisor starts, and where it keeps what must outlive a host.
public struct SupervisorOptions: Sendable {
  /// The host's executable.
  public var host: String
  /// Plugins to load, by id or path; none stands for all that are found.
  public var plugins: [String] = []
  /// Plugins to leave out, by id or path.
  public var without: [String] = []
  /// The host's configuration; nil stands for none.
  public var configuration: String?
  /// Folders to look for plugins in first.
  public var pluginFolders: [String] = []
  /// Where the session is kept between runs; nil stands for nowhere.
  public var stateFile: String?
  /// Whether to begin anew; what was stored is set aside.
  public var isFresh = false
  /// What the session begins with, where there is no state file.
  public var checkpoint: Checkpoint?
  /// Whether guards are asked about it, as about what was stored.
  public var asksGuards = true
  /// A file to record the session in.
  public var recording: String?
  /// Variables that the host's environment has besides this one's.
  public var environment: [String: String] = [:]
  /// Whether no plugin is loaded before the person wants it.
  public var isSafe = false
  /// Whether hosts wait for a debugger before they load anything; nothing is overdue then.
  public var waitsForDebugger = false
  /// Whether the first host looks into all files again.
  public var rescans = false
  /// How long a file may make no progress while it is probed, in seconds; nil stands for the host's own limit.
  public var probeTimeout: Double?
  /// How long an event may stay unanswered before the person is asked about it; nil stands for any time.
  public var patience: Duration? = .seconds(5)
  /// How long the code may take that a library runs when it is loaded; the host is then ended, and the library blamed.
  public var loadPatience: Duration = .seconds(10)
  /// How long a host that starts may say nothing before it is ended.
  public var startPatience: Duration = .seconds(20)
  /// How long after no host stayed up sessions that are opened then are given another: what was wrong may be over.
  public var retryDelay: Duration = .seconds(3)
  /// Whether another host is kept ready, which takes over from one that dies.
  public var keepsSpare = false
  /// How long a host has to have been up before another is started beside it: a short run needs none.
  public var spareDelay: Duration = .seconds(1)
  /// How many events and changes of each session are kept for a crash report.
  public var steps = 200
  /// How long a plugin is watched at the least, when it is being found out which one stops hosts that nothing explains.
  public var trial: Duration = .seconds(2)
  /// How much address space a host may have, in megabytes; nil for any. One that wants more crashes where it asks for it, so
  /// that its report names who did.
  public var memoryLimit: Int? = 8_192
  /// How many files a host may have open; nil for any.
  public var fileLimit: Int? = 4_096
  /// How many processes and threads there may come to be, beside those there are when a host starts, until it can start no
  /// other; nil for any. The system holds root to none.
  public var processLimit: Int? = 4_096
  /// The control group (cgroup v2) in which one is made for all processes that features start; nil stands for the one
  /// that `GANGWAY_CONTROL_GROUP` names, or else for this process's own.
  public var controlGroup: String?
  /// What counts the hosts that start and end; nil for nothing.
  public var counts: (any HostCounts)?
  /// Where logs and crash reports go; made if it is not there.
  public var logFolder: String

  /// Options with a host and a folder for logs, and defaults for the rest.
  public init(host: String, logFolder: String) {
    self.host = host
    self.logFolder = logFolder
  }

  /// The folders in which a host looks for plugins, in its order.
  var searchedFolders: [String] {
    let path = environment["GANGWAY_PLUGIN_PATH"] ?? getenv("GANGWAY_PLUGIN_PATH").map { String(cString: $0) } ?? ""
    let own = host.lastIndex(of: "/").map { String(host[..<$0]) }
    return pluginFolders + path.split(separator: ":").map(String.init) + [own].compactMap(\.self)
  }
}

/// Counts the hosts that start and end, such as a library of metrics does. It is called on the main actor, and returns at once.
public protocol HostCounts: Sendable {
  /// A host was started.
  func hostStarted()
  /// A host ended by itself.
  ///
  /// - Parameters:
  ///   - plugin: the id of the plugin that it ended in, or the name of a library that was being opened; empty where it is not known.
  ///   - cause: how it ended, in one word, such as `crashed`.
  func hostEnded(plugin: String, cause: String)
}

/// Why a supervisor cannot go on.
public struct SupervisorFailure: Error, Hashable, CustomStringConvertible {
  /// What, why and what to do.
  public let description: String
  init(_ description: String) { self.description = description }
}
