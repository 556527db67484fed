import Glibc

/// What a host was asked to do on its command line.
public struct HostOptions: Sendable {
  enum Mode: Sendable {
    /// One session, drawn by the plain front end in this process.
    case alone
    /// Sessions over the presentation protocol on standard input and output.
    case serve
    /// Say what plugins are, a JSON line for each file.
    case probe([String])
    case help
    case version
  }

  /// A mistake on the command line.
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  var mode = Mode.alone
  var plugins: [String] = []
  /// Ids and paths to leave out, each with its reason.
  var without: [String: String] = [:]
  var folders: [String] = []
  var script: String?
  var searchPath: String?
  /// The file of the host's configuration.
  var configuration: String?
  /// A URL to open when the session has started.
  var open: String?

  /// Reads the arguments after the program's name.
  ///
  /// - Throws: ``UsageError`` naming the argument and what is accepted.
  init(_ arguments: [String]) throws {
    searchPath = getenv("GANGWAY_PLUGIN_PATH").map { String(cString: $0) }
    var rest = arguments[...]
    func value(_ option: String) throws -> String {
      guard let value = rest.popFirst() else { throw UsageError(description: "\(option) needs a value.") }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--plugin": plugins.append(try value(argument))
      case "--without": leaveOut(try value(argument))
      case "--plugins-dir": folders.append(try value(argument))
      case "--script": script = try value(argument)
      case "--config": configuration = try value(argument)
      case "--open": open = try value(argument)
      case "--serve": mode = .serve
      case "--probe":
        mode = .probe(Array(rest))
        rest = []
      case "--help", "-h": mode = .help
      case "--version": mode = .version
      default:
        throw UsageError(description: "There is no option '\(argument)'.")
      }
    }
  }

  /// `ID`, `PATH`, or either with `=REASON`.
  private mutating func leaveOut(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1)
    let name = parts.first.map(String.init) ?? text
    without[name] = parts.count > 1 ? String(parts[1]) : "it was left out with --without"
  }

  static let usage = """
    Usage: gangway-host [--plugin ID|FILE]... [--without ID|FILE]... [--plugins-dir DIR]... [--script FILE|-]
                        [--config FILE] [--open URL]

    Loads features from shared libraries, composes them, and drives them in this terminal.

      --plugin ID|FILE    load this plugin; without the option, all that are found
      --without ID|FILE   leave this plugin out
      --plugins-dir DIR   look for plugins here first; then in GANGWAY_PLUGIN_PATH (absolute folders, separated
                          by colons), then beside this program
      --script FILE|-     run commands from a file or standard input; the first that fails ends the run with 1
      --config FILE       order, group and hide tabs, and say where to start: Documentation/Configuration.md
      --open URL          go where a link leads once the app has started
      --serve             speak the presentation protocol on standard input and output
      --probe FILE...     load each file and say, a JSON line for each, what it contributes or why it is refused
      --help, --version

    Exit: 0 fine, 1 a script failed or nothing could be shown, 64 wrong usage.
    """
}
