@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// The problems among the plugins of an app, found in their manifests.
struct ProductCheck {
  /// A plugin of the app.
  struct Plugin {
    var id: String
    var file: String
    /// The reason why the plugin does not load, with the fix as a command.
    var refusal: (reason: String, fix: String?)?
    /// The contributions and uses; nil if they are unknown, because the plugin was refused before it registered.
    var manifest: PluginManifest?

    init(id: String, file: String, refusal: (reason: String, fix: String?)? = nil, manifest: PluginManifest?) {
      self.id = id
      self.file = file
      self.refusal = refusal
      self.manifest = manifest
    }

    init(_ status: HostMessage.PluginStatus, _ manifest: PluginManifest?) {
      let isRefused = status.state == .refused
      self.init(
        id: status.id?.rawValue ?? status.file, file: status.file,
        refusal: isRefused ? status.refusal.map { ($0, Why.command(status)) } : nil, manifest: manifest)
    }
  }

  /// A problem of one plugin.
  struct Finding: Codable, Hashable {
    /// The kind of a problem.
    enum Kind: String, Codable {
      /// The plugin does not load.
      case refused
      /// The plugin that should offer something is not installed.
      case missingPlugin = "missing-plugin"
      /// The plugin is installed and does not offer it.
      case missingPlace = "missing-place"
      case missingService = "missing-service"
      case missingOperation = "missing-operation"
      case missingSlot = "missing-slot"
      /// A link opens a tab that no plugin registers.
      case missingTab = "missing-tab"
      /// The other plugin takes another type.
      case otherType = "other-type"
    }

    var kind: Kind
    /// The id of the plugin; its file if the id is unknown.
    var plugin: String
    var file: String
    /// The contribution or use, as the plugin declares it; nil if the whole plugin is concerned.
    var declaration: String?
    var problem: String
    /// The fix; nil if there is more than one.
    var fix: String?
  }

  /// The problems, in the order of the plugins.
  private(set) var findings: [Finding] = []
  /// The places, operations and slots with values that could not be compared, because a manifest does not describe
  /// their types; each once, sorted.
  var uncompared: [String] { uncomparedIDs.sorted() }
  private var uncomparedIDs: Set<String> = []
  private let isRefused: (String) -> Bool
  private var installed: Set<String> = []
  /// The contributions that others use, by kind and id.
  private var offers: [ContributionRecord.Kind: [String: ContributionRecord]] = [:]

  /// Compares plugins.
  ///
  /// The users of a refused plugin are not reported as well.
  ///
  /// - Parameters:
  ///   - plugins: all plugins of the app. Those that the user left out have no refusal.
  ///   - isRefused: returns whether a file with the name of a plugin is refused, by the plugin's id.
  init(_ plugins: [Plugin], isRefused: @escaping (String) -> Bool) {
    self.isRefused = isRefused
    for manifest in plugins.compactMap(\.manifest) {
      installed.insert(manifest.id.rawValue)
      for kind in [ContributionRecord.Kind.place, .service, .slot, .tab] {
        for record in manifest.records(of: kind) { offers[kind, default: [:]][record.id] = record }
      }
    }
    for plugin in plugins {
      if let refusal = plugin.refusal {
        let finding = Finding(
          kind: .refused, plugin: plugin.id, file: plugin.file, problem: refusal.reason, fix: refusal.fix)
        findings.append(finding)
      }
      guard let manifest = plugin.manifest else { continue }
      for record in manifest.records(of: .use) { check(use: record, plugin) }
      for record in manifest.records(of: .contribution) { check(contribution: record, plugin) }
      for record in manifest.records(of: .link) { check(link: record, plugin) }
    }
  }

  private mutating func report(
    _ kind: Finding.Kind, _ record: ContributionRecord, _ plugin: Plugin, _ problem: String, fix: String
  ) {
    findings.append(
      Finding(
        kind: kind, plugin: plugin.id, file: plugin.file, declaration: "\(record)", problem: problem, fix: fix))
  }

