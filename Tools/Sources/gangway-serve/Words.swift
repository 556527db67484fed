/// The messages of the web server's command; the code that decides which message to print is elsewhere.
enum Words {
  // The addresses, on one line each.

  static func open(_ address: String) -> String { "Open \(address)" }

  static func ownerAddress(_ address: String) -> String { "For the owner: \(address)" }

  static func addressForUser(_ address: String) -> String {
    "The address above has been used. Address for another user: \(address)"
  }

  static func addressForBrowser(_ address: String) -> String {
    "The address above has been used. Address for another browser: \(address)"
  }

  static func portInUse(_ last: Int, new: Int) -> String {
    """
    Another program uses port \(last), the port of the last run. This run uses port \(new), so browsers of the last \
    run need a new address. To keep their addresses, stop the other program, and start the server again.
    """
  }

  static func notALanguage(_ tag: String) -> String {
    "--language takes the tag of a language, such as en, ar or pt-BR, not '\(tag)'."
  }

  /// Messages about the folder of `--state-dir`.
  enum Folder {
    static func inUse(_ folder: String, process: Int32?) -> String {
      let other = process.map { " (process \($0))" } ?? ""
      return "Another server\(other) uses '\(folder)'. Stop that server, or name another folder with --state-dir."
    }

    static func notLocked(_ folder: String, reason: String) -> String {
      "'\(folder)' could not be locked: \(reason). Name another folder with --state-dir."
    }

    static func unusable(_ folder: String, reason: String) -> String {
      "'\(folder)' cannot be used: \(reason). Name another folder with --state-dir."
    }

    static func isLink(_ path: String) -> String { "'\(path)' is a symbolic link. Name its target with --state-dir." }

    static func isFile(_ path: String) -> String { "'\(path)' is not a folder. Name a folder with --state-dir." }

    static func foreign(_ folder: String, owner: UInt32, user: UInt32) -> String {
      """
      '\(folder)' belongs to user \(owner), but the current user is \(user). \
      Name a folder of your own with --state-dir.
      """
    }

    static func writableByOthers(_ folder: String, mode: String) -> String {
      """
      Others can write to '\(folder)' (mode \(mode), not 700), and could add users to this server. \
      If you trust what is in it, run: chmod 700 '\(folder)'
      """
    }

    static func unwritable(_ folder: String) -> String {
      "'\(folder)' could not be written. Name another folder with --state-dir."
    }
  }
}
