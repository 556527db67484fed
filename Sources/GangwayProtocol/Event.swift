/// A user action in a front end.
@_spi(FrontEnd) public struct Event: Hashable, Sendable {
  /// The kind of a user action, with its target.
  public enum Action: Hashable, Sendable {
    /// A press on a button or link.
    case tap(ElementReference)
    /// The new text of a field.
    case edit(ElementReference, text: String)
    /// The new state of a toggle.
    case toggle(ElementReference, isOn: Bool)
    /// A choice of a picker's option, by its id.
    case choose(ElementReference, option: String)
    /// A press on a cell of a grid. Row and column count from 0.
    case cell(ElementReference, row: Int, column: Int)
    /// A request to show or hide the content of a row or disclosure.
    case expand(ElementReference, isExpanded: Bool)
    /// The selected rows of a list or table, by their keys.
    case select(ElementReference, keys: [String])
    /// A request to sort a table by a column, by its id.
    case sort(ElementReference, column: String, order: Element.Column.Order)
    /// Enter in a form, or in a field that takes it.
    case submit(ElementReference)
    /// A file that the user chose, whose copy is in the ``HandoverFolder``.
    case file(ElementReference, HandedFile)
    /// The visible part of a list or table, from row `first`, counted from 0. The host sends these rows.
    case window(ElementReference, first: Int, count: Int)
    /// A press on a tab, also on the current one.
    case tab(NodeID)
    /// One step back: an alert's cancel button, a modal, an entry.
    case back
    /// A return to an entry of the path, which removes everything above it.
    case backTo(NodeID)
    /// A request to dismiss the topmost modal.
    case dismiss
    /// The focused element; nil for none.
    case focus(NodeID, ElementID?)
    /// The scroll position of a screen, in lines from its top.
    case scroll(NodeID, lines: Int)
    /// A request to open a URL.
    case open(String)
    /// A request to undo the last change of the navigation tree.
    case undo
    /// A request to redo the last undone change.
    case redo
    /// A request to run the undo action of a notice, by its number.
    case undoNotice(NoticeID)
  }

  /// An element of a screen.
  public struct ElementReference: Codable, Hashable, Sendable {
    /// The screen's node.
    public var node: NodeID
    /// The element on it.
    public var element: ElementID
    /// Makes a reference to an element of a screen.
    public init(node: NodeID, element: ElementID) {
      self.node = node
      self.element = element
    }
  }

  /// The id that the front end chose. The update that answers the event has it too.
  public var id: EventID
  /// The presentation that the user saw.
  package var revision: Revision
  /// The user action.
  public var action: Action

  /// Makes an event.
  public init(id: EventID, revision: Revision, action: Action) {
    self.id = id
    self.revision = revision
    self.action = action
  }

  /// The node that the event names, if it names one. If the event's handler crashes, this node is the cause.
  public var node: NodeID? {
    switch action {
    case .tap(let target), .edit(let target, _), .toggle(let target, _), .choose(let target, _),
      .cell(let target, _, _), .expand(let target, _), .select(let target, _), .sort(let target, _, _),
      .submit(let target), .file(let target, _), .window(let target, _, _):
      target.node
    case .tab(let node), .backTo(let node), .focus(let node, _), .scroll(let node, _): node
    case .back, .dismiss, .open, .undo, .redo, .undoNotice: nil
    }
  }

  /// The element that the event names, if it names one.
  public var element: ElementID? {
    switch action {
    case .tap(let target), .edit(let target, _), .toggle(let target, _), .choose(let target, _),
      .cell(let target, _, _), .expand(let target, _), .select(let target, _), .sort(let target, _, _),
      .submit(let target), .file(let target, _), .window(let target, _, _):
      target.element
    case .focus(_, let element): element
    case .tab, .back, .backTo, .dismiss, .scroll, .open, .undo, .redo, .undoNotice: nil
    }
  }

  /// The word for the action in messages.
  public var name: String {
    switch action {
    case .tap: "tap"
    case .edit: "edit"
    case .toggle: "toggle"
    case .choose: "choose"
    case .cell: "cell"
    case .expand: "expand"
    case .select: "select"
    case .sort: "sort"
    case .submit: "submit"
    case .file: "file"
    case .window: "window"
    case .tab: "tab"
    case .back: "back"
    case .backTo: "backTo"
    case .dismiss: "dismiss"
    case .focus: "focus"
    case .scroll: "scroll"
    case .open: "open"
    case .undo: "undo"
    case .redo: "redo"
    case .undoNotice: "undoNotice"
    }
  }
}

