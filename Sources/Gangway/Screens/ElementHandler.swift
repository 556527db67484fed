import GangwayProtocol

/// What happens when a person acts on an element.
enum ElementHandler {
  case action(@MainActor () async throws -> Void)
  case edit(@MainActor (String) -> Void)
  case toggle(@MainActor (Bool) -> Void)
  /// Returns whether there is such an option.
  case choose(@MainActor (String) -> Bool)
  case cell(rows: Int, columns: Int, @MainActor (Int, Int) async throws -> Void)
  case expand(@MainActor (Bool) -> Void)
  /// Returns the keys for which there is no row.
  case select(@MainActor ([String]) -> [String])
  /// Sorts by one of these columns.
  case sort(columns: [String], @MainActor (String, Element.Column.Order) -> Void)
  case submit(@MainActor () async throws -> Void)

  /// In which way an element is acted on: it may have a handler for each.
  enum Verb: Hashable {
    case action, edit, toggle, choose, cell, expand, select, sort, submit

    /// What is said of an element that does not take it.
    var mismatch: String {
      switch self {
      case .action: "is nothing to tap"
      case .edit: "is no text field"
      case .toggle: "is no toggle"
      case .choose: "is no picker"
      case .cell: "is no grid"
      case .expand: "has nothing to expand"
      case .select: "has no rows to select"
      case .sort: "cannot be sorted"
      case .submit: "has nothing to submit"
      }
    }
  }

  var verb: Verb {
    switch self {
    case .action: .action
    case .edit: .edit
    case .toggle: .toggle
    case .choose: .choose
    case .cell: .cell
    case .expand: .expand
    case .select: .select
    case .sort: .sort
    case .submit: .submit
    }
  }
}

/// The handlers of a screen's elements.
struct ElementHandlers {
  /// Most elements have one way to be acted on; those that have more keep the others apart.
  private var first: [ElementID: ElementHandler] = [:]
  private var others: [ElementID: [ElementHandler]] = [:]

  /// What an element does when it is acted on in a way; nil where it does not take it.
  subscript(id: ElementID, verb: ElementHandler.Verb) -> ElementHandler? {
    if let handler = first[id], handler.verb == verb { return handler }
    return others[id]?.first { $0.verb == verb }
  }

  /// Makes room for so many.
  mutating func reserveCapacity(_ count: Int) { first.reserveCapacity(count) }

  /// How many elements have one.
  var count: Int { first.count }

  /// Gives an element a handler, in place of the one it has for the same way.
  mutating func add(_ handler: ElementHandler, to id: ElementID) {
    if let before = first[id], before.verb != handler.verb {
      others[id, default: []].removeAll { $0.verb == handler.verb }
      others[id]?.append(handler)
    } else {
      first[id] = handler
    }
  }

  /// Gives the handlers of one element to another.
  mutating func move(from id: ElementID, to other: ElementID) {
    if let handler = first.removeValue(forKey: id) { add(handler, to: other) }
    for handler in others.removeValue(forKey: id) ?? [] { add(handler, to: other) }
  }

  /// Whether an element can be acted on.
  func contains(_ id: ElementID) -> Bool { first[id] != nil }

  /// The elements that have one.
  var elements: Set<ElementID> { Set(first.keys) }
}
