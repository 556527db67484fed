@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The options of a host's command line.
@_spi(FrontEnd) public struct HostOptions: Sendable {
  enum Mode: Sendable {
    /// Run one session in this process, drawn by the plain front end.
    case alone
    /// Serve sessions over the presentation protocol on standard input and output.
    case serve
    /// Probe files, and print a JSON line for each.
    case probe([String])
    /// Use a plugin like a user, and print a JSON line for each check.
    case validate(String)
    /// Load all plugins, and print each conflict as a JSON text on a line.
    case fit
    /// Wait for the end of a supervisor, then end the processes of its hosts that have a marker.
    case watch(String)
    case help
    case version
  }

  /// A mistake on the command line.
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  /// A folder on the command line that does not exist or cannot be read.
  struct MissingFolder: Error, CustomStringConvertible {
    let description: String
  }

  var mode = Mode.alone
  /// The settings that a supervisor also sets.
  var launch = HostLaunch()
  var script: String?
  /// The data folder that a validation works on a copy of; nil for an empty one.
  var data: String?
  /// Whether a validation damages its copy of the data first.
  var damagesData = false
  /// Whether the walk of a validation presses destructive buttons.
  var pressesDestructive = false
  var searchPath: String?
  /// A URL to open after the session starts.
  var open: String?
  /// Whether all plugins load at the start instead of on first use.
  var isEager = false
  /// The seed of a validation's random walk.
  var seed: UInt64 = 1
  /// The number of steps of the random walk.
  var steps = 200
  /// Plugins in the host's own executable. Types do not change, so any thread may read them.
  nonisolated(unsafe) var builtIn: [any Plugin.Type] = []
  /// The control group of the process and everything that it starts. A watcher ends this group.
  var controlGroup: ControlGroup? { launch.controlGroup.map { ControlGroup(folder: $0) } }
  /// The folder of stored verdicts and contributions.
  var cacheFolder: String? = Folders.cache

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: ``UsageError``, which names the argument and what is accepted.
  init(_ arguments: [String]) throws {
    searchPath = getenv("GANGWAY_PLUGIN_PATH").map { String(cString: $0) }
    var rest = arguments[...]
    func value(_ option: String) throws -> String {
      guard let value = rest.popFirst() else { throw UsageError(description: "\(option) needs a value.") }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--plugin": launch.plugins.append(try value(argument))
      case "--without": launch.leaveOut([try value(argument)])
      case "--plugins-dir": launch.folders.append(try value(argument))
      case "--script": script = try value(argument)
      case "--data", "--damaged-data": (data, damagesData) = (try value(argument), argument == "--damaged-data")
      case "--destructive": pressesDestructive = true
      case "--lock": launch.lock = try value(argument)
      case "--trusted-keys": launch.trustedKeys = try value(argument)
      case "--config": launch.configuration = try value(argument)
      case "--open": open = try value(argument)
      case "--serve": mode = .serve
      case "--launch": (launch, rest) = (try Self.launch(rest), [])
      case "--validate": mode = .validate(ProcessIO.absolute(try value(argument)))
      case "--fit": mode = .fit
      case "--watch": mode = .watch(try value(argument))
      case "--control-group": launch.controlGroup = try value(argument)
      case "--seed": seed = try Self.number(argument, try value(argument))
      case "--steps": steps = try Self.number(argument, try value(argument))
      case "--safe-mode": launch.isSafe = true
      case "--eager": isEager = true
      case "--rescan": launch.rescans = true
      case "--wait-for-debugger": launch.waitsForDebugger = true
      case "--probe-timeout": launch.probeDeadline = try Self.seconds(argument, try value(argument))
      case "--load-timeout": launch.loadDeadline = try Self.seconds(argument, try value(argument))
      case "--memory-limit": launch.limits.memory = try Self.number(argument, try value(argument))
      case "--file-limit": launch.limits.files = try Self.number(argument, try value(argument))
      case "--process-limit": launch.limits.processes = try Self.number(argument, try value(argument))
      case "--probe": (mode, rest) = (.probe(rest.map(ProcessIO.absolute)), [])
      case "--help", "-h": mode = .help
      case "--version": mode = .version
      default:
        throw UsageError(description: "There is no option '\(argument)'.")
      }
    }
    makePathsAbsolute()
  }

  /// Makes the paths of files absolute, so that they stay valid in another working folder.
  private mutating func makePathsAbsolute() {
    func absolute(_ name: String) -> String { PluginSearch.isPath(name) ? ProcessIO.absolute(name) : name }
    func absolute(_ reasons: [String: String]) -> [String: String] {
      Dictionary(reasons.map { (absolute($0.key), $0.value) }, uniquingKeysWith: { $1 })
    }
    launch.plugins = launch.plugins.map(absolute)
    launch.without = absolute(launch.without)
    launch.quarantined = absolute(launch.quarantined)
    launch.folders = launch.folders.map(ProcessIO.absolute)
    launch.lock = launch.lock.map(ProcessIO.absolute)
    launch.trustedKeys = launch.trustedKeys.map(ProcessIO.absolute)
  }

  /// Checks the folders on the command line.
  ///
  /// A served host gets its folders from its supervisor, and a folder may appear later there.
  ///
  /// - Throws: ``MissingFolder``, which names the first unreadable folder.
  func checkFolders() throws {
    switch mode {
    case .serve, .probe, .watch, .help, .version: return
    case .alone, .validate, .fit: break
    }
    for folder in launch.folders {
      guard let directory = opendir(folder) else {
        throw MissingFolder(
          description: "--plugins-dir: the folder '\(folder)' could not be read: \(String(cString: strerror(errno))). "
            + "Name a readable folder.")
      }
      closedir(directory)
    }
  }

  /// Reads the settings of a supervisor.
  private static func launch(_ arguments: ArraySlice<String>) throws -> HostLaunch {
    do {
      return try HostLaunch(arguments: arguments)
    } catch let failure as HostMessage.Failure {
      throw UsageError(description: "--launch takes the settings of a supervisor as JSON: \(failure.message)")
    }
  }

  private static func seconds(_ option: String, _ text: String) throws -> Duration {
    guard let seconds = Double(text), (0.01...3600).contains(seconds) else {
      throw UsageError(description: "\(option) takes a number of seconds from 0.01 to 3600, not '\(text)'.")
    }
    return .seconds(seconds)
  }

  private static func number<Number: FixedWidthInteger>(_ option: String, _ text: String) throws -> Number {
    guard let number = Number(text), number >= 0 else {
      throw UsageError(description: "\(option) takes a whole number, not '\(text)'.")
    }
    return number
  }

  static let usage = """
    Usage: gangway-host [--plugin ID|FILE]... [--without ID|FILE]... [--plugins-dir DIR]... [--script FILE|-]
                        [--config FILE] [--open URL] [--safe-mode] [--eager] [--rescan] [--wait-for-debugger]

    Loads features from shared libraries, composes them, and shows them in this terminal.

      --plugin ID|FILE    load this plugin; without the option, load all plugins in the plugin folders
      --without ID|FILE   leave this plugin out
      --plugins-dir DIR   look for plugins here first; then in GANGWAY_PLUGIN_PATH (absolute folders, separated
                          by colons), then installed ones in ~/.local/lib/gangway/plugins, then beside this program
      --script FILE|-     run commands from a file or standard input; stop at the first failed command with exit 1
      --config FILE       order, group and hide tabs, and set the first screen: Documentation/Configuration.md
      --lock FILE         load only libraries that this lock lists: see `gangway lock`
      --trusted-keys FILE load only libraries that one of these keys signed: see `gangway sign`
      --open URL          open a link once the app has started
      --safe-mode         show the installed plugins, and load a plugin only when the user chooses Try again
      --eager             load all plugins at the start, not at their first use
      --rescan            check and probe all files again, and ignore the cache
      --probe-timeout S   the seconds that one step of a probe may take; default 10
      --memory-limit MB   the limit of the process's address space; default none
      --file-limit N      the limit of the process's open files; default none
      --process-limit N   the limit of further processes and threads of the user; default none, and none for root
      --load-timeout S    the seconds that the code of a library may take to load; default 10
      --wait-for-debugger wait for a debugger before anything is loaded
      --serve             speak the presentation protocol on standard input and output
      --launch JSON...    the settings of a supervisor, as one JSON text in any number of pieces
      --probe FILE...     load each file, and print a JSON line for it: its contributions, or why it is refused
      --validate FILE     use a plugin as a user would, and print the findings: see `gangway validate`
      --data FOLDER       the data of plugins for --validate, which works on a copy; default none
      --damaged-data F    the same, but damage the copy first, and see whether the plugin keeps the files
      --destructive       press destructive buttons, too, in the walk of --validate
      --fit               load all plugins, and print a JSON line for each mismatch: see `gangway doctor`
      --seed N, --steps N the seed and the number of steps of the random walk of --validate
      --control-group DIR join this control group (cgroup v2) before anything is loaded
      --watch MARKER      for `gangway run`: wait until standard input closes, then end processes that features started
      --help, --version

    Exit codes: 0 success; 1 a command or --open failed, or nothing could be shown; 64 wrong usage;
    66 a script or folder could not be read.
    """
}
