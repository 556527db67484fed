@_spi(FrontEnd) import GangwayProtocol

/// The interface of a keeper to the hosts that show its session.
@MainActor protocol SessionHosting: AnyObject {
  /// The running host; nil while the next one has not started.
  var host: RunningHost? { get }
  var options: SupervisorOptions { get }
  /// The states of the plugins, by id.
  var statuses: [PluginID: HostMessage.PluginStatus] { get }
  /// The sessions of the hosts.
  var keepers: [SessionKeeper] { get }
  /// Whether the host accepts events: not while it is being replaced or ended, nor before the next one runs.
  var takesEvents: Bool { get }

  /// Adds a session and shows it.
  func add(_ keeper: SessionKeeper)
  /// Removes a session.
  func remove(_ keeper: SessionKeeper)
  /// Returns the number of the next event; sessions share the numbers.
  func nextEvent() -> EventID
  /// Ends the host; the next one takes over the sessions.
  func restart()
  /// Ends the host because it did not answer.
  ///
  /// - Parameters:
  ///   - limit: the time that the host had to answer.
  ///   - byUser: whether the user made the decision, in which case no plugin is to blame.
  func endHung(after limit: Duration, byUser: Bool)
  /// Waits for the host's list of plugins.
  func listed() async
  /// Waits until no session has an event in flight.
  func idle() async throws(SupervisorFailure)
  /// Replaces a plugin by its current file.
  func reload(_ plugin: PluginID) async throws -> String
}
