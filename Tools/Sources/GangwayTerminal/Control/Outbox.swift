@_spi(FrontEnd) import GangwayProtocol

/// The actions that wait to be sent. One action is in flight at a time.
///
/// An edit has the whole text of its field. So an edit replaces the edit of the same field that waits at the end, and a
/// lost edit can be sent again. All other actions are sent once.
struct Outbox {
  /// The result of an answer.
  enum Answer: Equatable {
    /// The app has the action, or refused it.
    case done
    /// The action was lost and is sent again.
    case again
    /// The edit of a field was lost for the second time.
    ///
    /// Its text may be what crashes the app, so only the user sends it again. The actions that waited are dropped,
    /// except edits, because they would act on the older text.
    case givenUp(Event.ElementReference)
  }

  private struct Item {
    let action: Event.Action
    var isAgain = false
    var field: Event.ElementReference? {
      if case .edit(let target, _) = action { target } else { nil }
    }
  }

  /// Returns whether an action may use the text of the screen's fields, so that the text goes first.
  ///
  /// The user can leave a screen whose text does not arrive.
  static func actsOnText(_ action: Event.Action) -> Bool {
    switch action {
    case .edit, .focus, .scroll, .window, .back, .backTo, .dismiss, .tab, .open: false
    default: true
    }
  }

  /// The time of the user's last press; nil before.
  private var lastPress: ContinuousClock.Instant?
  /// Whether the user pressed something in the last ten minutes, so that a file that comes is probably for them.
  var hasPressed: Bool { lastPress.map { ContinuousClock.now - $0 < .seconds(600) } ?? false }
  private var waiting: [Item] = []
  private var inFlight: Item?

  /// Whether no action waits or is in flight.
  var isEmpty: Bool { waiting.isEmpty && inFlight == nil }

  /// Returns whether an action waits to be sent that meets a condition.
  func hasWaiting(where matches: (Event.Action) -> Bool) -> Bool { waiting.contains { matches($0.action) } }

  /// Whether rows of a list have been asked for, and have not come.
  func asksForRows(of list: Event.ElementReference) -> Bool {
    (waiting + [inFlight].compactMap(\.self)).contains { item in
      if case .window(list, _, _) = item.action { true } else { false }
    }
  }

  /// Adds an action.
  ///
  /// - Returns: whether the action replaced an earlier edit, which then has no answer.
  mutating func add(_ action: Event.Action) -> Bool {
    switch action {
    case .tap, .cell, .submit, .file: lastPress = .now
    default: break
    }
    let item = Item(action: action)
    guard let field = item.field, waiting.last?.field == field else {
      waiting.append(item)
      return false
    }
    waiting[waiting.count - 1] = item
    return true
  }

  /// Returns the next action, which is then in flight; nil if there is none, or another action is in flight.
  mutating func next() -> Event.Action? {
    guard inFlight == nil, !waiting.isEmpty else { return nil }
    inFlight = waiting.removeFirst()
    return inFlight?.action
  }

  /// Ends the action in flight.
  ///
  /// - Parameters:
  ///   - isLost: whether the app did not do the action.
  ///   - mayRepeat: whether a lost edit may be sent again now.
  mutating func answered(isLost: Bool, mayRepeat: Bool = true) -> Answer {
    guard let item = inFlight else { return .done }
    inFlight = nil
    guard isLost, let field = item.field else { return .done }
    // A newer text of the same field follows.
    if waiting.first?.field == field {
      waiting[0].isAgain = item.isAgain
      return .done
    }
    guard mayRepeat, !item.isAgain else {
      guard let newer = waiting.firstIndex(where: { $0.field == field }) else {
        waiting.removeAll { Self.actsOnText($0.action) }
        return .givenUp(field)
      }
      // The newer text may crash the app, too.
      waiting[newer].isAgain = item.isAgain
      waiting = waiting[..<newer].filter { !Self.actsOnText($0.action) } + waiting[newer...]
      return .done
    }
    waiting.insert(Item(action: item.action, isAgain: true), at: 0)
    return .again
  }
}
