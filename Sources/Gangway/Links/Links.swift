/// A link that a plugin registered.
@MainActor struct LinkRegistration {
  let pattern: LinkPattern
  let plugin: String
  /// The type of the payload, for people.
  let payload: String
  /// Where it leads.
  let plan: (LinkValues) throws -> LinkPlan
  /// The parameters with which it leads there; nil where it does not.
  let values: (LinkPlan) -> [(name: String, value: String)]?
  /// The type of the route it leads to, whose tab is found when the plugin has registered all it has.
  var routes: ObjectIdentifier?
  /// The tab it leads to.
  let home: LinkHome
}

/// A link as it is listed.
public struct LinkDescription: Hashable, Sendable {
  /// The pattern, as it was written.
  public let pattern: String
  /// The plugin that registered it.
  public let plugin: String
  /// The type that its parameters are read as.
  public let payload: String
}

/// What a URL leads to.
public struct ResolvedLink: Sendable {
  /// The pattern it matches.
  public let pattern: LinkPattern
  /// The plugin that registered the pattern.
  public let plugin: String
  /// Where it leads.
  public let plan: LinkPlan
}

/// The links of all plugins: from a URL to a place, and back.
@MainActor public final class Links {
  /// The schemes of the application's own, in lower case; the first one is that of the URLs it makes. After it comes
  /// the first component of a pattern: `gangway://todos/7` matches `todos/:id`.
  public package(set) var schemes = ["gangway"]
  /// Web addresses that are the application's too, such as `https://example.org`: patterns begin after them.
  public package(set) var origins: [String] = []

  private final class Branch {
    var literals: [String: Branch] = [:]
    var parameter: Branch?
    /// Indices of registrations: what ends here, and what takes the rest.
    var end: Int?
    var rest: Int?
  }

  /// A link, or what stands for one whose plugin is not loaded: its pattern is read when the first URL is asked for.
  private enum Entry {
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

  private let trunk = Branch()
  private var entries: [Entry] = []
  private var shapes: [String: Int] = [:]
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
  func rival(of pattern: String, for plugin: String) -> String? {
    settle()
    guard let index = shapes[LinkPattern.shape(of: pattern)] else { return nil }
    return rival(entries[index], of: pattern, for: plugin)
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
  private func settle() {
    guard !groups.isEmpty else { return }
    for group in groups {
      for entry in group.entries { settle(entry) }
    }
    groups = []
    groupIndex = [:]
  }

  private func settle(_ entry: Entry) {
    let shape = LinkPattern.shape(of: entry.pattern)
    if let index = shapes[shape] {
      if let rival = rival(entries[index], of: entry.pattern, for: entry.plugin) {
        conflicts.append("The plugin \(entry.plugin) \(rival), and does not get them.")
      } else {
        entries[index] = entry
      }
      return
    }
    shapes[shape] = entries.count
    entries.append(entry)
    switch entry {
    case .registered(let link): plant(link.pattern.components, entries.count - 1)
    case .announced(let pattern, _, _):
      // It was read where it was registered; one that is damaged since matches nothing.
      if let pattern = try? LinkPattern(pattern) { plant(pattern.components, entries.count - 1) }
    }
  }

  private func plant(_ components: [LinkPattern.Component], _ index: Int) {
    var branch = trunk
    for component in components {
      switch component {
      case .literal(let text):
        let next = branch.literals[text] ?? Branch()
        branch.literals[text] = next
        branch = next
      case .parameter:
        let next = branch.parameter ?? Branch()
        branch.parameter = next
        branch = next
      case .rest:
        branch.rest = index
        return
      }
    }
    branch.end = index
  }

  /// The entry whose pattern is the most specific one of those that match.
  private func match(_ url: LinkURL) -> Entry? {
    settle()
    return match(url.components, from: 0, at: trunk).map { entries[$0] }
  }

  /// The registration whose pattern is the most specific one of those that match.
  private func match(_ components: [String], from position: Int, at branch: Branch) -> Int? {
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
    switch match(try LinkURL(url, self)) {
    case .registered(let link): link.pattern
    case .announced(let pattern, _, _): try? LinkPattern(pattern)
    case nil: nil
    }
  }

  /// The plugin that must be loaded before it is known where a URL leads; nil where none must.
  func unloadedPlugin(for url: String) throws -> String? {
    guard case .announced(_, let plugin, _)? = match(try LinkURL(url, self)) else { return nil }
    return plugin
  }

  /// Where a URL leads; nil where no pattern matches it.
  ///
  /// - Throws: `malformedURL`, `invalidScheme`, `unknownURL`; `missingQueryString` where the pattern needs parameters
  ///   and there is no query; `payload` where they do not fit; `notLoaded` where it is a link of a plugin that is not.
  public func resolve(_ text: String) throws -> ResolvedLink? {
    let url = try LinkURL(text, self)
    guard let entry = match(url) else { return nil }
    guard case .registered(let link) = entry else { throw NavigationError(.notLoaded(plugin: entry.plugin)) }
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
    guard let scheme = schemes.first else { return nil }
    settle()
    for case .registered(let link) in entries {
      guard let values = link.values(plan), let path = link.pattern.path(with: values) else { continue }
      let url = "\(scheme)://\(path)"
      // A URL counts only if it leads back: another pattern may be more specific.
      if let resolved = try? resolve(url), resolved.plan.matches(plan) { return url }
    }
    return nil
  }

  /// Why no pattern matches, with the nearest ones.
  func unmatched(_ url: String) -> NavigationError {
    let patterns = all.prefix(8).map(\.pattern).joined(separator: ", ")
    return NavigationError(
      .unmatchedLink(
        url: "\(url.prefix(200))",
        known: patterns.isEmpty ? "None is registered." : "There are \(entries.count), among them \(patterns)."))
  }
}
