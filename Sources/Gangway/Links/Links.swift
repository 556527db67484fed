@_spi(FrontEnd) import GangwayProtocol
import Observation

/// The links of all plugins, which turn URLs into places and back.
@MainActor public final class Links {
  /// Whether all components ignore case, and not only the first one.
  ///
  /// The values of parameters keep their case.
  package var ignoresCase = false
  /// The application's own schemes, in lower case; URLs that the application creates have the first one.
  ///
  /// The first component of a pattern follows the scheme: `gangway://todos/7` matches `todos/:id`.
  package var schemes = ["gangway"]
  /// Web addresses that also belong to the application, such as `https://example.org` or `https://example.org/app`.
  ///
  /// Patterns begin after these addresses. A text that is not a ``LinkOrigin`` matches nothing.
  package var origins: [String] = [] {
    didSet { readOrigins = Dictionary(grouping: origins.compactMap { try? LinkOrigin($0) }, by: \.authority) }
  }
  private var readOrigins: [String: [LinkOrigin]] = [:]

  /// A branch of the pattern tree: the patterns that continue after a component.
  final class LinkBranch {
    private(set) var literals: [String: LinkBranch] = [:]
    /// The first texts of ``literals`` in their order, for suggestions.
    private(set) var firstLiterals: [String] = []
    /// All texts of ``literals``, for suggestions.
    private(set) var words = NearestMatch.Words()
    var parameter: LinkBranch?
    /// The indices of registrations: `end` for the pattern that ends here, `rest` for the pattern that takes the rest.
    var end: Int?
    var rest: Int?
    /// The most branches that a URL may visit from here on.
    var cost = 1
    var literalCost = 0

    /// The maximum number of patterns below a branch that are suggested.
    static let suggestions = 16

    /// Returns the branch of a fixed text, which is added if there is none.
    func branch(for text: String) -> LinkBranch {
      if let branch = literals[text] { return branch }
      let branch = LinkBranch()
      literals[text] = branch
      words.append(text)
      if firstLiterals.count < Self.suggestions || text < firstLiterals[Self.suggestions - 1] {
        let place = firstLiterals.firstIndex { text < $0 } ?? firstLiterals.count
        firstLiterals.insert(text, at: place)
        if firstLiterals.count > Self.suggestions { firstLiterals.removeLast() }
      }
      return branch
    }
  }

  /// The most branches that a URL may visit, at 50 ns each.
  ///
  /// A pattern that would exceed this limit is refused.
  static let maximumCost = 1_000

  /// A link, or a placeholder for a link whose plugin is not loaded.
  ///
  /// A placeholder's pattern is parsed for the first URL.
  enum Entry {
    case registered(LinkRegistration)
    case announced(LinkAnnouncement)

    var plugin: PluginID {
      switch self {
      case .registered(let link): link.plugin
      case .announced(let link): link.plugin
      }
    }

    var pattern: String {
      switch self {
      case .registered(let link): link.pattern.description
      case .announced(let link): link.pattern
      }
    }

    func shapes(ignoringCase: Bool) -> [String] {
      switch self {
      case .registered(let link) where !ignoringCase: link.pattern.shapes
      case .registered, .announced: LinkPattern.shapes(of: pattern, ignoringCase: ignoringCase)
      }
    }

    var payload: String {
      switch self {
      case .registered(let link): link.payload
      case .announced(let link): link.payload
      }
    }
  }

  /// The links that a plugin has added since the last call of ``settle()``.
  private struct Group {
    let plugin: PluginID
    var entries: [Entry]
  }

  let trunk = LinkBranch()
  private(set) var entries: [Entry] = []
  private var shapes: [String: Int] = [:]
  /// The indices of links, by their target.
  private(set) var targets: [LinkTarget: [Int]] = [:]
  /// The links that created URLs lately.
  var recent = RecentLinks()
  /// The links that are not among the entries yet, in the order of their plugins.
  ///
  /// Hundreds of plugins are announced before the first screen, which needs no URL.
  private var groups: [Group] = []
  private var groupIndex: [PluginID: Int] = [:]
  /// The number of times that links were added.
  ///
  /// After a change, earlier answers about URLs may be outdated.
  private(set) var version = 0
  /// Whether so many links are not among the entries yet that reading them would delay the first screen.
  var areManyUnread: Bool { groups.reduce(0) { $0 + $1.entries.count } > RecentLinks.fewLinks }
  /// Changes with each change of the entries, for screens that show URLs.
  private let reading = LinkReading()
  /// The messages about links that were left out, such as links that match the same URLs as others.
  private(set) var conflicts: [String] = []

  init() {}

  /// All links, sorted by pattern.
  package var all: [LinkDescription] {
    settle()
    return entries.map { LinkDescription(pattern: $0.pattern, plugin: $0.plugin, payload: $0.payload) }
      .sorted { ($0.pattern, $0.plugin) < ($1.pattern, $1.plugin) }
  }

  /// Returns a message about a link with the same rank as a pattern; nil if there is none.
  ///
  /// The link belongs to another plugin, or to the loaded code of the same plugin.
  func rival(of pattern: LinkPattern, for plugin: PluginID) -> String? {
    settle()
    for shape in LinkPattern.shapes(of: pattern.description, ignoringCase: ignoresCase) {
      if let index = shapes[shape], let rival = rival(entries[index], of: pattern.description, for: plugin) {
        return rival
      }
    }
    return nil
  }

  /// Returns the reason why a link without a rival cannot be registered; nil if it can.
  func obstacle(to pattern: LinkPattern) -> String? {
    settle()
    return cost(of: pattern)
  }

