/// What a plugin registers with: through it a plugin contributes, and only that plugin.
///
/// It holds while `register(in:)` runs; what is called on it later changes nothing, and is told to the host.
@MainActor public final class Registrar {
  /// The plugin that registers.
  public let plugin: String
  let contributions: PluginContributions
  private var isOpen = true
  private let noteLateCall: (String) -> Void

  /// How much one plugin may contribute.
  static let maximumContributions = 10_000

  init(plugin: String, noteLateCall: @escaping (String) -> Void) {
    self.plugin = plugin
    contributions = PluginContributions(plugin: plugin)
    self.noteLateCall = noteLateCall
  }

  /// Ends what can be registered with it.
  func close() { isOpen = false }

  /// What is contributed to; nil, once that is noted, after `register(in:)` or where there is no end to it.
  func open(_ what: @autoclosure () -> String) -> PluginContributions? {
    guard isOpen else {
      noteLateCall("\(what()) was registered outside register(in:), and is ignored")
      return nil
    }
    contributions.countOne()
    guard contributions.count > Self.maximumContributions else { return contributions }
    if contributions.count == Self.maximumContributions + 1 {
      contributions.problems.append(
        "contributes more than \(Self.maximumContributions) things; at most that many are taken from one plugin")
    }
    return nil
  }

  /// Contributes something under a name of the plugin's: the one place where ids are checked.
  ///
  /// - Parameters:
  ///   - record: what it is, as data, from its id.
  ///   - change: takes the code behind it, and the one that was registered under that id before.
  func contribute(
    _ kind: ContributionRecord.Kind, _ name: String, _ record: (ContributionID) -> ContributionRecord,
    _ change: (PluginContributions, ContributionID, ContributionRecord?) -> Void
  ) {
    guard let contributions = open("the \(kind.rawValue) \(name)") else { return }
    if !ContributionID.isName(name) {
      contributions.problems.append(
        "registers the \(kind.rawValue) '\(name)', whose name is not of the form [a-z][a-z0-9-]*")
    }
    let id = ContributionID(plugin: plugin, name: name)
    let rival = contributions.note(record(id))
    change(contributions, id, rival)
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
    guard let contributions = open("the dependency on \(plugin)") else { return }
    if !ContributionID.isName(plugin) {
      contributions.problems.append("depends on '\(plugin)', which is no id of the form [a-z][a-z0-9-]*")
    }
    if !dependencies.insert(plugin).inserted { contributions.problems.append("depends on \(plugin) twice") }
    let version = minimum.flatMap(PluginVersion.init)
    if let minimum, version == nil {
      contributions.problems.append("depends on \(plugin) from '\(minimum)', which is no version of the form 1.2.3")
    }
    contributions.dependencies.append(.init(plugin: plugin, minimum: version, isOptional: isOptional))
  }
  private var dependencies: Set<String> = []
}
