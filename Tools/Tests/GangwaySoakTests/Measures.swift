import Testing

/// The resources of an app's processes after a round.
struct Measures: CustomStringConvertible {
  /// The number of hosts, including spare ones.
  var hosts = 0
  /// The most threads of a host.
  var threads = 0
  /// The most descriptors of a host.
  var hostDescriptors = 0
  /// The descriptors and resident kilobytes of the terminal's command and of the server.
  var terminal = (descriptors: 0, memory: 0)
  var server = (descriptors: 0, memory: 0)
  /// The number of intact databases.
  var databases = 0

  var description: String {
    "\(hosts) hosts, \(threads) threads with one table, \(hostDescriptors) descriptors; "
      + "terminal \(terminal.descriptors) descriptors, \(terminal.memory / 1024) MB; "
      + "server \(server.descriptors) descriptors, \(server.memory / 1024) MB; \(databases) databases"
  }

  /// The most descriptors by which a process may exceed the first round.
  private static let moreDescriptors = 16

  /// Checks that a round left nothing behind.
  func check(since first: Measures, _ round: String) {
    let pairs = [
      ("a host", first.hostDescriptors, hostDescriptors),
      ("the terminal's command", first.terminal.descriptors, terminal.descriptors),
      ("the server", first.server.descriptors, server.descriptors),
    ]
    for (name, before, now) in pairs {
      let more = Self.moreDescriptors
      #expect(
        now <= before + more,
        "\(round): \(name) has \(now) descriptors, and had \(before) after round 1; \(more) more are fine"
      )
    }
    for (name, before, now) in [
      ("the terminal's command", first.terminal.memory, terminal.memory),
      ("the server", first.server.memory, server.memory),
    ] {
      let most = before * 3 / 2 + 20 * 1024
      #expect(
        now > 0 && now <= most,
        "\(round): \(name) has \(now) KB, and had \(before) KB after round 1; at most \(most) KB are fine")
    }
  }
}