  private mutating func check(use: ContributionRecord, _ plugin: Plugin) {
    let operation = use[.operation]
    let isPlace = operation == nil
    guard let offer = offers[isPlace ? .place : .service]?[use.id] else {
      let owner = ContributionID(use.id).plugin.rawValue
      guard installed.contains(owner) else {
        if use[.isOptional] != nil || isRefused(owner) { return }
        let problem = Words.Checking.missingPlugin(use.id, owner: owner)
        return report(.missingPlugin, use, plugin, problem, fix: Words.Checking.installOrOptional(owner))
      }
      let problem = isPlace ? Words.Checking.missingPlace(use.id, owner) : Words.Checking.missingService(use.id, owner)
      return report(
        isPlace ? .missingPlace : .missingService, use, plugin, problem,
        fix: fix(of: use.id, isPlace ? .place : .service, owner: owner))
    }
    if let operation {
      let offered = offer.names(of: .operations)
      guard offered.contains(operation) else {
        return report(
          .missingOperation, use, plugin,
          Words.Checking.missingOperation(operation, of: use.id, offered: offered),
          fix: NearestMatch.of(operation, among: offered).map(Words.Checking.useNearest)
            ?? Words.Checking.callAnother)
      }
      // A manifest has no types of operations.
      uncomparedIDs.insert("\(use.id).\(operation)")
      return
    }
    // The types of results are unknown, too, but most places end without one.
    if !JSONShape.isComparable(offer.type) { uncomparedIDs.insert(use.id) }
    if let json = use[.json], !JSONShape.fits(json, type: offer.type) {
      let owner = ContributionID(use.id).plugin.rawValue
      report(
        .otherType, use, plugin,
        Words.Checking.otherPayload(use.id, given: use.type, example: json, taken: offer.type, owner: owner),
        fix: Words.Checking.giveType(offer.type, owner: owner))
    }
  }

  private mutating func check(contribution: ContributionRecord, _ plugin: Plugin) {
    guard let slot = contribution[.slot] else { return }
    let owner = ContributionID(slot).plugin.rawValue
    guard let offer = offers[.slot]?[slot] else {
      // A contribution waits for a plugin that is not installed.
      guard installed.contains(owner) else { return }
      let problem = Words.Checking.missingSlot(slot, owner)
      return report(.missingSlot, contribution, plugin, problem, fix: fix(of: slot, .slot, owner: owner))
    }
    if !JSONShape.isComparable(offer.type) { uncomparedIDs.insert(slot) }
    if let json = contribution[.json], !JSONShape.fits(json, type: offer.type) {
      report(
        .otherType, contribution, plugin,
        Words.Checking.otherValue(slot, given: contribution.type, example: json, taken: offer.type, owner: owner),
        fix: Words.Checking.giveType(offer.type, owner: owner))
    }
  }

  private mutating func check(link: ContributionRecord, _ plugin: Plugin) {
    guard let tab = link[.tab], offers[.tab]?[tab] == nil else { return }
    let owner = ContributionID(tab).plugin.rawValue
    let isInstalled = installed.contains(owner)
    report(
      .missingTab, link, plugin, Words.Checking.missingTab(tab, link: link.id),
      fix: isInstalled ? fix(of: tab, .tab, owner: owner) : Words.Checking.installOrChangeLink(owner))
  }

  /// Returns the fix for an id that its plugin does not offer: the nearest id, or an upgrade.
  private func fix(of id: String, _ kind: ContributionRecord.Kind, owner: String) -> String {
    let ids = (offers[kind] ?? [:]).keys.filter { ContributionID($0).plugin.rawValue == owner }.sorted()
    return NearestMatch.of(id, among: ids).map(Words.Checking.useNearest) ?? Words.Checking.upgrade(owner, toHave: id)
  }
}

extension ContributionRecord {
  /// Returns the names in a list.
  fileprivate func names(of detail: Detail) -> [String] {
    (self[detail] ?? "").split(separator: " ").map(String.init)
  }
}
