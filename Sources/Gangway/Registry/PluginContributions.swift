@_spi(FrontEnd) import GangwayProtocol

/// All contributions of one plugin: the records, and the code behind them.
///
/// This is a class, so that adding a contribution costs the same however many there are.
@MainActor final class PluginContributions {
  let plugin: PluginID
  /// The records by kind, each in the order of their registration.
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
  /// The problems of the contributions, each with both rivals.
  var problems: [String] = []

  /// The records by kind and id, so that no search goes through thousands of contributions.
  private var registered: [ContributionRecord.Kind: [String: ContributionRecord]] = [:]
  private(set) var count = 0

  init(plugin: PluginID) { self.plugin = plugin }

  /// Counts one more contribution.
  func countOne() { count += 1 }

  /// Notes a contribution.
  ///
  /// - Returns: the record that was registered under the same kind and id before, if there is one.
  @discardableResult func note(_ record: ContributionRecord) -> ContributionRecord? {
    records[record.kind, default: []].append(record)
    return registered[record.kind, default: [:]].updateValue(record, forKey: record.id)
  }

  /// Returns the contributions as data: kinds in a fixed order, services by name.
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
  let plugin: PluginID
  let payload: String
  let schema: Int
  let guards: @MainActor (PluginContext) -> [NavigationGuard]
  /// Checks whether a payload fits the place.
  let check: @MainActor (Place) throws -> Void
  /// The type of the flow's result; nil if it ends without a value.
  let output: String?
  /// Returns a result that resembles what a user of the place expects, both as JSON text: ``ResultExample``.
  let exampleResult: @MainActor (_ example: String, _ invents: Bool) throws -> ResultExample?
  /// Returns the place with each of the author's sample payloads, or as it is if it takes no payload.
  let samples: @MainActor () throws -> [Place]
  let make: @MainActor (Place, PluginContext) throws -> any Coordinator
}

/// A guard that runs before every navigation in the application.
struct GuardRegistration {
  let plugin: PluginID
  let order: Int
  let name: String
  /// Creates the guard from its plugin's context in the session that runs the guard.
  let make: @MainActor (PluginContext) -> NavigationGuard
}

/// Code of a plugin that receives every commit.
struct ObserverRegistration {
  let plugin: PluginID
  let name: String
  let tell: @MainActor (NavigationCommit, PluginContext) async throws -> Void
}
