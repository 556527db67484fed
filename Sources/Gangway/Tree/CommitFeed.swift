@_spi(FrontEnd) import GangwayProtocol

/// The feed of commits for observers.
///
/// It costs nothing while there are none.
@MainActor final class CommitFeed {
  /// The number of commits that wait for a slow observer.
  ///
  /// The oldest are dropped first.
  static let limit = 256

  /// A commit that is sent after its screens have been made.
  private struct Draft {
    let number: Int
    let source: NavigationRequest.Source
    let plugin: PluginID?
    let operation: String
    let came: [EntryFacts]
    let went: [NavigationCommit.Departure]
    let updated: [EntryFacts]
    let path: [EntryFacts]
  }

  /// An entry whose title is known once its screen is made; an entry that went before that keeps its old title.
  @MainActor private struct EntryFacts {
    let node: Node
    let before: NavigationCommit.Entry

    init(_ node: Node) {
      self.node = node
      before = .init(node)
    }

    var entry: NavigationCommit.Entry { node.parent == nil ? before : .init(node) }
  }

  // On the path of every navigation, and not checked for overlapping access: see ``Node``.
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var isObserved = false
  private var drafts: [Draft] = []
  private var streams: [Int: AsyncStream<NavigationCommit>.Continuation] = [:] {
    didSet { isObserved = hasObservers || !streams.isEmpty }
  }
  private var nextStream = 0
  /// Whether plugins observe commits.
  var hasObservers = false {
    didSet { isObserved = hasObservers || !streams.isEmpty }
  }

  /// Notes a commit before the entries that it removes end.
  ///
  /// - Parameters:
  ///   - transaction: the transaction of the commit.
  ///   - next: the id from which on nodes are new.
  @inline(__always) func note(_ transaction: Transaction, newFrom next: NodeID) {
    count += 1
    if isObserved { draft(transaction, newFrom: next) }
  }

  private func draft(_ transaction: Transaction, newFrom next: NodeID) {
    var came: [Node] = []
    var went: [NavigationCommit.Departure] = []
    var updated: [Node] = []
    for step in transaction.steps {
      switch step {
      case .inserted(let node): came += Self.entries(node)
      case .removed(let node, _, _, let outcome): went += Self.departures(node, outcome, next)
      case .replaced(let node, let successor, let outcome):
        went += Self.departures(node, outcome, next)
        came += Self.entries(successor)
      case .selected(_, _, let tab): came += (tab.map(Self.entries) ?? []).filter { $0.id >= next }
      case .rerouted(let node, _): updated.append(node)
      case .parked, .ordered: break
      }
    }
    let passing = Set(
      transaction.steps.flatMap { step -> [NodeID] in
        switch step {
        case .removed(let node, _, _, _), .replaced(let node, _, _): node.subtree.map(\.id)
        case .inserted, .selected, .parked, .ordered, .rerouted: []
        }
      })
    drafts.append(
      Draft(
        number: count, source: transaction.source, plugin: TrackedWork.current?.plugin,
        operation: transaction.label.description,
        came: came.filter { !passing.contains($0.id) }.map(EntryFacts.init),
        went: went, updated: updated.map(EntryFacts.init),
        path: transaction.table.visible.path.map(EntryFacts.init)))
  }

  /// Returns a node and its descendants that are entries, each before its children.
  private static func entries(_ top: Node) -> [Node] {
    let own = if case .entry = top.style { [top] } else { [Node]() }
    return own + top.children.flatMap(entries)
  }

  private static func departures(
    _ top: Node, _ outcome: Completion.Outcome, _ next: NodeID
  ) -> [NavigationCommit.Departure] {
    // An entry that came and went in one commit was never on screen.
    entries(top).reversed().filter { $0.id < next }.map { node in
      let reason: NavigationCommit.Departure.Reason =
        switch outcome {
        case .finished: node === top ? .finished : .cancelled(.popped)
        case .cancelled(let reason): .cancelled(reason)
        case .failed(let error): node === top ? .failed(NavigationError.personMessage(of: error)) : .cancelled(.popped)
        }
      return .init(entry: .init(node), reason: reason)
    }
  }

  /// Returns a stream of commits from now on, which begins with the present state.
  func stream(_ table: NodeTable) -> AsyncStream<NavigationCommit> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NavigationCommit.self, bufferingPolicy: .bufferingNewest(Self.limit))
    let id = nextStream
    nextStream += 1
    streams[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.streams[id] = nil }
    }
    continuation.yield(start(table))
    return stream
  }

  /// Returns the present state as a commit in which all entries came.
  func start(_ table: NodeTable) -> NavigationCommit {
    NavigationCommit(
      number: count, source: .restoration, plugin: nil, operation: "start",
      came: Self.entries(table.root).map { .init($0) }, went: [], updated: [],
      path: table.visible.path.map { .init($0) })
  }

  /// Returns the commits since the last call, with the present titles of their entries, and sends them to the streams.
  func take(_ visible: [Node]) -> [NavigationCommit] {
    guard !drafts.isEmpty else { return [] }
    let due = drafts
    drafts = []
    return due.enumerated().map { index, draft in
      let commit = NavigationCommit(
        number: draft.number, source: draft.source, plugin: draft.plugin, operation: draft.operation,
        came: draft.came.map(\.entry), went: draft.went, updated: draft.updated.map(\.entry),
        // Entries that were made since belong to the last commit.
        path: index == due.count - 1 ? visible.map { .init($0) } : draft.path.map(\.entry))
      for stream in streams.values { stream.yield(commit) }
      return commit
    }
  }

  /// Ends all streams, because the session has ended.
  func finish() {
    for stream in streams.values { stream.finish() }
    streams = [:]
  }
}

extension NavigationCommit.Entry {
  @MainActor init(_ node: Node) {
    let isFlow = if case .flow = node.phase { true } else { false }
    self.init(node: node.id, location: Location(of: node), isFlow: isFlow)
  }
}
