@_spi(FrontEnd) import GangwayProtocol

/// The last steps of a session and the tree they started from, which a crash report needs to reproduce the crash.
struct StepRing {
  /// The most events and changes to keep; older changes are folded into the tree, and 0 keeps none.
  let maximum: Int

  /// The tree before the first kept step.
  private(set) var base = Checkpoint()
  /// Whether guards were asked about that tree.
  private(set) var asksGuards = false
  /// The steps, as a ring buffer once it is full.
  private var entries: [Recording.Entry] = []
  /// The index of the oldest step.
  private var start = 0

  init(maximum: Int) { self.maximum = maximum }

  /// Starts again with the state that a host received.
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

  /// The kept steps, oldest first.
  var steps: [Recording.Entry] { Array(entries[start...] + entries[..<start]) }
}
