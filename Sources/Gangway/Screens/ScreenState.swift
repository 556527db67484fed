@_spi(FrontEnd) import GangwayProtocol

/// The values that the framework keeps for a screen, because the author does not.
///
/// Examples are open disclosures, the shown pane, the sort order of a table, refused texts, and the fields that the
/// user has left. The values are stored with the entry, so a crash does not lose them.
@MainActor final class ScreenState {
  /// The kinds of values for an element.
  enum Aspect: String, CaseIterable {
    /// The refused text of an input, and the reason; or an accepted text in the user's spelling.
    case draft, problem
    /// The value of the input at that time.
    ///
    /// The text is obsolete once the author's code sets another value.
    case base
    /// Whether the user has left an input.
    case visited
    /// Whether the user tried to submit a form with problems.
    case submitted
    /// The sort order of a table.
    case sort
    /// Whether a row or disclosure is expanded.
    case expanded
    /// The shown pane.
    case pane
    /// The rendered rows.
    case window
  }

  /// The values, by element and kind.
  typealias Values = [ElementID: [Aspect.RawValue: String]]

  private(set) var values: Values
  /// Called when a value that a render reads has changed.
  var didChange: @MainActor () -> Void = {}

  /// The forms that ask before the user leaves them.
  let unsaved = UnsavedForms()

  /// Creates a state from stored values.
  init(_ stored: Values = [:]) { values = stored }

  /// The value of a kind for an element.
  ///
  /// Setting it renders the screen again.
  subscript(id: ElementID, aspect: Aspect) -> String? {
    get { values[id]?[aspect.rawValue] }
    set {
      guard values[id]?[aspect.rawValue] != newValue else { return }
      values[id, default: [:]][aspect.rawValue] = newValue
      if values[id]?.isEmpty == true { values[id] = nil }
      didChange()
    }
  }

  /// Whether an input shows a text that differs from its value, or a value was refused.
  var hasDrafts: Bool { values.values.contains { $0[Aspect.base.rawValue] != nil } }

  /// Whether an input shows a text that its value does not have, because it was refused.
  var hasRefusals: Bool { values.values.contains { $0[Aspect.problem.rawValue] != nil } }

  /// Forgets the refused text and the reason.
  func forgetRefusal(of id: ElementID) { for aspect in [Aspect.draft, .problem, .base] { self[id, aspect] = nil } }

  /// Returns the inputs to restore: those with a stored value, or with a refused text.
  static func inputs(in stored: [ElementID: String], _ states: Values) -> Set<ElementID> {
    Set(stored.keys).union(states.lazy.filter { $0.value[Aspect.draft.rawValue] != nil }.map(\.key))
  }
}