extension Event: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, revision, action, node, element, text, on, option, row, column, lines, url
    case expanded, keys, order, first, count, notice, file
  }

  /// The words for actions, for a message.
  private static let names = """
    tap, edit, toggle, choose, cell, expand, select, sort, submit, file, window, tab, back, backTo, dismiss, focus, \
    scroll, open, undo, redo, undoNotice
    """

  /// Reads an event. An unknown action or a missing field is a decoding error that names it.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    func target() throws -> ElementReference {
      ElementReference(
        node: try fields.decode(NodeID.self, forKey: .node),
        element: try fields.decode(ElementID.self, forKey: .element))
    }
    let name = try fields.decode(String.self, forKey: .action)
    let action: Action =
      switch name {
      case "tap": .tap(try target())
      case "edit": .edit(try target(), text: try fields.decode(String.self, forKey: .text))
      case "toggle": .toggle(try target(), isOn: try fields.decode(Bool.self, forKey: .on))
      case "choose": .choose(try target(), option: try fields.decode(String.self, forKey: .option))
      case "cell":
        .cell(
          try target(), row: try fields.decode(Int.self, forKey: .row),
          column: try fields.decode(Int.self, forKey: .column))
      case "expand": .expand(try target(), isExpanded: try fields.decode(Bool.self, forKey: .expanded))
      case "select": .select(try target(), keys: try fields.decode([String].self, forKey: .keys))
      case "sort":
        .sort(
          try target(), column: try fields.decode(String.self, forKey: .option),
          order: try fields.decode(Element.Column.Order.self, forKey: .order))
      case "submit": .submit(try target())
      case "file": .file(try target(), try fields.decode(HandedFile.self, forKey: .file))
      case "window":
        .window(
          try target(), first: try fields.decode(Int.self, forKey: .first),
          count: try fields.decode(Int.self, forKey: .count))
      case "tab": .tab(try fields.decode(NodeID.self, forKey: .node))
      case "back": .back
      case "backTo": .backTo(try fields.decode(NodeID.self, forKey: .node))
      case "dismiss": .dismiss
      case "focus":
        .focus(
          try fields.decode(NodeID.self, forKey: .node), try fields.decodeIfPresent(ElementID.self, forKey: .element))
      case "scroll":
        .scroll(try fields.decode(NodeID.self, forKey: .node), lines: try fields.decode(Int.self, forKey: .lines))
      case "open": .open(try fields.decode(String.self, forKey: .url))
      case "undo": .undo
      case "redo": .redo
      case "undoNotice": .undoNotice(try fields.decode(NoticeID.self, forKey: .notice))
      default:
        throw DecodingError.dataCorruptedError(
          forKey: .action, in: fields,
          debugDescription: "there is no action '\(name)'; the actions are \(Self.names)")
      }
    self.init(
      id: try fields.decode(EventID.self, forKey: .id), revision: try fields.decode(Revision.self, forKey: .revision),
      action: action)
  }

  /// Writes an event as one flat record.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(id, forKey: .id)
    try fields.encode(revision, forKey: .revision)
    try fields.encode(name, forKey: .action)
    try fields.encodeIfPresent(node, forKey: .node)
    try fields.encodeIfPresent(element, forKey: .element)
    switch action {
    case .edit(_, let text): try fields.encode(text, forKey: .text)
    case .toggle(_, let isOn): try fields.encode(isOn, forKey: .on)
    case .choose(_, let option): try fields.encode(option, forKey: .option)
    case .cell(_, let row, let column):
      try fields.encode(row, forKey: .row)
      try fields.encode(column, forKey: .column)
    case .expand(_, let isExpanded): try fields.encode(isExpanded, forKey: .expanded)
    case .select(_, let keys): try fields.encode(keys, forKey: .keys)
    case .sort(_, let column, let order):
      try fields.encode(column, forKey: .option)
      try fields.encode(order, forKey: .order)
    case .window(_, let first, let count):
      try fields.encode(first, forKey: .first)
      try fields.encode(count, forKey: .count)
    case .file(_, let file): try fields.encode(file, forKey: .file)
    case .scroll(_, let lines): try fields.encode(lines, forKey: .lines)
    case .open(let url): try fields.encode(url, forKey: .url)
    case .undoNotice(let notice): try fields.encode(notice, forKey: .notice)
    case .tap, .submit, .tab, .back, .backTo, .dismiss, .focus, .undo, .redo: break
    }
  }
}
