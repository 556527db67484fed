/// From where somebody is to a URL.
extension Links {
  /// The URL that leads where a plan does; nil where no link does so.
  ///
  /// What leads through places of several features, each of which has a link, has a URL of several parts, with `/+/` between
  /// them: `gangway://todos/7/+/people/3`.
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

  /// A URL, or a part of one.
  private struct Part {
    let beginning: String
    let path: String
    /// With its mark; empty where there is none.
    let query: String
  }

  /// The URL that one link makes of a plan.
  private func part(for plan: LinkPlan) -> Part? {
    for index in LinkTarget.all(of: plan).flatMap({ targets[$0] ?? [] }).sorted() {
      guard case .registered(let link) = entries[index], let values = link.values(plan),
        let path = link.pattern.path(with: values), let beginning = beginning(of: link.pattern)
      else { continue }
      // A URL counts only if it leads back: another pattern may be more specific.
      guard leadsBack(beginning + path, to: plan, by: index) else { continue }
      let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
      return Part(beginning: beginning, path: String(path[..<mark]), query: String(path[mark...]))
    }
    return nil
  }

  private func leadsBack(_ url: String, to plan: LinkPlan, by entry: Int? = nil) -> Bool {
    switch try? answer(url) {
    case .link(let link): link.plan.matches(plan)
    // What it would find is not known; that it is asked is.
    case .lookup(let lookup): entry.map { $0 == lookup.key.entry } ?? true
    case .unloaded, .unmatched, nil: false
    }
  }

  /// What stands before the path of a pattern.
  private func beginning(of pattern: LinkPattern) -> String? {
    if !pattern.components.isEmpty { return schemes.first.map { "\($0)://" } }
    return origins.lazy.compactMap { try? LinkOrigin($0) }.first.map { "\($0)/" }
  }

  /// Divides the steps of a plan among links: as few as there can be from the left, each but the first beginning with a place.
  @MainActor private struct Parts {
    let links: Links
    let startsHere: Bool
    let steps: [LinkPlan.Step]
    /// Where it is known that no link leads on.
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
