import ArgumentParser
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayHost
import Glibc

/// The locations of the command's parts and files, and its output.
package enum Locations {
  /// The host executable beside this command.
  static var host: String { ProcessIO.executableFolder + "/gangway-host" }

  /// The executable beside this command that shows apps in browsers.
  static var server: String { ProcessIO.executableFolder + "/gangway-serve" }

  /// The folder for state and logs, according to the XDG Base Directory Specification.
  package static var state: String {
    if let path = variable("XDG_STATE_HOME"), path.hasPrefix("/") { return path + "/gangway" }
    return (variable("HOME") ?? "/tmp") + "/.local/state/gangway"
  }

  /// The file with the history of the plain front end.
  static var history: String { state + "/plain-history" }

  /// The folder for the sockets of running apps.
  package static var sockets: String { state + "/run" }

  /// The file with the user's settings of the terminal front end.
  static var settings: String {
    if let path = variable("XDG_CONFIG_HOME"), path.hasPrefix("/") { return path + "/gangway/terminal.conf" }
    return (variable("HOME") ?? "/tmp") + "/.config/gangway/terminal.conf"
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Prints an error to standard error.
  package static func fail(_ problem: Any) { complain("error: \(problem)") }

  /// Prints a fact that the user should know to standard error.
  package static func note(_ fact: Any) { complain("note: \(fact)") }

  /// Writes a line to standard error, which takes all output except results.
  package static func complain(_ line: String) {
    _ = ProcessIO.writeAll(Array((TerminalText.fit(line) + "\n").utf8), to: STDERR_FILENO)
  }

  /// Writes a result to standard output.
  ///
  /// - Throws: the exit code 1, after printing why the result cannot be written.
  static func result(_ text: String) throws { try result(StyledText(text)) }

  /// Writes a result to standard output, with colours in a terminal.
  ///
  /// - Throws: the exit code 1, after printing why the result cannot be written.
  static func result(_ text: StyledText) throws {
    guard !ProcessIO.writeAll(Array(text.rendered().utf8), to: STDOUT_FILENO) else { return }
    fail(Words.Files.outputUnwritable(reason: String(cString: strerror(errno))))
    throw ExitCode(1)
  }

  /// Writes a result to standard output.
  ///
  /// - Returns: whether the text could be written.
  @discardableResult package static func output(_ text: String) -> Bool {
    ProcessIO.writeAll(Array(TerminalText.fit(text).utf8), to: STDOUT_FILENO)
  }
}
