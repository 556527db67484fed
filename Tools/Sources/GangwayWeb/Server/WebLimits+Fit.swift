/// Adapts the limits to the descriptors of the process and the memory of the machine.
extension WebLimits {
  /// Descriptors of logs, event loops, the port and other commands, and of files while they are written, sent or
  /// received; see ``FileLimits``.
  private static let descriptorsOfServer = 64
  /// Descriptors of a host: its channel, its output and its process, and more during its start.
  private static let descriptorsOfHost = 12
  /// Descriptors of a host after its start.
  private static let descriptorsOfRunningHost = 6
  /// Descriptors of a session: its lock, its journal, and its file during a rewrite.
  private static let descriptorsOfSession = 3
  /// The fewest connections with which a server is useful.
  private static let fewestConnections = 16

  /// The memory to plan for a host, in bytes; a host with a sample feature took 22 MB.
  private static let memoryOfHost = 32 << 20

  /// Lowers the limits of connections and sessions to the resources of the process.
  ///
  /// Hosts and files keep their descriptors.
  ///
  /// - Parameters:
  ///   - descriptors: the most files and connections that the process may have open at once.
  ///   - hosts: the number of hosts that share the sessions, including spare hosts.
  ///   - isolatesSessions: whether each session has its own host.
  ///   - memory: the memory that the server may use, in bytes; isolated sessions take at most half of it.
  /// - Returns: a message for the operator; nil if no limit was lowered.
  /// - Throws: ``WebServer/Failure`` if there are too few descriptors to serve any user.
  @_spi(FrontEnd) public mutating func fit(
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
    // One user must not take all sessions.
    sessionsPerPerson = min(sessionsPerPerson, max(1, most / 4))
    return Words.Operator.littleMemory(memory >> 20, most: most, wanted: wanted, own: sessionsPerPerson)
  }

  private mutating func fitDescriptors(
    _ descriptors: Int, hosts: Int, isolatesSessions: Bool
  ) throws(WebServer.Failure) -> String? {
    let reserved = Self.descriptorsOfServer + Self.descriptorsOfHost * hosts
    let perSession = Self.descriptorsOfSession + (isolatesSessions ? Self.descriptorsOfRunningHost : 0)
    let fewest = reserved + 2 * Self.fewestConnections
    guard descriptors >= fewest else {
      throw WebServer.Failure(description: Words.Operator.tooFewDescriptors(descriptors, needed: fewest))
    }
    let wanted = (connections, sessions)
    // Connections and sessions must not take each other's descriptors.
    let rest = descriptors - reserved
    connections = min(connections, max(rest / 2, rest - sessions * perSession))
    sessions = min(sessions, max(1, (rest - connections) / perSession))
    guard wanted != (connections, sessions) else { return nil }
    return Words.Operator.fewDescriptors(
      descriptors, connections: wanted.0 == connections ? nil : (connections, wanted.0),
      sessions: wanted.1 == sessions ? nil : (sessions, wanted.1))
  }
}
