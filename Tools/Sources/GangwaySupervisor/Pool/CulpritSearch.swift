/// The search for the plugin that stops hosts when nothing says which one it is: no event was being handled, and no report
/// names anybody's code.
///
/// After some such stops within a minute the plugins that were loaded are left out, and come back one by one, each for a trial.
/// The one with which the host stops again is the one.
struct CulpritSearch {
  /// How many stops within ``CrashTally/span`` begin a search.
  static let limit = 3
  /// Why a plugin is left out meanwhile.
  static let reason = "it is being found out which plugin stops the host; this one comes back by itself"

  /// What follows from a stop.
  enum Outcome: Hashable {
    case nothing
    /// These are to be left out, and come back in this order.
    case begin([String])
    /// This one did it.
    case found(String)
  }

  private var stops: [(moment: ContinuousClock.Instant, uptime: Duration)] = []
  /// Those that are still to come back.
  private var waiting: [String] = []
  /// The one that came back last.
  private(set) var onTrial: String?
  /// Those that were found since the search began.
  private(set) var found: [String] = []
  /// Whether plugins are coming back.
  private(set) var isUnderWay = false
  /// How long a plugin is watched that has come back: twice as long as any host stayed up that stopped.
  private(set) var trial: Duration
  private let minimumTrial: Duration

  init(minimumTrial: Duration) { (trial, self.minimumTrial) = (minimumTrial, minimumTrial) }

  /// Counts a stop that nothing explains.
  ///
  /// - Parameters:
  ///   - uptime: how long the host had been up.
  ///   - loaded: the plugins that were loaded in it, those first that are needed first.
  mutating func noteStop(
    after uptime: Duration, loaded: [String], at moment: ContinuousClock.Instant = .now
  ) -> Outcome {
    if isUnderWay {
      // With nothing on trial it is a host that was started before.
      guard let plugin = onTrial else { return .nothing }
      onTrial = nil
      found.append(plugin)
      return .found(plugin)
    }
    stops = stops.filter { moment - $0.moment < CrashTally.span } + [(moment, uptime)]
    guard stops.count >= Self.limit, !loaded.isEmpty else { return .nothing }
    trial = max(minimumTrial, (stops.map(\.uptime).max() ?? .zero) * 2)
    (stops, waiting, found, isUnderWay) = ([], loaded, [], true)
    return .begin(loaded)
  }

  /// The next that comes back; nil where all have, and the search is over.
  mutating func next() -> String? {
    onTrial = nil
    isUnderWay = !waiting.isEmpty
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// Begins the trial of a plugin that has come back.
  mutating func begin(_ plugin: String) { onTrial = plugin }
}
