extension Registry {
  /// What a plugin contributes while its `register(in:)` runs: taken over as a whole or not at all.
  ///
  /// A class, so that a contribution costs the same however many there are.
  @MainActor final class Draft {
    let plugin: String
    var tabs: [Tab] = []
    var places: [PlaceRegistration] = []
    var guards: [GuardRegistration] = []
    var services = ServiceTable()
    var slots: [SlotRegistration] = []
    var contributions: [SlotContribution] = []
    var links: [LinkRegistration] = []
    var uses: [Use] = []
    var dependencies: [PluginManifest.Dependency] = []
    var problems: [String] = []
    /// The ids of coordinators, each once: one of ten thousand is not looked for among all others.
    var names: Set<String> = []
    /// How many contributions were made.
    var count = 0

    init(plugin: String) { self.plugin = plugin }

    /// What it contributes, as data.
    func manifest(version: String) -> PluginManifest {
      var manifest = PluginManifest(id: plugin, version: version)
      manifest.tabs = tabs.map {
        .init(
          id: $0.id, title: $0.title, symbol: $0.symbol, order: $0.order, group: $0.group, isShown: $0.isShown,
          hasStack: $0.routes != nil, guards: $0.guards.map(\.name))
      }
      manifest.places = places.map { .init(id: $0.id, payload: $0.payload, schema: $0.schema) }
      manifest.links = links.map { .init(pattern: $0.pattern.description, payload: $0.payload) }
      manifest.guards = guards.map(\.guard.name)
      manifest.services = services.named.values.map { .init(id: $0.id, operations: $0.operations.keys.sorted()) }
        .sorted { $0.id < $1.id }
      manifest.typedServices = services.typed.values.map(\.name).sorted()
      manifest.slots = slots.map { .init(id: $0.id, value: $0.value) }
      manifest.contributions = contributions.map {
        .init(slot: $0.slot, place: $0.place, order: $0.order, type: $0.type, encoded: $0.encoded)
      }
      manifest.uses = uses.map { use in
        switch use.kind {
        case .place: .init(id: use.id, operation: nil, isOptional: use.isOptional)
        case .service(let operation): .init(id: use.id, operation: operation, isOptional: use.isOptional)
        }
      }
      manifest.dependencies = dependencies
      return manifest
    }
  }

  /// The draft of the plugin that registers now; nil, once that is noted, where none does or it contributes without end.
  func openDraft(_ what: @autoclosure () -> String) -> Draft? {
    guard let draft else {
      noteLateCall(what())
      return nil
    }
    draft.count += 1
    guard draft.count > Self.maximumContributions else { return draft }
    if draft.count == Self.maximumContributions + 1 {
      draft.problems.append(
        "contributes more than \(Self.maximumContributions) things; at most that many are taken from one plugin")
    }
    return nil
  }

  /// How much one plugin may contribute.
  static let maximumContributions = 10_000

  /// Changes what the plugin contributes that registers now; `change` is given the full id, `plugin.name`.
  func contribute(_ kind: String, _ name: String, _ change: (Draft, String) -> Void) {
    guard let draft = openDraft("\(kind) \(name)") else { return }
    if !Self.isID(name) {
      draft.problems.append("registers the \(kind) '\(name)', whose name is not of the form [a-z][a-z0-9-]*")
    }
    change(draft, "\(draft.plugin).\(name)")
  }

  /// Says that this plugin needs another: it is loaded first, and where it is missing, too old, or fails, this one is
  /// refused with that reason.
  ///
  /// - Parameters:
  ///   - plugin: the other plugin's id.
  ///   - minimum: the lowest version that will do, `major.minor.patch`; nil for any. Any higher one will do too.
  ///   - isOptional: whether this plugin does without it where it is not there. It is loaded first where it is, and still
  ///     must not be older than `minimum`.
  public func depends(on plugin: String, from minimum: String? = nil, isOptional: Bool = false) {
    guard let draft = openDraft("the dependency on \(plugin)") else { return }
    if !Self.isID(plugin) {
      draft.problems.append("depends on '\(plugin)', which is no id of the form [a-z][a-z0-9-]*")
    }
    if draft.dependencies.contains(where: { $0.plugin == plugin }) {
      draft.problems.append("depends on \(plugin) twice")
    }
    let version = minimum.flatMap(PluginVersion.init)
    if let minimum, version == nil {
      draft.problems.append("depends on \(plugin) from '\(minimum)', which is no version of the form 1.2.3")
    }
    draft.dependencies.append(.init(plugin: plugin, minimum: version, isOptional: isOptional))
  }
}
