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

  /// The values, by the id of the element and the kind of value.
  private(set) var values: [ElementID: String]
  /// Called when a value that a render reads has changed.
  var didChange: @MainActor () -> Void = {}

  /// Creates a state from the stored values of a screen.
  ///
  /// It skips the values of inputs, which are among them.
  init(ofScreen stored: [ElementID: String] = [:]) { values = stored.filter { Self.isOwn($0.key) } }

  /// The value of a kind for an element.
  ///
  /// Setting it renders the screen again.
  subscript(id: ElementID, aspect: Aspect) -> String? {
    get { values[Self.name(id, aspect)] }
    set {
      let name = Self.name(id, aspect)
      guard values[name] != newValue else { return }
      values[name] = newValue
      didChange()
    }
  }

  /// Whether an input shows a text that differs from its value, or a value was refused.
  var hasDrafts: Bool { values.keys.contains { $0.rawValue.hasSuffix(Self.ending(.base)) } }

  /// Forgets the refused text and the reason.
  func forgetRefusal(of id: ElementID) { for aspect in [Aspect.draft, .problem, .base] { self[id, aspect] = nil } }

  /// Returns the name under which a value is stored.
  private static func name(_ id: ElementID, _ aspect: Aspect) -> ElementID { "\(id)\(ending(aspect))" }
  private static func ending(_ aspect: Aspect) -> String { "\t" + aspect.rawValue }

  /// Returns the inputs to restore: those with a stored value, or with a refused text.
  static func inputs(in stored: [ElementID: String]) -> Set<ElementID> {
    let ending = ending(.draft)
    return Set(
      stored.keys.lazy.compactMap { name in
        guard isOwn(name) else { return name }
        let text = name.rawValue
        return text.hasSuffix(ending) ? ElementID(rawValue: String(text.dropLast(ending.count))) : nil
      })
  }

  /// Returns whether a stored value belongs to the framework, and not to an input.
  static func isOwn(_ name: ElementID) -> Bool {
    let text = name.rawValue
    guard let tab = text.lastIndex(of: "\t") else { return false }
    return Aspect(rawValue: String(text[text.index(after: tab)...])) != nil
  }
}
