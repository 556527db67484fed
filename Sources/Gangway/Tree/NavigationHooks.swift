@_spi(FrontEnd) import GangwayProtocol

/// The connections from the tree to its session.
@MainActor final class NavigationHooks {
  /// Runs the handlers of an ended entry; the session tracks them.
  var run: (_ plugin: PluginID?, _ work: @escaping @MainActor () async throws -> Void) -> Void = { _, _ in }
  /// Raised after every commit, and after other changes.
  ///
  /// It is no closure, because each call of a closure would count references.
  @exclusivity(unchecked) var signal: RefreshSignal?
  /// Called with a notification for the user.
  var report: (Update.Notice) -> Void = { _ in }
  /// Called before an entry from a checkpoint is made.
  var willRestore: (Node) -> Void = { _ in }
  /// Called when an entry from a file waits for its guards.
  var isHeldBack: () -> Void = {}
  /// Called when a crash recovery restored an entry with guards.
  var isRestored: () -> Void = {}
  /// The values that guards read before they admitted an entry.
  let guardWatch = GuardWatch()
  /// The feed of commits for observers.
  let commits = CommitFeed()
  /// The readers of stacks and selected tabs.
  let treeReaders = TreeReaders()
  /// The work of flows.
  let flowWork = FlowWork()
  /// The undo actions of notifications.
  let undoableNotices = UndoableNotices()
  /// The copies of offered files.
  let offeredFiles = OfferedFiles()
  /// The number of user actions so far.
  var userActions = 0
  /// The number of waits for plugins that are still too short to show.
  private var briefWaits = 0

  /// The delay before the screen says that a plugin is loading.
  var usualPatience: Duration = .milliseconds(100)
  /// The same delay while a front end still shows the screen from before a crash.
  ///
  /// A loading message would replace that screen, and the keyboard input in it.
  var patienceAfterCrash: Duration = .seconds(2)
  /// Whether a front end still shows that screen.
  var isAfterCrash = false

  /// Whether a plugin is loading, but not yet long enough to say so.
  var isWaitingBriefly: Bool { briefWaits > 0 }

  /// Waits for a plugin.
  ///
  /// If the wait is longer than the delay, `tell` shows it.
  func waiting<Result>(tell: @escaping @MainActor () -> Void, _ wait: () async -> Result) async -> Result {
    briefWaits += 1
    var isBrief = true
    let patience = isAfterCrash ? patienceAfterCrash : usualPatience
    let alarm = Task { @MainActor in
      guard (try? await Task.sleep(for: patience)) != nil, isBrief else { return }
      isBrief = false
      briefWaits -= 1
      tell()
      signal?.raise()
    }
    let result = await wait()
    alarm.cancel()
    if isBrief {
      isBrief = false
      briefWaits -= 1
    }
    signal?.raise()
    return result
  }

  /// The number of changes of the tree.
  ///
  /// An older rendering is out of date.
  @exclusivity(unchecked) private(set) var changes = 0

  /// Notes a change.
  func noteChange() {
    changes += 1
    signal?.raise()
  }
}
