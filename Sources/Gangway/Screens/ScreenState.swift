import GangwayProtocol

/// What the framework keeps for a screen because the author does not: which disclosure is open, which pane is shown, by which
/// column a table is sorted, what stands in a field and cannot be taken, which fields the person has been in.
///
/// It is stored with the entry, so that it is there again after a crash.
@MainActor final class ScreenState {
  /// What of an element is kept.
  enum Aspect: String, CaseIterable {
    /// The text of an input that cannot be taken, and why; or one that was taken and is written in another way.
    case draft, problem
    /// What the input held then: with another value, set by the author's code, the text is of no meaning any more.
    case base
    /// Whether the person has been in an input and left it.
    case visited
    /// Whether a form was submitted with problems in it.
    case submitted
    /// How a table is sorted.
    case sort
    /// Whether a row or disclosure is expanded.
    case expanded
    /// Which pane is shown.
    case pane
    /// Which rows are rendered.
    case window
  }

  /// What is kept, by the id of the element and what of it.
  private(set) var values: [ElementID: String]
  /// Called when something changed that a render reads.
  var didChange: @MainActor () -> Void = {}

  /// Makes a state from what is stored of a screen, among it what inputs hold, which is passed over.
  init(ofScreen stored: [ElementID: String] = [:]) { values = stored.filter { Self.isOwn($0.key) } }

  /// What is kept of an element. Setting it has the screen rendered again.
  subscript(id: ElementID, aspect: Aspect) -> String? {
    get { values[Self.name(id, aspect)] }
    set {
      let name = Self.name(id, aspect)
      guard values[name] != newValue else { return }
      values[name] = newValue
      didChange()
    }
  }

  /// Whether a text stands for what an input holds, or something was not taken.
  var hasDrafts: Bool { values.keys.contains { $0.hasSuffix(Self.name("", .base)) } }

  /// Forgets what was refused, and why.
  func forgetRefusal(of id: ElementID) { for aspect in [Aspect.draft, .problem, .base] { self[id, aspect] = nil } }

  /// The name under which something of an element is stored.
  private static func name(_ id: ElementID, _ aspect: Aspect) -> ElementID { id + "\t" + aspect.rawValue }

  /// The inputs of which something is to be put back: what they held, or text that could not be taken.
  static func inputs(in stored: [ElementID: String]) -> Set<ElementID> {
    let ending = name("", .draft)
    return Set(
      stored.keys.lazy.compactMap { name in
        guard isOwn(name) else { return name }
        return name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : nil
      })
  }

  /// Whether a stored value is one that the framework keeps, and not what an input holds.
  static func isOwn(_ name: ElementID) -> Bool {
    guard let tab = name.lastIndex(of: "\t") else { return false }
    return Aspect(rawValue: String(name[name.index(after: tab)...])) != nil
  }
}