  private func cost(of pattern: LinkPattern) -> String? {
    let cost = cost(of: pattern.components[...], at: trunk)
    guard cost > Self.maximumCost else { return nil }
    return
      "registers the link \(pattern). With it, a URL might be compared with \(cost) branches of patterns; at "
      + "most \(Self.maximumCost) are allowed. Use fewer patterns that alternate parameters and fixed components"
  }

  /// Returns the most branches that a URL may visit from a branch on, with one more pattern.
  private func cost(of components: ArraySlice<LinkPattern.Component>, at branch: LinkBranch?) -> Int {
    guard let branch else { return components.count + 1 }
    let rest = components.dropFirst()
    switch components.first {
    case nil, .rest: return branch.cost
    case .literal(let text):
      let text = ignoresCase ? text.lowercased() : text
      return 1 + max(branch.literalCost, cost(of: rest, at: branch.literals[text])) + (branch.parameter?.cost ?? 0)
    case .parameter: return 1 + branch.literalCost + cost(of: rest, at: branch.parameter)
    }
  }

  /// Returns the length of the base path of one of the application's web addresses, in components.
  ///
  /// - Parameter components: the components of the path; nil if they do not count yet.
  /// - Returns: the number of components; nil if the address is not one of the application's.
  func base(of scheme: String, _ host: String, _ components: [String]?) -> Int? {
    guard !readOrigins.isEmpty, let candidates = readOrigins[LinkOrigin.authority(scheme: scheme, host: host)] else {
      return nil
    }
    guard let components else { return 0 }
    return candidates.lazy.filter { components.starts(with: $0.base) }.map(\.base.count).max()
  }

  private func rival(_ rival: Entry, of pattern: String, for plugin: PluginID) -> String? {
    if case .announced(let link) = rival, link.plugin == plugin { return nil }
    return
      "registers the link \(pattern), which matches the same URLs as \(rival.pattern) of the plugin \(rival.plugin)"
  }

  /// Adds placeholders for the links of a plugin that is not loaded.
  ///
  /// The caller has already checked the links for rivals.
  ///
  /// - Parameter links: the plugin's links.
  func announce(_ links: some Sequence<LinkAnnouncement>, of plugin: PluginID) {
    add(links.lazy.map { .announced($0) }, of: plugin)
  }

  /// Adds the links of a plugin, or replaces their placeholders.
  func add(_ links: [LinkRegistration], of plugin: PluginID) { add(links.lazy.map { .registered($0) }, of: plugin) }

  private func add(_ new: some Sequence<Entry>, of plugin: PluginID) {
    let new = Array(new)
    guard !new.isEmpty else { return }
    version += 1
    reading.count += 1
    if let index = groupIndex[plugin] {
      groups[index].entries.removeAll { if case .announced = $0 { true } else { false } }
      groups[index].entries += new
    } else {
      groupIndex[plugin] = groups.count
      groups.append(Group(plugin: plugin, entries: new))
    }
  }

  /// Moves the added links to the entries and into the pattern tree.
  func settle() {
    guard !groups.isEmpty else { return }
    for group in groups {
      for entry in group.entries { settle(entry) }
    }
    groups = []
    groupIndex = [:]
    reading.count += 1
  }

  /// Lets the caller's observation track the links, from which it creates URLs.
  func observe() { _ = reading.count }

  private func settle(_ entry: Entry) {
    let own = entry.shapes(ignoringCase: ignoresCase)
    for shape in own {
      guard let index = shapes[shape], let rival = rival(entries[index], of: entry.pattern, for: entry.plugin) else {
        continue
      }
      conflicts.append("The plugin \(entry.plugin) \(rival). The link of \(entry.plugin) is ignored.")
      return
    }
    if let index = own.lazy.compactMap({ self.shapes[$0] }).first {
      entries[index] = entry
      aim(entry, index)
      return
    }
    let pattern: LinkPattern?
    switch entry {
    case .registered(let link): pattern = link.pattern
    // The pattern was parsed at registration. A pattern that was damaged since then matches nothing.
    case .announced(let link): pattern = try? LinkPattern(link.pattern)
    }
    guard let pattern else { return }
    if let obstacle = cost(of: pattern) {
      conflicts.append("The plugin \(entry.plugin) \(obstacle).")
      return
    }
    for shape in own { shapes[shape] = entries.count }
    entries.append(entry)
    aim(entry, entries.count - 1)
    plant(pattern.components[...], entries.count - 1, at: trunk, isFirst: true)
    if pattern.isLastOptional { plant(pattern.components.dropLast(), entries.count - 1, at: trunk, isFirst: true) }
  }

  private func plant(
    _ components: ArraySlice<LinkPattern.Component>, _ index: Int, at branch: LinkBranch, isFirst: Bool
  ) {
    let rest = components.dropFirst()
    switch components.first {
    case nil: branch.end = index
    case .rest: branch.rest = index
    case .literal(let text):
      let text = isFirst || ignoresCase ? text.lowercased() : text
      let next = branch.branch(for: text)
      plant(rest, index, at: next, isFirst: false)
      branch.literalCost = max(branch.literalCost, next.cost)
    case .parameter:
      let next = branch.parameter ?? LinkBranch()
      branch.parameter = next
      plant(rest, index, at: next, isFirst: false)
    }
    branch.cost = 1 + branch.literalCost + (branch.parameter?.cost ?? 0)
  }

  /// Records the target of a link, so that a plan finds the link.
  private func aim(_ entry: Entry, _ index: Int) {
    let target: LinkTarget? =
      switch entry {
      case .registered(let link): link.target
      case .announced(let link): link.tab.map { .tab($0) }
      }
    guard let target else { return }
    // A link takes the place of its placeholder.
    if case .tab = target, targets[target]?.contains(index) == true { return }
    targets[target, default: []].append(index)
  }
}

/// The number of changes of the links, which screens observe.
@MainActor @Observable private final class LinkReading {
  var count = 0
}
