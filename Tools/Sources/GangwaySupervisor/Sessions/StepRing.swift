import GangwayProtocol

/// What was done last in a session, and the tree that it began from: what a crash report needs to have it done again.
struct StepRing {
  /// How many events and changes are kept; of older ones the tree alone is. None are for 0.
  let maximum: Int

  /// The tree before the first of them.
  private(set) var base = Checkpoint()
  /// Whether guards were asked about that tree.
  private(set) var asksGuards = false
  /// A circle once it is full.
  private var entries: [Recording.Entry] = []
  /// Where the oldest is.
  private var start = 0

  init(maximum: Int) { self.maximum = maximum }

  /// Begins anew, with what a host was given.
  mutating func begin(from checkpoint: Checkpoint, asksGuards: Bool = false) {
    base = checkpoint
    self.asksGuards = asksGuards
    entries.removeAll(keepingCapacity: true)
    start = 0
  }

  mutating func note(_ entry: Recording.Entry) {
    guard maximum > 0 else { return }
    guard entries.count == maximum else { return entries.append(entry) }
    if let change = entries[start].change {
      base.fold(change)
      asksGuards = false
    }
    entries[start] = entry
    start = (start + 1) % maximum
  }

  /// All that is kept, the oldest first.
  var steps: [Recording.Entry] { Array(entries[start...] + entries[..<start]) }
}
