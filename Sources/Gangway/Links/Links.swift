/// The links of all plugins: from a URL to a place, and back.
@MainActor public final class Links {
  /// Whether letters are compared without case in all components, not in the first one alone. Values of parameters stay
  /// as they are.
  public package(set) var ignoresCase = false
  /// The schemes of the application's own, in lower case; the first one is that of the URLs it makes. After it comes
  /// the first component of a pattern: `gangway://todos/7` matches `todos/:id`.
  public package(set) var schemes = ["gangway"]
  /// Web addresses that are the application's too, such as `https://example.org` or `https://example.org/app`: patterns
  /// begin after them. What is no ``LinkOrigin`` takes nothing.
  public package(set) var origins: [String] = [] {
    didSet { readOrigins = Dictionary(grouping: origins.compactMap { try? LinkOrigin($0) }, by: \.authority) }
  }
  private var readOrigins: [String: [LinkOrigin]] = [:]

  /// Where a component of a pattern leads on.
  final class LinkBranch {
    var literals: [String: LinkBranch] = [:]
    var parameter: LinkBranch?
    /// Indices of registrations: what ends here, and what takes the rest.
    var end: Int?
    var rest: Int?
    /// How many branches a URL may lead through from here on, at most.
    var cost = 1
    var literalCost = 0
  }

  /// How many branches a URL may lead through at most, 50 ns each: a pattern by which it could be more is refused.
  static let maximumCost = 1_000

  /// A link, or what stands for one whose plugin is not loaded: its pattern is read when the first URL is asked for.
  enum Entry {
    case registered(LinkRegistration)
    case announced(pattern: String, plugin: String, payload: String)

    var plugin: String {
      switch self {
      case .registered(let link): link.plugin
      case .announced(_, let plugin, _): plugin
      }
    }

    var pattern: String {
      switch self {
      case .registered(let link): link.pattern.description
      case .announced(let pattern, _, _): pattern
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
      case .announced(_, _, let payload): payload
      }
    }
  }

  /// What one plugin has added since a URL was asked for last.
  private struct Group {
    let plugin: String
    var entries: [Entry]
  }

  let trunk = LinkBranch()
  private(set) var entries: [Entry] = []
  private var shapes: [String: Int] = [:]
  /// The links that lead to something, by what that is.
  private(set) var targets: [LinkTarget: [Int]] = [:]
  /// What is not among the entries yet, in the order of the plugins. Hundreds of plugins are announced before the first
  /// screen, which asks for no URL.
  private var groups: [Group] = []
  private var groupIndex: [String: Int] = [:]
  /// How often links were added: what was found out about URLs may be otherwise since.
  private(set) var version = 0
  /// Whether there are links that have not been read yet.
  var isUnread: Bool { !groups.isEmpty }
  /// Links that take the same URLs as others and were left out.
  private(set) var conflicts: [String] = []

  init() {}

  /// All links, by their patterns.
  public var all: [LinkDescription] {
    settle()
    return entries.map { LinkDescription(pattern: $0.pattern, plugin: $0.plugin, payload: $0.payload) }
      .sorted { ($0.pattern, $0.plugin) < ($1.pattern, $1.plugin) }
  }

  /// The link of another plugin, or of this one's own code, that has the same rank as a pattern: in words.
  func rival(of pattern: LinkPattern, for plugin: String) -> String? {
    settle()
    for shape in LinkPattern.shapes(of: pattern.description, ignoringCase: ignoresCase) {
      if let index = shapes[shape], let rival = rival(entries[index], of: pattern.description, for: plugin) {
        return rival
      }
    }
    return nil
  }

  /// Why a link that takes no other's URLs cannot be had; nil where it can.
  func obstacle(to pattern: LinkPattern) -> String? {
    settle()
    return cost(of: pattern)
  }

  private func cost(of pattern: LinkPattern) -> String? {
    let cost = cost(of: pattern.components[...], at: trunk)
    guard cost > Self.maximumCost else { return nil }
    return
      "registers the link \(pattern), with which an address might be compared with \(cost) branches of patterns, and at "
      + "most \(Self.maximumCost) are; have fewer patterns in which parameters and fixed components take turns"
  }

  /// What a URL may cost from a branch on, with one more pattern.
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

  /// How many components the base path of one of the application's own web addresses has; nil where it is none of them.
  ///
  /// - Parameter components: those of the path; nil where they do not count yet.
  func base(of scheme: String, _ host: String, _ components: [String]?) -> Int? {
    guard !readOrigins.isEmpty, let candidates = readOrigins[LinkOrigin.authority(scheme: scheme, host: host)] else {
      return nil
    }
    guard let components else { return 0 }
    return candidates.lazy.filter { components.starts(with: $0.base) }.map(\.base.count).max()
  }

  private func rival(_ rival: Entry, of pattern: String, for plugin: String) -> String? {
    if case .announced(_, plugin, _) = rival { return nil }
    return
      "registers the link \(pattern), which takes the same URLs as \(rival.pattern) of the plugin \(rival.plugin)"
  }

  /// Adds what stands for the links of a plugin that is not loaded, whose rivals were looked for before.
  ///
  /// - Parameter links: the pattern of each, and the type of its payload, for people.
  func announce(_ links: some Sequence<(pattern: String, payload: String)>, of plugin: String) {
    add(links.lazy.map { .announced(pattern: $0.pattern, plugin: plugin, payload: $0.payload) }, of: plugin)
  }

  /// Adds the links of a plugin, or puts them in the place of what stood for them.
  func add(_ links: [LinkRegistration], of plugin: String) { add(links.lazy.map { .registered($0) }, of: plugin) }

  private func add(_ new: some Sequence<Entry>, of plugin: String) {
    let new = Array(new)
    guard !new.isEmpty else { return }
    version += 1
    if let index = groupIndex[plugin] {
      groups[index].entries.removeAll { if case .announced = $0 { true } else { false } }
      groups[index].entries += new
    } else {
      groupIndex[plugin] = groups.count
      groups.append(Group(plugin: plugin, entries: new))
    }
  }

  /// Brings what was added among the entries and into the tree of branches.
  func settle() {
    guard !groups.isEmpty else { return }
    for group in groups {
      for entry in group.entries { settle(entry) }
    }
    groups = []
    groupIndex = [:]
  }

  private func settle(_ entry: Entry) {
    let own = entry.shapes(ignoringCase: ignoresCase)
    for shape in own {
      guard let index = shapes[shape], let rival = rival(entries[index], of: entry.pattern, for: entry.plugin) else {
        continue
      }
      conflicts.append("The plugin \(entry.plugin) \(rival), and does not get them.")
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
    // It was read where it was registered; one that is damaged since matches nothing.
    case .announced(let text, _, _): pattern = try? LinkPattern(text)
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
      let next = branch.literals[text] ?? LinkBranch()
      branch.literals[text] = next
      plant(rest, index, at: next, isFirst: false)
      branch.literalCost = max(branch.literalCost, next.cost)
    case .parameter:
      let next = branch.parameter ?? LinkBranch()
      branch.parameter = next
      plant(rest, index, at: next, isFirst: false)
    }
    branch.cost = 1 + branch.literalCost + (branch.parameter?.cost ?? 0)
  }

  /// Notes where a link leads, so that it is found from there.
  private func aim(_ entry: Entry, _ index: Int) {
    guard case .registered(let link) = entry, let target = link.target else { return }
    targets[target, default: []].append(index)
  }
}
