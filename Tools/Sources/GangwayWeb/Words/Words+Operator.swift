extension Words {
  /// Messages for the operator of a server.
  enum Operator {
    static func portUnavailable(_ port: Int, of host: String, reason: String) -> String {
      "Port \(port) of \(host) is not available: \(reason). Name another port with --port, or 0 for a free one."
    }

    static func notAccepting(reason: String) -> String {
      "Connections cannot be accepted: \(reason). The server tries again "
        + "every second. If this continues, raise the limit of open files, for example with LimitNOFILE= in its "
        + "systemd unit."
    }

    // Limits.

    /// - Parameters:
    ///   - memory: the memory in megabytes.
    ///   - most: the most sessions.
    ///   - wanted: the limit that was asked for.
    ///   - own: the most sessions of one user.
    static func littleMemory(_ memory: Int, most: Int, wanted: Int, own: Int) -> String {
      """
      The server may use \(memory) MB of memory, and each isolated session has a host. So the limit of \
      running sessions is \(most) instead of \(wanted), and \(own) for each user.
      """
    }

    static func tooFewDescriptors(_ count: Int, needed: Int) -> String {
      "This process can have at most \(count) files and connections open, but \(needed) are needed. "
        + "\(raiseLimit)"
    }

    /// - Parameters:
    ///   - count: the descriptors of the process.
    ///   - connections: the new limit of connections, and the one that was asked for; nil if it stays.
    ///   - sessions: the same for sessions.
    static func fewDescriptors(
      _ count: Int, connections: (most: Int, wanted: Int)?, sessions: (most: Int, wanted: Int)?
    ) -> String {
      let lowered = [
        connections.map { "\($0.most) connections instead of \($0.wanted)" },
        sessions.map { "\($0.most) running sessions instead of \($0.wanted)" },
      ].compactMap { $0 }.joined(separator: " and ")
      return
        "This process can have at most \(count) files and connections open. So the server accepts at most \(lowered). "
        + "\(raiseLimit)"
    }

    private static let raiseLimit =
      "Raise the limit: run 'ulimit -Hn 65536' as root in the shell that starts the server, "
      + "or set LimitNOFILE=65536 in its systemd unit."

    // The look of pages.

    static func fileUnusable(_ file: String, reason: String) -> String { "'\(file)' cannot be used: \(reason)." }

    static let notWords = "it is not a JSON object whose values are all strings"

    static func unknownWord(_ name: String, nearest: String?, known: [String]) -> String {
      "it has the unknown name '\(name.prefix(80))'"
        + "\(nearest.map { "; did you mean '\($0)'?" } ?? ""); the known names are " + known.joined(separator: ", ")
    }

    static func otherPlaceholders(_ name: String, wanted: [String], given: [String]) -> String {
      "the text of '\(name)' has \(given.isEmpty ? "no placeholder" : given.joined(separator: ", ")), but needs "
        + (wanted.isEmpty ? "no placeholder" : wanted.joined(separator: ", "))
    }

    static let notRegular = "it is not a regular file"
    static let emptyOrGrowing = "it is empty, or another program writes to it"

    static func tooLarge(_ size: Int, limit: Int) -> String { "it has \(size) bytes, but at most \(limit) are allowed" }

    static func notAPicture(_ file: String) -> String {
      "'\(file)' is not a picture that browsers show. Use PNG, JPEG, GIF, WebP or SVG."
    }

    static func notText(_ file: String) -> String { "The style sheet '\(file)' is not UTF-8." }

    static func notAColor(_ text: String) -> String {
      "--accent takes a color such as '#2f55d4', or two such as '#2f55d4,#8fa9ff' for light and dark pages, "
        + "not '\(text)'."
    }

    static func notAnOrigin(_ text: String) -> String {
      "--frame-ancestors takes 'self' or an origin such as https://intranet.example.org, not '\(text)'."
    }

    // The list of users.

    static func listUnusable(_ file: String, reason: String) -> String {
      """
      '\(file)', the list of users, cannot be used: \(reason). Fix the file. Or move the file away; then every user \
      needs a new address.
      """
    }

    static func listNotStored(_ file: String, reason: String) -> String {
      "The list of users could not be stored in '\(file)': \(reason). Name another folder with --state-dir."
    }

    static let listIsLink = "it is a symbolic link"
    static let listIsNotRegular = "it is not a regular file"

    static func listIsForeign(owner: UInt32, user: UInt32) -> String {
      "it belongs to user \(owner), but the current user is \(user)"
    }

    static func listIsOpen(mode: String) -> String { "others can read or change it (mode \(mode), not 600)" }

    static func listIsCutOff(_ count: Int, of bytes: Int) -> String {
      "only \(count) of its \(bytes) bytes could be read"
    }
  }
}
