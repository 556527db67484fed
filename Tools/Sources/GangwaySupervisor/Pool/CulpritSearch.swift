@_spi(FrontEnd) import GangwayProtocol

/// A search for the plugin that stops hosts without evidence.
///
/// There is no evidence if no event was in flight, and no report names a plugin's code.
///
/// After several such stops within a minute, all loaded plugins are left out and come back one by one, each for a
/// trial. A plugin is the culprit if the host stops again during its trial.
package struct CulpritSearch {
  /// The number of stops within ``CrashTally/span`` that starts a search.
  package static let limit = 3
  /// The reason to show for a plugin that is left out during the search.
  static let reason = Words.SetAside.search

  /// The result of a stop.
  enum Outcome: Hashable {
    case nothing
    /// Leave these plugins out and bring them back in this order.
    case begin([PluginID])
    /// This plugin is the culprit.
    case found(PluginID)
  }

  private var stops: [(moment: ContinuousClock.Instant, uptime: Duration)] = []
  /// The plugins that have not come back yet.
  private var waiting: [PluginID] = []
  /// The plugin that is coming back, or came back last; each host that starts meanwhile remembers it.
  private(set) var onTrial: PluginID?
  /// The culprits found since the search began.
  private(set) var found: [PluginID] = []
  /// Whether plugins are still coming back.
  private(set) var isUnderWay = false
  /// The length of a trial: twice the longest uptime of the hosts that stopped, but at least the minimum.
  private(set) var trial: Duration
  private let minimumTrial: Duration

  init(minimumTrial: Duration) { (trial, self.minimumTrial) = (minimumTrial, minimumTrial) }

  /// Counts an unexplained stop, which may be known only long after it.
  ///
  /// - Parameters:
  ///   - uptime: the uptime of the host.
  ///   - loaded: the plugins that were loaded, in the order in which they are needed.
  ///   - plugin: the plugin that was on trial when the host started; nil if there was none.
  mutating func noteStop(
    after uptime: Duration, loaded: [PluginID], inTrialOf plugin: PluginID? = nil,
    at moment: ContinuousClock.Instant
  ) -> Outcome {
    if isUnderWay {
      // A host without a trial is from before the search. A found plugin may have stopped several hosts of its trial.
      guard let plugin, !found.contains(plugin) else { return .nothing }
      found.append(plugin)
      return .found(plugin)
    }
    stops = stops.filter { moment - $0.moment < CrashTally.span } + [(moment, uptime)]
    guard stops.count >= Self.limit, !loaded.isEmpty else { return .nothing }
    trial = max(minimumTrial, (stops.map(\.uptime).max() ?? .zero) * 2)
    (stops, waiting, found, isUnderWay) = ([], loaded, [], true)
    return .begin(loaded)
  }

  /// Returns the next plugin to bring back; nil when all are back and the search is over.
  mutating func next() -> PluginID? {
    onTrial = nil
    isUnderWay = !waiting.isEmpty
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// Starts the trial of a plugin, which is about to come back.
  mutating func begin(_ plugin: PluginID) { onTrial = plugin }
}
