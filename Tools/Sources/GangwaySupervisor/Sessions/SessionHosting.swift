import GangwayProtocol

/// What a keeper needs of the hosts that show its session.
@MainActor protocol SessionHosting: AnyObject {
  /// The host that runs; nil between two.
  var host: HostProcess? { get }
  var options: SupervisorOptions { get }
  /// How far the plugins have come, by id.
  var statuses: [String: HostMessage.PluginStatus] { get }
  /// The sessions that it has.
  var keepers: [SessionKeeper] { get }
  /// Whether events go to the host: not while another takes over, while it is being ended, nor between two.
  var takesEvents: Bool { get }

  /// Takes a session in, and shows it.
  func add(_ keeper: SessionKeeper)
  /// Lets a session go.
  func remove(_ keeper: SessionKeeper)
  /// The number of the next event, over all sessions.
  func nextEvent() -> EventID
  /// Ends the host; the next one goes on.
  func restart()
  /// Ends the host because it gave no answer.
  ///
  /// - Parameter byUser: whether the user decided that, which is evidence against nobody.
  func endHung(after limit: Duration, byUser: Bool)
  /// Waits until it is known which plugins there are.
  func listed() async
  /// Waits until it is between two events of every session.
  func idle() async throws(SupervisorFailure)
  /// Replaces a plugin by its present file.
  func reload(_ plugin: String) async throws -> String
}
