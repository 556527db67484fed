import Glibc

/// Where the command finds its parts and keeps its files.
enum Locations {
  /// The host beside this command, links resolved.
  static var host: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".") + "/gangway-host"
  }

  /// The folder for state and logs, as the XDG base directory specification says.
  static var state: String {
    if let path = variable("XDG_STATE_HOME"), path.hasPrefix("/") { return path + "/gangway" }
    return (variable("HOME") ?? "/tmp") + "/.local/state/gangway"
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Writes a line to standard error, where everything goes that is not a result.
  static func complain(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  /// Writes a result to standard output.
  ///
  /// - Returns: whether anybody still reads it.
  @discardableResult static func output(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress! + done, bytes.count - done) }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { return false }
      done += written
    }
    return true
  }
}
