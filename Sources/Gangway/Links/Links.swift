/// The links of all plugins: from a URL to a place, and back.
@MainActor public final class Links {
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

    var shapes: [String] {
      switch self {
      case .registered(let link): link.pattern.shapes
      case .announced(let pattern, _, _): LinkPattern.shapes(of: pattern)
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
  private var targets: [LinkTarget: [Int]] = [:]
  /// What is not among the entries yet, in the order of the plugins. Hundreds of plugins are announced before the first
  /// screen, which asks for no URL.
  private var groups: [Group] = []
  private var groupIndex: [String: Int] = [:]
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
    for shape in pattern.shapes {
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
    let own = entry.shapes
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
      let text = isFirst ? text.lowercased() : text
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

  /// The entry whose pattern is the most specific one of those that match.
  private func match(_ url: LinkURL) -> Int? {
    settle()
    guard url.isFirstFolded else {
      var components = url.components
      if let first = components.first { components[0] = first.lowercased() }
      return match(components, from: 0, at: trunk)
    }
    return match(url.components, from: 0, at: trunk)
  }

  /// The registration whose pattern is the most specific one of those that match.
  private func match(_ components: [String], from position: Int, at branch: LinkBranch) -> Int? {
    guard position < components.count else { return branch.end }
    if let next = branch.literals[components[position]], let found = match(components, from: position + 1, at: next) {
      return found
    }
    if let next = branch.parameter, !components[position].isEmpty,
      let found = match(components, from: position + 1, at: next)
    {
      return found
    }
    return branch.rest
  }

  /// The pattern that a URL matches; nil where there is none.
  ///
  /// - Throws: `malformedURL`, `invalidScheme`, `unknownURL`.
  public func match(_ url: String) throws -> LinkPattern? {
    guard let index = match(try LinkURL(url, self)) else { return nil }
    switch entries[index] {
    case .registered(let link): return link.pattern
    case .announced(let pattern, _, _): return try? LinkPattern(pattern)
    }
  }

  /// The plugin that must be loaded before it is known where a URL leads; nil where none must.
  func unloadedPlugin(for url: String) throws -> String? {
    guard let index = match(try LinkURL(url, self)), case .announced(_, let plugin, _) = entries[index] else {
      return nil
    }
    return plugin
  }

  /// Where a URL leads; nil where no pattern matches it.
  ///
  /// - Throws: `malformedURL`, `invalidScheme`, `unknownURL`; `missingQueryString` where the pattern needs parameters
  ///   and there is no query; `payload` where they do not fit; `notLoaded` where it is a link of a plugin that is not.
  public func resolve(_ text: String) throws -> ResolvedLink? {
    let url = try LinkURL(text, self)
    guard let index = match(url) else { return nil }
    guard case .registered(let link) = entries[index] else {
      throw NavigationError(.notLoaded(plugin: entries[index].plugin))
    }
    guard link.pattern.query.isEmpty || url.hasQuery else {
      throw NavigationError(
        .missingQuery(
          url: text, pattern: "\(link.pattern)", plugin: link.plugin,
          wanted: link.pattern.query.joined(separator: "&")))
    }
    do {
      let plan = try link.plan(link.pattern.values(of: url))
      return ResolvedLink(pattern: link.pattern, plugin: link.plugin, plan: plan)
    } catch let error as NavigationError {
      throw error
    } catch {
      throw NavigationError(
        .linkMismatch(
          url: "\(text.prefix(200))", pattern: "\(link.pattern)", plugin: link.plugin, payload: link.payload,
          why: StoredRoute.brief(error)))
    }
  }

  /// The URL that leads where a plan does; nil where no link does so.
  public func url(for plan: LinkPlan) -> String? {
    settle()
    for index in LinkTarget.all(of: plan).flatMap({ targets[$0] ?? [] }).sorted() {
      guard case .registered(let link) = entries[index], let values = link.values(plan),
        let path = link.pattern.path(with: values), let beginning = beginning(of: link.pattern)
      else { continue }
      let url = beginning + path
      // A URL counts only if it leads back: another pattern may be more specific.
      if let resolved = try? resolve(url), resolved.plan.matches(plan) { return url }
    }
    return nil
  }

  /// What stands before the path of a pattern.
  private func beginning(of pattern: LinkPattern) -> String? {
    if !pattern.components.isEmpty { return schemes.first.map { "\($0)://" } }
    return origins.lazy.compactMap { try? LinkOrigin($0) }.first.map { "\($0)/" }
  }
}
