@_spi(FrontEnd) import GangwayProtocol

/// The object that a plugin registers its contributions with; each plugin gets its own.
///
/// It is valid while `register(in:)` runs. Later calls change nothing, and the host reports them.
@MainActor public final class Registrar {
  /// The plugin that registers.
  public let plugin: PluginID
  let contributions: PluginContributions
  private var isOpen = true
  private let noteLateCall: (String) -> Void

  /// The maximum number of contributions of one plugin.
  static let maximumContributions = 10_000

  init(plugin: PluginID, noteLateCall: @escaping (String) -> Void) {
    self.plugin = plugin
    contributions = PluginContributions(plugin: plugin)
    self.noteLateCall = noteLateCall
  }

  /// Ends the registration.
  func close() { isOpen = false }

  /// Returns the contributions to add to; nil after `register(in:)`, or beyond the maximum, which are both noted as
  /// problems.
  ///
  /// - Parameters:
  ///   - what: the contribution, for the message about a late call.
  ///   - counts: whether this is a contribution of its own, and not a part of the one before.
  func open(_ what: @autoclosure () -> String, counts: Bool = true) -> PluginContributions? {
    guard isOpen else {
      noteLateCall("\(what()) was registered outside register(in:) and is ignored")
      return nil
    }
    if counts { contributions.countOne() }
    guard contributions.count > Self.maximumContributions else { return contributions }
    if counts, contributions.count == Self.maximumContributions + 1 {
      contributions.problems.append(
        "has more than \(Self.maximumContributions) contributions, the most that one plugin may have")
    }
    return nil
  }

  /// Adds a contribution under a name within the plugin.
  ///
  /// This is the only place that checks ids.
  ///
  /// - Parameters:
  ///   - kind: the kind of the contribution.
  ///   - name: its name within the plugin.
  ///   - record: returns the contribution as data, for its id.
  ///   - change: adds the code behind it. It gets the record that was registered under the same id before.
  func contribute(
    _ kind: ContributionRecord.Kind, _ name: String, _ record: (ContributionID) -> ContributionRecord,
    _ change: (PluginContributions, ContributionID, ContributionRecord?) -> Void
  ) {
    guard let contributions = open("the \(kind.rawValue) \(name)") else { return }
    if !ContributionID.isName(name) {
      contributions.problems.append(
        "registers the \(kind.rawValue) '\(name)', whose name does not match [a-z][a-z0-9-]*")
    }
    let id = ContributionID(plugin: plugin, name: name)
    let rival = contributions.note(record(id))
    change(contributions, id, rival)
  }

  /// Declares that this plugin needs another plugin, which is loaded first.
  ///
  /// If the other plugin is missing, too old, or fails, this plugin is refused with that reason.
  ///
  /// - Parameters:
  ///   - plugin: the other plugin's id.
  ///   - minimum: the lowest version that works, `major.minor.patch`; nil for any. Any higher version works, too.
  ///   - isOptional: whether this plugin also works without the other. If the other exists, it is still loaded first,
  ///     and still must not be older than `minimum`.
  public func depends(on plugin: PluginID, from minimum: String? = nil, isOptional: Bool = false) {
    guard let contributions = open("the dependency on \(plugin)") else { return }
    if !ContributionID.isName(plugin.rawValue) {
      contributions.problems.append("depends on '\(plugin)', which is not an id: ids match [a-z][a-z0-9-]*")
    }
    if !dependencies.insert(plugin).inserted { contributions.problems.append("depends on \(plugin) twice") }
    let version = minimum.flatMap(PluginVersion.init)
    if let minimum, version == nil {
      contributions.problems.append("depends on \(plugin) from '\(minimum)', which is not a version like 1.2.3")
    }
    contributions.dependencies.append(.init(plugin: plugin, minimum: version, isOptional: isOptional))
  }
  private var dependencies: Set<PluginID> = []
}
