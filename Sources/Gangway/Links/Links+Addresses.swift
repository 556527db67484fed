/// Creates URLs from plans.
extension Links {
  /// Returns the URL that opens a plan; nil if no link opens it.
  ///
  /// A plan through places of several features, each with a link, has a URL of several parts. The parts are separated
  /// by `/+/`: `gangway://todos/7/+/people/3`.
  public func url(for plan: LinkPlan) -> String? {
    settle()
    if let part = part(for: plan) { return part.beginning + part.path + part.query }
    let steps = plan.steps
    guard steps.count > 1, let parts = Parts(self, plan.startsHere, steps).all(from: 0), let first = parts.first,
      !first.path.isEmpty
    else { return nil }
    let queries = parts.filter { !$0.query.isEmpty }.map { $0.query.dropFirst() }
    let url =
      first.beginning + parts.map(\.path).joined(separator: "/+/")
      + (queries.isEmpty ? "" : "?" + queries.filter { !$0.isEmpty }.joined(separator: "&"))
    return leadsBack(url, to: plan) ? url : nil
  }

  /// Returns the URL of the screen that a plan ends with, for a plan that has no URL as a whole.
  ///
  /// The URL opens the same screen, with fewer screens below it. A web page needs it: the address of a screen must be
  /// the same whichever way the user took.
  func screenURL(for plan: LinkPlan) -> String? {
    settle()
    return plan.shortened.lazy.compactMap { self.part(for: $0) }.first.map { $0.beginning + $0.path + $0.query }
  }

  /// A URL, or a part of one.
  private struct Part {
    let beginning: String
    let path: String
    /// The query with its `?`; empty if there is no query.
    let query: String
  }

  /// Returns the URL that one link creates for a plan.
  private func part(for plan: LinkPlan) -> Part? {
    for index in LinkTarget.all(of: plan).flatMap({ targets[$0] ?? [] }).sorted() {
      guard case .registered(let link) = entries[index], let values = link.values(plan),
        let path = link.pattern.path(with: values), let beginning = beginning(of: link.pattern)
      else { continue }
      // A URL counts only if it resolves to the plan again: another pattern may be more specific.
      guard leadsBack(beginning + path, to: plan, by: index) else { continue }
      let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
      return Part(beginning: beginning, path: String(path[..<mark]), query: String(path[mark...]))
    }
    return nil
  }

  private func leadsBack(_ url: String, to plan: LinkPlan, by entry: Int? = nil) -> Bool {
    switch try? answer(url) {
    case .link(let link): link.plan.matches(plan)
    // The result of the lookup is unknown. The URL counts if it reaches the expected link.
    case .lookup(let lookup): entry.map { $0 == lookup.key.entry } ?? true
    case .unloaded, .unmatched, nil: false
    }
  }

  /// Returns the text before the path of a pattern.
  private func beginning(of pattern: LinkPattern) -> String? {
    if !pattern.components.isEmpty { return schemes.first.map { "\($0)://" } }
    return origins.lazy.compactMap { try? LinkOrigin($0) }.first.map { "\($0)/" }
  }

  /// A division of the steps of a plan into parts, each with its own link.
  ///
  /// From the left, each part takes as many steps as possible. Each part but the first begins with a place.
  @MainActor private struct Parts {
    let links: Links
    let startsHere: Bool
    let steps: [LinkPlan.Step]
    /// The positions from which no links can open the remaining steps.
    private var ends: Set<Int> = []

    init(_ links: Links, _ startsHere: Bool, _ steps: [LinkPlan.Step]) {
      self.links = links
      self.startsHere = startsHere
      self.steps = steps
    }

    func all(from start: Int) -> [Part]? {
      var copy = self
      return copy.rest(from: start)
    }

    private mutating func rest(from start: Int) -> [Part]? {
      guard start < steps.count else { return [] }
      guard !ends.contains(start) else { return nil }
      for end in stride(from: steps.count, to: start, by: -1) where isBoundary(end) {
        let plan = steps[start..<end].reduce(start > 0 || startsHere ? LinkPlan.here : .root) { $0.adding($1) }
        if let part = links.part(for: plan), let others = rest(from: end) { return [part] + others }
      }
      ends.insert(start)
      return nil
    }

    private func isBoundary(_ position: Int) -> Bool {
      guard position < steps.count else { return true }
      if case .place = steps[position] { return true }
      return false
    }
  }
}
