/// What the descriptors of a process are for: connections, sessions, hosts, and files.
extension WebLimits {
  /// Logs, event loops, the port, other commands, and files while they are written.
  private static let descriptorsOfServer = 64
  /// A host's channel, its output and its process; and what there is besides while it is started.
  private static let descriptorsOfHost = 12
  /// The same of a host that runs.
  private static let descriptorsOfRunningHost = 6
  /// A session's lock and its journal, and its file while it is written anew.
  private static let descriptorsOfSession = 3
  /// Below this, nobody could be served.
  private static let fewestConnections = 16

  /// Lowers the numbers of connections and sessions to what a process can serve. The descriptors of hosts and files are kept for them.
  ///
  /// - Parameters:
  ///   - descriptors: how many files and connections the process may have open at once.
  ///   - hosts: how many hosts share the sessions, with those that are kept ready.
  ///   - isolatesSessions: whether each session has a host of its own.
  /// - Returns: what to tell whoever runs the server; nil where nothing had to be lowered.
  /// - Throws: ``WebServer/Failure`` where there are too few for any.
  public mutating func fit(
    descriptors: Int, hosts: Int, isolatesSessions: Bool = false
  ) throws(WebServer.Failure) -> String? {
    let reserved = Self.descriptorsOfServer + Self.descriptorsOfHost * hosts
    let perSession = Self.descriptorsOfSession + (isolatesSessions ? Self.descriptorsOfRunningHost : 0)
    let fewest = reserved + 2 * Self.fewestConnections
    guard descriptors >= fewest else {
      throw WebServer.Failure(
        description:
          "This process may have only \(descriptors) files and connections open at once, and \(fewest) are needed. \(Self.advice)"
      )
    }
    let wanted = (connections, sessions)
    // Neither takes what the other needs.
    let rest = descriptors - reserved
    connections = min(connections, max(rest / 2, rest - sessions * perSession))
    sessions = min(sessions, max(1, (rest - connections) / perSession))
    guard wanted != (connections, sessions) else { return nil }
    let lowered = [
      wanted.0 == connections ? nil : "\(connections) connections instead of \(wanted.0)",
      wanted.1 == sessions ? nil : "\(sessions) running sessions instead of \(wanted.1)",
    ].compactMap { $0 }.joined(separator: " and ")
    return
      "This process may have \(descriptors) files and connections open at once. So the server takes at most \(lowered). \(Self.advice)"
  }

  private static let advice =
    "Raise the limit: run 'ulimit -Hn 65536' as root in the shell that starts the server, or set LimitNOFILE=65536 in its systemd unit."
}
