/// The commits of a session, the newest last, for reading, undo and redo.
///
/// A removed entry is kept in the form of a checkpoint, without its coordinator. The history lives as long as its host.
@MainActor final class History {
  struct Commit {
    let number: Int
    let source: NavigationRequest.Source
    let label: CommitLabel
    let isPlan: Bool
    /// Whether undo stops before this commit: a flow ended with a value in it, or its plan was marked as final.
    let isFinal: Bool
    /// Most commits have one step, which needs no array.
    private var first: Transaction.Step?
    private var others: [Transaction.Step] = []

    @MainActor init(_ number: Int, takingStepsOf transaction: Transaction) {
      self.number = number
      (source, label) = (transaction.source, transaction.label)
      isPlan = transaction.operations > 1
      isFinal = transaction.isFinal
      if transaction.steps.count == 1 { first = transaction.takeOnlyStep() } else { others = transaction.takeSteps() }
    }

    var steps: [Transaction.Step] {
      get { first.map { [$0] } ?? others }
      set { (first, others) = (nil, newValue) }
    }
  }

  /// The maximum number of commits.
  static let limit = 100

  @exclusivity(unchecked) private var ring: [Commit] = []
  @exclusivity(unchecked) private var first = 0
  @exclusivity(unchecked) private(set) var undone: [Commit] = []
  @exclusivity(unchecked) private var count = 0

  /// Appends a commit, and takes the steps of its transaction.
  func append(_ transaction: Transaction) {
    count += 1
    if !undone.isEmpty { undone = [] }
    push(Commit(count, takingStepsOf: transaction))
  }

  private func push(_ commit: consuming Commit) {
    if ring.count < Self.limit {
      ring.append(commit)
    } else {
      ring[first] = commit
      first = (first + 1) % Self.limit
    }
  }

  /// The commits that can be undone, the oldest first.
  var done: [Commit] { Array(ring[first...] + ring[..<first]) }

  var last: Commit? { ring.isEmpty ? nil : ring[(first + ring.count - 1) % ring.count] }

  /// Notes that the last commit was undone by these steps.
  func stepBack(_ steps: [Transaction.Step]) {
    var all = done
    guard var commit = all.popLast() else { return }
    (ring, first) = (all, 0)
    commit.steps = steps
    undone.append(commit)
  }

  /// Notes that the last undone commit was redone by these steps.
  func stepForward(_ steps: [Transaction.Step]) {
    guard var commit = undone.popLast() else { return }
    commit.steps = steps
    push(commit)
  }
}

/// A commit in the history of a session.
public struct HistoryEntry: Hashable, Sendable, CustomStringConvertible {
  /// The number of the commit in its session, from 1.
  public let number: Int
  /// The source of the navigation.
  public let source: NavigationRequest.Source
  /// The operation, such as `show detail(1)`; for a plan, its last operation.
  public let operation: String
  /// Whether the commit was undone, and can be redone.
  public let isUndone: Bool

  /// The entry as one line.
  public var description: String {
    "\(number)  \(source.rawValue)  \(operation)" + (isUndone ? "  (undone)" : "")
  }

  @MainActor init(_ commit: History.Commit, isUndone: Bool) {
    number = commit.number
    source = commit.source
    operation = commit.label.description + (commit.isPlan ? " (end of a plan)" : "")
    self.isUndone = isUndone
  }
}
