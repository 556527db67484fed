/// How a host's configuration places what plugins contribute.
public struct Placement: Hashable, Sendable {
  /// Tabs under a title.
  public struct Group: Hashable, Sendable {
    /// What the person reads.
    public var title: String
    /// The ids of its tabs, in their order.
    public var tabs: [String]
    /// Makes a group.
    public init(title: String, tabs: [String]) {
      self.title = title
      self.tabs = tabs
    }
  }

  /// The ids of the tabs that stand first, in their order; the others follow in their own.
  public var order: [String] = []
  /// The ids of the tabs that are not on the bar.
  public var hidden: Set<String> = []
  /// Groups of tabs; each stands where the first of its tabs does.
  public var groups: [Group] = []
  /// Where a session without a stored state starts: a tab's id, or a URL.
  public var start: String?

  /// Leaves everything as plugins registered it.
  public init() {}

  /// The tabs that it names, in order of their mention.
  public var mentioned: [String] {
    order + hidden.sorted() + groups.flatMap(\.tabs) + (start.map { $0.contains(":") ? [] : [$0] } ?? [])
  }

  /// Sorts tabs, groups and hides them.
  @MainActor func arrange(_ tabs: [Registry.Tab]) -> [Registry.Tab] {
    var tabs = tabs
    for index in tabs.indices {
      let id = tabs[index].id
      if let group = groups.first(where: { $0.tabs.contains(id) }) { tabs[index].group = group.title }
      if hidden.contains(id) { tabs[index].isShown = false }
    }
    let rank = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    tabs.sort { (rank[$0.id] ?? .max, $0.order, $0.id) < (rank[$1.id] ?? .max, $1.order, $1.id) }
    return gather(tabs)
  }

  /// Puts the tabs of a group beside the first of them.
  @MainActor private func gather(_ tabs: [Registry.Tab]) -> [Registry.Tab] {
    var gathered: [Registry.Tab] = []
    var rest = tabs[...]
    while let tab = rest.popFirst() {
      gathered.append(tab)
      guard let group = tab.group else { continue }
      var members = rest.filter { $0.group == group }
      if let wanted = groups.first(where: { $0.title == group })?.tabs, order.isEmpty {
        members = ([tab] + members).sorted {
          wanted.firstIndex(of: $0.id) ?? .max < wanted.firstIndex(of: $1.id) ?? .max
        }
        gathered.removeLast()
      }
      gathered += members
      rest = rest.filter { $0.group != group }[...]
    }
    return gathered
  }
}
