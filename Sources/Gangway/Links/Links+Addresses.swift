@_spi(FrontEnd) import GangwayProtocol

/// Creates URLs from plans.
extension Links {
  /// The links that created URLs lately, for each type of routes.
  ///
  /// An app may have thousands of links to one type of routes, and only their own code knows their routes. So a link
  /// that answered before is asked first. Its answer is checked like any other.
  struct RecentLinks {
    /// The number of links that are all asked in their order.
    static let fewLinks = 64
    /// The maximum number of links for each type.
    private static let limit = 8

    private var indices: [LinkTarget: [Int]] = [:]

    /// The indices of the links, the latest first.
    func links(to target: LinkTarget) -> [Int] { indices[target] ?? [] }

    mutating func note(_ index: Int, for target: LinkTarget) {
      guard indices[target]?.first != index else { return }
      let others = links(to: target).filter { $0 != index }
      indices[target] = [index] + others.prefix(Self.limit - 1)
    }
  }

  /// Returns the URL that opens a plan; nil if no link opens it.
  ///
  /// A plan through places of several features, each with a link, has a URL of several parts. The parts are separated
  /// by `/+/`: `gangway://todos/7/+/people/3`.
  public func url(for plan: LinkPlan) -> String? {
    settle()
    if let part = part(for: plan) { return part.beginning + part.path + part.query }
    guard mayHaveParts(plan), let parts = Parts(self, plan.startsHere, plan.steps).all(from: 0),
      let first = parts.first, !first.path.isEmpty
    else { return nil }
    let queries = parts.filter { !$0.query.isEmpty }.map { $0.query.dropFirst() }
    let url =
      first.beginning + parts.map(\.path).joined(separator: "/+/")
      + (queries.isEmpty ? "" : "?" + queries.filter { !$0.isEmpty }.joined(separator: "&"))
    return leadsBack(url, to: plan) ? url : nil
  }

  /// Returns why a plan has no URL although a link of its author's names one: the URL opens something else.
  func misleadingURL(for plan: LinkPlan) -> String? {
    guard url(for: plan) == nil else { return nil }
    for index in LinkTarget.all(of: plan).compactMap({ targets[$0] }).flatMap(\.self).sorted() {
      guard case .registered(let link) = entries[index], let values = link.values(plan),
        let path = link.pattern.path(with: values), let beginning = beginning(of: link.pattern)
      else { continue }
      let address = beginning + path
      return "the link \(link.pattern) gives this screen the URL \(address), but this URL opens another screen"
    }
    return nil
  }

  /// Returns the URL of the screen that a plan ends with, for a plan that has no URL as a whole.
  ///
  /// The URL opens the same screen, with fewer screens below it. A web page needs it: the address of a screen must be
  /// the same whichever way the user took.
  func screenURL(for plan: LinkPlan) -> String? {
    settle()
    return plan.shortened.lazy.compactMap { self.part(for: $0) }.first.map { $0.beginning + $0.path + $0.query }
  }

  /// Returns the URL of a plan, or of its last screen if the plan has no URL as a whole.
  func address(of plan: LinkPlan) -> String? { url(for: plan) ?? screenURL(for: plan) }

  /// Whether some link may create URLs.
  var createsURLs: Bool {
    settle()
    return !targets.isEmpty
  }

  /// Whether some links create URLs for plans of any length.
  private var takesLongPlans: Bool { targets[.any] != nil }

  /// Returns whether a plan may have a URL of several parts, as far as that is known without asking links.
  ///
  /// Each part but the first begins with a place, and most links take at most two steps.
  private func mayHaveParts(_ plan: LinkPlan) -> Bool {
    plan.laterPlaces > 0 && (takesLongPlans || 2 * plan.laterPlaces + 2 >= plan.stepCount)
  }

  /// A URL, or a part of one.
  private struct Part {
    let beginning: String
    let path: String
    /// The query with its `?`; empty if there is no query.
    let query: String
  }

  /// Returns the URL that one link creates for a plan: the link that was registered first.
  ///
  /// Of more than ``RecentLinks/fewLinks`` links, those that created URLs lately are asked first. The URLs of all links
  /// open the same plan.
  private func part(for plan: LinkPlan) -> Part? {
    let candidates = LinkTarget.all(of: plan).compactMap { targets[$0] }
    let areMany = candidates.reduce(0) { $0 + $1.count } > RecentLinks.fewLinks
    if areMany, let target = LinkTarget.routes(of: plan) {
      for index in recent.links(to: target) {
        guard let part = part(for: plan, by: index) else { continue }
        recent.note(index, for: target)
        return part
      }
    }
    for index in candidates.count == 1 ? candidates[0].sorted() : candidates.flatMap(\.self).sorted() {
      guard let part = part(for: plan, by: index) else { continue }
      if areMany, let target = LinkTarget.routes(of: plan) { recent.note(index, for: target) }
      return part
    }
    return nil
  }

  private func part(for plan: LinkPlan, by index: Int) -> Part? {
    if case .announced(let link) = entries[index] { return part(for: plan, by: link) }
    guard case .registered(let link) = entries[index], let values = link.values(plan),
      let path = link.pattern.path(with: values), let beginning = beginning(of: link.pattern)
    else { return nil }
    // A URL counts only if it resolves to the plan again: another pattern may be more specific.
    guard leadsBack(beginning + path, to: plan, by: index) else { return nil }
    let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
    return Part(beginning: beginning, path: String(path[..<mark]), query: String(path[mark...]))
  }

  /// Returns the URL of a tab whose plugin is not loaded.
  private func part(for plan: LinkPlan, by link: LinkAnnouncement) -> Part? {
    guard let tab = link.tab, plan.stepCount == 1, plan.tab == tab, let pattern = try? LinkPattern(link.pattern),
      let path = pattern.path(with: []), let beginning = beginning(of: pattern),
      case .unloaded(link.plugin)? = try? answer(beginning + path)
    else { return nil }
    return Part(beginning: beginning, path: path, query: "")
  }

  private func leadsBack(_ url: String, to plan: LinkPlan, by entry: Int? = nil) -> Bool {
    switch try? answer(url) {
    case .link(let link): link.plan.matches(plan)
    // The result of the lookup is unknown. The URL counts if it reaches the expected link.
    case .lookup(let lookup): entry.map { $0 == lookup.key.entry } ?? true
    case .unloaded, .unmatched, nil: false
    }
  }

  /// The samples of a link.
  package struct Samples {
    package let pattern: String
    /// The URLs of the samples; the only URL of a link without parameters.
    package var urls: [String] = []
    /// The path parameters for which a sample has no value.
    package var missing: Set<String> = []
  }

  /// Returns the samples of each link of a plugin.
  ///
  /// - Throws: the error of a sample that cannot be encoded.
  package func samples(of plugin: PluginID) throws -> [Samples] {
    settle()
    return try entries.compactMap { entry in
      guard case .registered(let link) = entry, link.plugin == plugin, let beginning = beginning(of: link.pattern)
      else {
        return nil
      }
      let isFixed = link.pattern.parameters.isEmpty && link.pattern.query.isEmpty
      var samples = Samples(pattern: "\(link.pattern)")
      for values in isFixed ? [[]] : try link.samples() {
        if let path = link.pattern.path(with: values) {
          samples.urls.append(beginning + path)
        } else {
          samples.missing.formUnion(
            link.pattern.parameters.filter { name in !values.contains { $0.name == name && !$0.value.isEmpty } })
        }
      }
      return samples
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
      let last = links.takesLongPlans ? steps.count : min(steps.count, start + 2)
      for end in stride(from: last, to: start, by: -1) where isBoundary(end) {
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
