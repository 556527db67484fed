import GangwayProtocol

/// What the tree asks of the session it belongs to.
@MainActor final class NavigationHooks {
  /// Runs the handlers of an entry that ended; the session tracks them.
  var run: (_ plugin: String?, _ work: @escaping @MainActor () async throws -> Void) -> Void = { _, _ in }
  /// Told after every commit, and of what changes between them.
  @exclusivity(unchecked) var didChange: () -> Void = {}
  /// Told of something a person should know.
  var report: (Update.Notice) -> Void = { _ in }
  /// Told before an entry from a checkpoint is made.
  var willRestore: (Node) -> Void = { _ in }
  /// Told when an entry from a file waits for its guards.
  var isHeldBack: () -> Void = {}
  /// Told when an entry with guards came back after a crash.
  var isRestored: () -> Void = {}
  /// What guards have read that they let something in for.
  let guardWatch = GuardWatch()
  /// Who is told of commits.
  let commits = CommitFeed()
  /// What flows do by themselves.
  let flowWork = FlowWork()
  /// What undoes that of which the person was told.
  let undoableNotices = UndoableNotices()
  /// How many waits for plugins are under way that are still too short to be told of.
  private var briefWaits = 0

  /// How long a person is kept waiting for a plugin before the screen says so.
  static let patience: Duration = .milliseconds(100)
  /// How long where a front end still shows what they were at when a host crashed: what says that something is loaded would take its
  /// place, with the keyboard that is in it.
  static let patienceAfterCrash: Duration = .seconds(2)
  /// How long it is now.
  var patience = NavigationHooks.patience

  /// Whether a plugin is waited for, and not yet for so long that the person is told.
  var isWaitingBriefly: Bool { briefWaits > 0 }

  /// Waits for a plugin; what takes longer than a moment is told.
  func waiting<Result>(tell: @escaping @MainActor () -> Void, _ wait: () async -> Result) async -> Result {
    briefWaits += 1
    var isBrief = true
    let patience = patience
    let alarm = Task { @MainActor in
      guard (try? await Task.sleep(for: patience)) != nil, isBrief else { return }
      isBrief = false
      briefWaits -= 1
      tell()
      didChange()
    }
    let result = await wait()
    alarm.cancel()
    if isBrief {
      isBrief = false
      briefWaits -= 1
    }
    didChange()
    return result
  }

  /// Counts what changed the tree; what was rendered before is out of date.
  @exclusivity(unchecked) private(set) var changes = 0

  /// Notes that something changed.
  func noteChange() {
    changes += 1
    didChange()
  }
}
