/// The host's configuration of the tab bar and of the first screen.
public struct Placement: Hashable, Sendable {
  /// A group of tabs with a title.
  public struct Group: Hashable, Sendable {
    /// The title for the user.
    public var title: String
    /// The ids of the tabs, in their order.
    public var tabs: [ContributionID]
    /// Creates a group.
    public init(title: String, tabs: [ContributionID]) {
      self.title = title
      self.tabs = tabs
    }
  }

  /// The ids of the tabs that come first, in their order; other tabs follow in their own order.
  public var order: [ContributionID] = []
  /// The ids of the tabs that are not on the bar.
  public var hidden: Set<ContributionID> = []
  /// The groups of tabs.
  ///
  /// Each is at the position of its first tab.
  public var groups: [Group] = []
  /// The start of a session without a stored state: a tab's id, or a URL.
  public var start: String?

  /// Creates a placement that keeps everything as plugins registered it.
  public init() {}

  /// The tabs that the configuration names, in the order of their mention.
  public var mentioned: [ContributionID] {
    order + hidden.sorted() + groups.flatMap(\.tabs)
      + (start.map { $0.contains(":") ? [] : [ContributionID($0)] } ?? [])
  }

  /// Sorts, groups and hides tabs.
  @MainActor func arrange(_ tabs: [Registry.Tab]) -> [Registry.Tab] {
    var tabs = tabs
    var titles: [ContributionID: String] = [:]
    for group in groups {
      for id in group.tabs where titles[id] == nil { titles[id] = group.title }
    }
    if !titles.isEmpty || !hidden.isEmpty {
      for index in tabs.indices {
        let id = tabs[index].id
        if let title = titles[id] { tabs[index].group = title }
        if hidden.contains(id) { tabs[index].isShown = false }
      }
    }
    let rank = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    // Sort keys are small, and tabs are large.
    let keys = tabs.enumerated().map { (rank: rank[$1.id] ?? .max, order: $1.order, id: $1.id, index: $0) }
    let sorted = keys.sorted { ($0.rank, $0.order, $0.id) < ($1.rank, $1.order, $1.id) }
    return gather(sorted.map { tabs[$0.index] })
  }

  /// Moves the tabs of a group next to its first tab.
  @MainActor private func gather(_ tabs: [Registry.Tab]) -> [Registry.Tab] {
    if tabs.allSatisfy({ $0.group == nil }) { return tabs }
    let members = Dictionary(grouping: tabs.filter { $0.group != nil }, by: \.group)
    var seen: Set<String> = []
    return tabs.flatMap { tab -> [Registry.Tab] in
      guard let group = tab.group else { return [tab] }
      guard seen.insert(group).inserted else { return [] }
      let own = members[group] ?? []
      guard order.isEmpty, let wanted = groups.first(where: { $0.title == group })?.tabs else { return own }
      let rank = Dictionary(wanted.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
      return own.enumerated().sorted {
        (rank[$0.element.id] ?? .max, $0.offset) < (rank[$1.element.id] ?? .max, $1.offset)
      }.map(\.element)
    }
  }
}
