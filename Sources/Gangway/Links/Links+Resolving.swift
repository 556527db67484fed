@_spi(FrontEnd) import GangwayProtocol

/// The answer to a URL, as far as it is known.
enum LinkAnswer {
  case link(ResolvedLink)
  /// A link needs a lookup first.
  case lookup(LinkLookup)
  /// The plugin of a link must be loaded first.
  case unloaded(plugin: PluginID)
  case unmatched
}

/// A lookup that a link needs before its plan is known.
@MainActor final class LinkLookup {
  /// The part of the URL and the entry that the lookup belongs to.
  struct Key: Hashable {
    let part: Int
    let entry: Int
  }

  let key: Key
  let link: LinkRegistration
  private let values: LinkValues
  private let body: @MainActor (LinkValues, any LinkContext) async throws -> LinkPlan
  /// The result of the lookup; nil until the lookup has run.
  private(set) var result: Result<LinkPlan, any Error>?

  init(
    _ key: Key, _ link: LinkRegistration, _ values: LinkValues,
    _ body: @escaping @MainActor (LinkValues, any LinkContext) async throws -> LinkPlan
  ) {
    self.key = key
    self.link = link
    self.values = values
    self.body = body
  }

  /// Runs the lookup.
  func run(_ context: any LinkContext) async {
    do {
      result = .success(try await body(values, context))
    } catch {
      result = .failure(error)
    }
  }
}

/// Resolves URLs to plans.
extension Links {
  /// A comparison of a URL's components with the patterns.
  private struct Comparison {
    let components: [String]
    let end: Int
    /// The entries that match, but refused the URL.
    var refused: [Int] = []

    /// Returns the entry with the most specific matching pattern, from a position and a branch on.
    @MainActor func match(from position: Int, at branch: LinkBranch) -> Int? {
      guard position < end else { return taken(branch.end) }
      if let next = branch.literals[components[position]], let found = match(from: position + 1, at: next) {
        return found
      }
      if let next = branch.parameter, !components[position].isEmpty, let found = match(from: position + 1, at: next) {
        return found
      }
      return taken(branch.rest)
    }

    private func taken(_ entry: Int?) -> Int? {
      guard let entry, !refused.isEmpty, refused.contains(entry) else { return entry }
      return nil
    }
  }

  /// Returns the components of a URL in the form in which patterns compare them.
  private func comparable(_ url: LinkURL) -> [String] {
    if ignoresCase { return url.components.map { $0.lowercased() } }
    if url.isFirstFolded, url.breaks.isEmpty { return url.components }
    var components = url.components
    for part in url.parts where !part.isEmpty { components[part.lowerBound] = components[part.lowerBound].lowercased() }
    return components
  }

  /// Returns the most specific pattern that a URL matches; nil if there is none.
  ///
  /// For a URL of several parts, the result is the pattern of the first part.
  ///
  /// - Throws: `malformedURL`, `invalidScheme`, `unknownURL`.
  @_spi(FrontEnd) public func match(_ url: String) throws -> LinkPattern? {
    let url = try LinkURL(url, self)
    settle()
    let found = Comparison(components: comparable(url), end: url.parts[0].upperBound).match(from: 0, at: trunk)
    switch found.map({ entries[$0] }) {
    case .registered(let link): return link.pattern
    case .announced(let link): return try? LinkPattern(link.pattern)
    case nil: return nil
    }
  }

  /// Returns the link that a URL matches, with its plan; nil if no pattern matches.
  ///
  /// - Throws: `malformedURL`, `invalidScheme` or `unknownURL` for the URL itself. `missingQueryString` if the pattern
  ///   needs parameters and the URL has no query. `payload` if the parameters do not fit. `notLoaded` if the plugin of
  ///   the link is not loaded. `lookupNeeded` if the link needs a lookup, which takes a session.
  public func resolve(_ url: String) throws -> ResolvedLink? {
    switch try answer(url) {
    case .link(let link): return link
    case .unmatched: return nil
    case .unloaded(let plugin): throw NavigationError(.notLoaded(plugin: plugin))
    case .lookup(let lookup):
      throw NavigationError(
        .linkLooksUp(url: "\(url.prefix(200))", pattern: "\(lookup.link.pattern)", plugin: lookup.link.plugin))
    }
  }

  /// Resolves a URL as far as possible.
  ///
  /// - Parameter found: the lookups that have run for the URL.
  /// - Throws: the errors of ``resolve(_:)``.
  func answer(_ text: String, _ found: [LinkLookup.Key: LinkLookup] = [:]) throws -> LinkAnswer {
    let url = try LinkURL(text, self)
    settle()
    let components = comparable(url)
    // The answer to the only part is not copied.
    if url.breaks.isEmpty { return try answer(text, url, components, 0, found) }
    var whole: ResolvedLink?
    for part in url.parts.indices {
      let answer = try answer(text, url, components, part, found)
      guard case .link(let link) = answer else { return answer }
      guard let first = whole else {
        whole = link
        continue
      }
      guard link.plan.startsHere else {
        throw NavigationError(
          .linkNotOnTop(url: "\(text.prefix(200))", pattern: "\(link.pattern)", plugin: link.plugin))
      }
      whole = ResolvedLink(pattern: first.pattern, plugin: first.plugin, plan: first.plan.followed(by: link.plan))
    }
    return whole.map { .link($0) } ?? .unmatched
  }

  /// Resolves a part of a URL as far as possible.
  private func answer(
    _ text: String, _ url: LinkURL, _ components: [String], _ part: Int, _ found: [LinkLookup.Key: LinkLookup]
  ) throws -> LinkAnswer {
    let range = url.parts[part]
    var comparison = Comparison(components: components, end: range.upperBound)
    var refusal: (any Error)?
    while let index = comparison.match(from: range.lowerBound, at: trunk) {
      guard case .registered(let link) = entries[index] else { return .unloaded(plugin: entries[index].plugin) }
      do {
        return try ask(link, .init(part: part, entry: index), text, url, found)
      } catch {
        let first = refusal ?? error
        refusal = first
        guard link.mismatch == .tryNext else { throw first }
        comparison.refused.append(index)
      }
    }
    if let refusal { throw refusal }
    return .unmatched
  }

  /// Returns the answer of a link to a part of a URL that matches its pattern.
  private func ask(
    _ link: LinkRegistration, _ key: LinkLookup.Key, _ text: String, _ url: LinkURL,
    _ found: [LinkLookup.Key: LinkLookup]
  ) throws -> LinkAnswer {
    guard link.pattern.query.isEmpty || url.hasQuery else {
      throw NavigationError(
        .missingQuery(
          url: text, pattern: "\(link.pattern)", plugin: link.plugin,
          wanted: link.pattern.query.joined(separator: "&")))
    }
    do {
      let plan: LinkPlan
      let values = link.pattern.values(of: url.components[url.parts[key.part]], url.query)
      switch link.plan {
      case .atOnce(let make): plan = try make(values)
      case .lookingUp(let look):
        guard let result = found[key]?.result else { return .lookup(LinkLookup(key, link, values, look)) }
        plan = try result.get()
      }
      return .link(ResolvedLink(pattern: link.pattern, plugin: link.plugin, plan: plan))
    } catch let error as NavigationError {
      throw error
    } catch {
      throw NavigationError(
        .linkMismatch(
          url: "\(text.prefix(200))", pattern: "\(link.pattern)", plugin: link.plugin, payload: link.payload,
          why: StoredRoute.brief(error)))
    }
  }
}
