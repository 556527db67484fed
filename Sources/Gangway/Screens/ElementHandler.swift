@_spi(FrontEnd) import GangwayProtocol

/// The handler of a user's action on an element.
enum ElementHandler {
  case action(@MainActor () async throws -> Void)
  /// Makes a file for the user to save.
  case download(@MainActor () async throws -> OfferedFile)
  case edit(@MainActor (String) -> Void)
  case toggle(@MainActor (Bool) -> Void)
  /// Returns whether the option exists.
  case choose(@MainActor (String) -> Bool)
  case cell(rows: Int, columns: Int, @MainActor (Int, Int) async throws -> Void)
  case expand(@MainActor (Bool) -> Void)
  /// Returns the keys without a row.
  case select(@MainActor ([String]) -> [String])
  /// Sorts by one of these columns.
  case sort(columns: [String], @MainActor (String, Element.Column.Order) -> Void)
  case submit(@MainActor () async throws -> Void)
  case file(FileRules, @MainActor (ChosenFile) async throws -> Void)

  /// The kind of an action on an element, which may have a handler for each kind.
  enum Verb: Hashable {
    case action, edit, toggle, choose, cell, expand, select, sort, submit, file

    /// The text about an element without such a handler.
    var mismatch: String {
      switch self {
      case .action: "cannot be tapped"
      case .edit: "is not a text field"
      case .toggle: "is not a toggle"
      case .choose: "is not a picker"
      case .cell: "is not a grid"
      case .expand: "cannot be expanded"
      case .select: "has no selectable rows"
      case .sort: "cannot be sorted"
      case .submit: "cannot be submitted"
      case .file: "takes no file"
      }
    }
  }

  var verb: Verb {
    switch self {
    case .action, .download: .action
    case .edit: .edit
    case .toggle: .toggle
    case .choose: .choose
    case .cell: .cell
    case .expand: .expand
    case .select: .select
    case .sort: .sort
    case .submit: .submit
    case .file: .file
    }
  }
}

/// The handlers of a screen's elements.
struct ElementHandlers {
  /// Most elements have one handler; the additional ones are stored separately.
  private var first: [ElementID: ElementHandler] = [:]
  private var others: [ElementID: [ElementHandler]] = [:]

  /// Returns the handler of an element for a kind of action; nil if there is none.
  subscript(id: ElementID, verb: ElementHandler.Verb) -> ElementHandler? {
    if let handler = first[id], handler.verb == verb { return handler }
    return others[id]?.first { $0.verb == verb }
  }

  /// Reserves room for this number of elements.
  mutating func reserveCapacity(_ count: Int) { first.reserveCapacity(count) }

  /// The number of elements with a handler.
  var count: Int { first.count }

  /// Sets the handler of an element for a kind of action.
  mutating func add(_ handler: ElementHandler, to id: ElementID) {
    if let before = first[id], before.verb != handler.verb {
      others[id, default: []].removeAll { $0.verb == handler.verb }
      others[id]?.append(handler)
    } else {
      first[id] = handler
    }
  }

  /// Moves the handlers of one element to another.
  mutating func move(from id: ElementID, to other: ElementID) {
    if let handler = first.removeValue(forKey: id) { add(handler, to: other) }
    for handler in others.removeValue(forKey: id) ?? [] { add(handler, to: other) }
  }

  /// Returns whether an element has a handler.
  func contains(_ id: ElementID) -> Bool { first[id] != nil }

  /// The elements that have a handler.
  var elements: Set<ElementID> { Set(first.keys) }
}
