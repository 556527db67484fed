/// What is known of where a URL leads.
enum LinkAnswer {
  case link(ResolvedLink)
  /// A link has to look something up first.
  case lookup(LinkLookup)
  /// The plugin of a link has to be loaded first.
  case unloaded(plugin: String)
  case unmatched
}

/// What a link looks up before it is known where it leads.
@MainActor final class LinkLookup {
  /// The part of the URL and the entry that it is about.
  struct Key: Hashable {
    let part: Int
    let entry: Int
  }

  let key: Key
  let link: LinkRegistration
  private let values: LinkValues
  private let body: @MainActor (LinkValues, any LinkContext) async throws -> LinkPlan
  /// What was found; nil while nobody knows.
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

  /// Looks it up.
  func run(_ context: any LinkContext) async {
    do {
      result = .success(try await body(values, context))
    } catch {
      result = .failure(error)
    }
  }
}

/// From a URL to where it leads.
extension Links {
  /// Compares components with patterns.
  private struct Comparison {
    let components: [String]
    let end: Int
    /// Entries that match, and did not take it.
    var refused: [Int] = []

    /// The entry whose pattern is the most specific one of those that match, from a position and a branch on.
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

  /// The components of a URL as patterns are compared with them.
  private func comparable(_ url: LinkURL) -> [String] {
    if ignoresCase { return url.components.map { $0.lowercased() } }
    if url.isFirstFolded, url.breaks.isEmpty { return url.components }
    var components = url.components
    for part in url.parts where !part.isEmpty { components[part.lowerBound] = components[part.lowerBound].lowercased() }
    return components
  }

  /// The pattern that a URL matches, the most specific one; of a URL of several parts, that of the first. Nil where there is
  /// none.
  ///
  /// - Throws: `malformedURL`, `invalidScheme`, `unknownURL`.
  public func match(_ url: String) throws -> LinkPattern? {
    let url = try LinkURL(url, self)
    settle()
    let found = Comparison(components: comparable(url), end: url.parts[0].upperBound).match(from: 0, at: trunk)
    switch found.map({ entries[$0] }) {
    case .registered(let link): return link.pattern
    case .announced(let pattern, _, _): return try? LinkPattern(pattern)
    case nil: return nil
    }
  }

  /// Where a URL leads; nil where no pattern matches it.
  ///
  /// - Throws: `malformedURL`, `invalidScheme`, `unknownURL`; `missingQueryString` where the pattern needs parameters
  ///   and there is no query; `payload` where they do not fit; `notLoaded` where it is a link of a plugin that is not;
  ///   `lookupNeeded` where the link looks something up, which takes a session.
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

  /// What is known of where a URL leads.
  ///
  /// - Parameter found: what was looked up for it.
  /// - Throws: as ``resolve(_:)``.
  func answer(_ text: String, _ found: [LinkLookup.Key: LinkLookup] = [:]) throws -> LinkAnswer {
    let url = try LinkURL(text, self)
    settle()
    let components = comparable(url)
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

  /// What is known of where a part of a URL leads.
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

  /// What a link says of a part of a URL that matches it.
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
