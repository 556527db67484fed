import ArgumentParser
import GangwayClient
import GangwayHost
import Glibc

/// Where the command finds its parts and keeps its files.
package enum Locations {
  /// The host beside this command.
  static var host: String { ProcessIO.executableFolder + "/gangway-host" }

  /// The executable beside this command that shows apps in browsers.
  static var server: String { ProcessIO.executableFolder + "/gangway-serve" }

  /// The folder for state and logs, as the XDG base directory specification says.
  package static var state: String {
    if let path = variable("XDG_STATE_HOME"), path.hasPrefix("/") { return path + "/gangway" }
    return (variable("HOME") ?? "/tmp") + "/.local/state/gangway"
  }

  /// The file of the lines that were typed into the plain front end.
  static var history: String { state + "/plain-history" }

  /// The folder of the sockets by which running apps are reached.
  package static var sockets: String { state + "/run" }

  /// The file in which a person says how the terminal is to be.
  static var settings: String {
    if let path = variable("XDG_CONFIG_HOME"), path.hasPrefix("/") { return path + "/gangway/terminal.conf" }
    return (variable("HOME") ?? "/tmp") + "/.config/gangway/terminal.conf"
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Writes a line to standard error, where everything goes that is not a result.
  package static func complain(_ line: String) {
    _ = ProcessIO.writeAll(Array((TerminalText.fit(line) + "\n").utf8), to: STDERR_FILENO)
  }

  /// Writes a result to standard output.
  ///
  /// - Throws: the exit code 1, once it is said that nobody reads it.
  static func result(_ text: String) throws { try result(StyledText(text)) }

  /// Writes a result to standard output, with colours where that is a terminal.
  ///
  /// - Throws: the exit code 1, once it is said that nobody reads it.
  static func result(_ text: StyledText) throws {
    guard !ProcessIO.writeAll(Array(text.rendered().utf8), to: STDOUT_FILENO) else { return }
    complain("gangway: the result cannot be written: \(String(cString: strerror(errno))).")
    throw ExitCode(1)
  }

  /// Writes a result to standard output.
  ///
  /// - Returns: whether anybody still reads it.
  @discardableResult package static func output(_ text: String) -> Bool {
    ProcessIO.writeAll(Array(TerminalText.fit(text).utf8), to: STDOUT_FILENO)
  }
}
