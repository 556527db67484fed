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
  /// Whether it stands for one whose plugin is not loaded.
  var isStandIn = false
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

  private let trunk = Branch()
  private var registrations: [LinkRegistration] = []
  private var shapes: [String: Int] = [:]

  init() {}

  /// All links, by their patterns.
  public var all: [LinkDescription] {
    registrations.map {
      LinkDescription(pattern: $0.pattern.description, plugin: $0.plugin, payload: $0.payload)
    }.sorted { ($0.pattern, $0.plugin) < ($1.pattern, $1.plugin) }
  }

  /// The link that has the same rank as a pattern.
  func rival(of pattern: LinkPattern) -> LinkRegistration? { shapes[pattern.shape].map { registrations[$0] } }

  /// Adds a link, or puts it in the place of what stood for it.
  func add(_ link: LinkRegistration) {
    if let index = shapes[link.pattern.shape], registrations[index].isStandIn,
      registrations[index].plugin == link.plugin
    {
      registrations[index] = link
      return
    }
    let index = registrations.count
    registrations.append(link)
    shapes[link.pattern.shape] = index
    var branch = trunk
    for component in link.pattern.components {
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
    let url = try LinkURL(url, self)
    return match(url.components, from: 0, at: trunk).map { registrations[$0].pattern }
  }

  /// The plugin that must be loaded before it is known where a URL leads; nil where none must.
  func unloadedPlugin(for url: String) throws -> String? {
    let url = try LinkURL(url, self)
    guard let index = match(url.components, from: 0, at: trunk), registrations[index].isStandIn else { return nil }
    return registrations[index].plugin
  }

  /// Where a URL leads; nil where no pattern matches it.
  ///
  /// - Throws: `malformedURL`, `invalidScheme`, `unknownURL`; `missingQueryString` where the pattern needs parameters
  ///   and there is no query; `payload` where they do not fit.
  public func resolve(_ text: String) throws -> ResolvedLink? {
    let url = try LinkURL(text, self)
    guard let index = match(url.components, from: 0, at: trunk) else { return nil }
    let link = registrations[index]
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
    for link in registrations {
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
        known: patterns.isEmpty ? "None is registered." : "There are \(registrations.count), among them \(patterns)."))
  }
}
