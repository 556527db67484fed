/// Everything that one plugin contributes: its records, and the code behind them.
///
/// A class, so that a contribution costs the same however many there are.
@MainActor final class PluginContributions {
  let plugin: String
  /// By kind, each in the order of their registration.
  private(set) var records: [ContributionRecord.Kind: [ContributionRecord]] = [:]
  var dependencies: [PluginManifest.Dependency] = []
  var tabs: [Registry.Tab] = []
  var places: [PlaceRegistration] = []
  var guards: [GuardRegistration] = []
  var observers: [ObserverRegistration] = []
  var transitions: [TransitionRule] = []
  var services = ServiceTable()
  var slots: [SlotRegistration] = []
  var contributions: [SlotContribution] = []
  var links: [LinkRegistration] = []
  var uses: [Use] = []
  /// What is wrong with them, each with both rivals.
  var problems: [String] = []

  /// What was registered under a kind and an id: one of ten thousand is not looked for among all others.
  private var registered: [ContributionRecord.Kind: [String: ContributionRecord]] = [:]
  private(set) var count = 0

  init(plugin: String) { self.plugin = plugin }

  /// Counts one more contribution.
  func countOne() { count += 1 }

  /// Notes a contribution.
  ///
  /// - Returns: the one that was registered under that kind and id before, if there is one.
  @discardableResult func note(_ record: ContributionRecord) -> ContributionRecord? {
    records[record.kind, default: []].append(record)
    return registered[record.kind, default: [:]].updateValue(record, forKey: record.id)
  }

  /// What it contributes, as data: the kinds in a certain order, services by their names.
  func manifest(version: String) -> PluginManifest {
    let kinds: [ContributionRecord.Kind] = [
      .tab, .place, .link, .guard, .observer, .service, .slot, .contribution, .use,
    ]
    return PluginManifest(
      id: plugin, version: version, records: kinds.flatMap { records[$0] ?? [] }, dependencies: dependencies)
  }
}

/// A flow that other features show as a place.
struct PlaceRegistration {
  let id: ContributionID
  let plugin: String
  let payload: String
  let schema: Int
  let guards: @MainActor (PluginContext) -> [NavigationGuard]
  /// Whether a payload is one of the place's.
  let check: @MainActor (Place) throws -> Void
  let make: @MainActor (Place, PluginContext) throws -> any Coordinator
}

/// A guard that is asked before every navigation in the application.
struct GuardRegistration {
  let plugin: String
  let order: Int
  let name: String
  /// How it answers, given its plugin's context in the session that asks.
  let make: @MainActor (PluginContext) -> NavigationGuard
}

/// Code of a plugin's that is told of every commit.
struct ObserverRegistration {
  let plugin: String
  let name: String
  let tell: @MainActor (NavigationCommit, PluginContext) async throws -> Void
}
