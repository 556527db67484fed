/// Fits the limits to the descriptors of the process and the memory of the machine.
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

  /// The memory of a host with a sample feature, in bytes: 22 MB were measured.
  private static let memoryOfHost = 32 << 20

  /// Lowers the numbers of connections and sessions to what the process can serve. Hosts and files keep their descriptors.
  ///
  /// - Parameters:
  ///   - descriptors: how many files and connections the process may have open at once.
  ///   - hosts: how many hosts share the sessions, with those that are kept ready.
  ///   - isolatesSessions: whether each session has a host of its own.
  ///   - memory: the memory that the server may use, in bytes. Isolated sessions take at most half of it.
  /// - Returns: a message for the operator; nil if nothing had to be lowered.
  /// - Throws: ``WebServer/Failure`` if the descriptors are too few to serve anybody.
  public mutating func fit(
    descriptors: Int, hosts: Int, isolatesSessions: Bool = false, memory: Int = .max
  ) throws(WebServer.Failure) -> String? {
    let notices = [
      isolatesSessions ? fitSessions(to: memory) : nil,
      try fitDescriptors(descriptors, hosts: hosts, isolatesSessions: isolatesSessions),
    ].compactMap { $0 }
    return notices.isEmpty ? nil : notices.joined(separator: "\n")
  }

  private mutating func fitSessions(to memory: Int) -> String? {
    let most = max(1, memory / 2 / Self.memoryOfHost)
    guard most < sessions else { return nil }
    let wanted = sessions
    sessions = most
    // One user does not take all of them.
    sessionsPerPerson = min(sessionsPerPerson, max(1, most / 4))
    return """
      The server may use \(memory >> 20) MB of memory, and each isolated session has a host. So it takes at most \
      \(most) running sessions instead of \(wanted), \(sessionsPerPerson) of them for one user.
      """
  }

  private mutating func fitDescriptors(
    _ descriptors: Int, hosts: Int, isolatesSessions: Bool
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
