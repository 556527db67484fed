@_spi(FrontEnd) import GangwayProtocol

/// The elements of one render of a screen, with their handlers.
@MainActor public final class ContentRenderer {
  var elements: [Element] = []
  var handlers = ElementHandlers()
  var tasks: [ElementID: ScreenTask] = [:]
  /// The watched values, by the place of their content.
  var watches: [ElementID: ValueWatch] = [:]
  /// The bindings to update when the keyboard focus enters or leaves an element.
  var focusBindings: ScreenFocus.Bindings = [:]
  /// The inputs that show why a value was refused.
  var refused: Set<ElementID> = []
  /// The values of inputs that show another text: one that was refused, or the same value in another spelling.
  var held: [ElementID: String] = [:]
  /// The closures that render other rows of a list or table.
  var windows: [ElementID: @MainActor (RowWindow) -> Void] = [:]
  /// The rows of sorted tables.
  let sorted: SortedRows
  /// The values that the framework keeps for the screen.
  let state: ScreenState
  /// The forms being rendered, the innermost last, with their problems.
  var forms: [FormDraft] = []
  /// The panes of the tabs being rendered.
  var panes: [PaneDraft]?
  /// The back action of the screen.
  var back: (@MainActor () async throws -> Void)?
  /// Called for an answered alert whose binding stays true.
  var didNotClose: @MainActor (ElementID) -> Void = { _ in }
  /// Requests the keyboard focus for an element.
  var wantFocus: @MainActor (ElementID) -> Void = { _ in }
  /// The developer's mistakes that a render survives, such as two elements with the same id.
  var problems: [String] = []
  /// The front ends' keys that elements asked for, and that were reported to the author.
  var refusedShortcuts: Set<Shortcut> = []

  private var path: [String] = []
  /// The id of the container being rendered, which starts the ids of its elements.
  private(set) var scope: ElementID = ""
  private var givenID: String?
  private var unavailability: [String?] = []
  private var used: Set<ElementID> = []

  /// Creates a renderer.
  ///
  /// - Parameters:
  ///   - state: the values that the framework keeps for the screen.
  ///   - sorted: the rows of sorted tables.
  ///   - expected: the approximate number of elements, and of elements with a handler.
  init(
    state: ScreenState, sorted: SortedRows = SortedRows(),
    expected: (elements: Int, handlers: Int) = (0, 0)
  ) {
    used.reserveCapacity(expected.elements)
    handlers.reserveCapacity(expected.handlers)
    self.state = state
    self.sorted = sorted
  }

  /// Renders `content` under a component of the ids.
  func descend(_ component: String, _ content: () -> Void) {
    path.append(component)
    content()
    path.removeLast()
  }

  /// Returns the id of a row in a container, from the row's key.
  static func rowID(_ key: String, in container: ElementID) -> ElementID { "\(container)[\(key)]" }

  /// Adds a row with a key to the container being rendered.
  func addRow(_ key: String, _ content: () -> Void, amend change: (inout Element) -> Void = { _ in }) {
    givenID = Self.rowID(key, in: "").rawValue
    withoutActuallyEscaping(content) { add(.row, configure: { $0.key = key }, children: $0) }
    mergeRow()
    change(&elements[elements.count - 1])
  }

  /// Merges a row whose only child is a ``Row`` with that child.
  private func mergeRow() {
    guard let outer = elements.last, outer.children.count == 1, let inner = outer.children.first, inner.kind == .row,
      inner.key == nil
    else { return }
    var row = inner
    row.id = outer.id
    row.key = outer.key
    elements[elements.count - 1] = row
    handlers.move(from: inner.id, to: outer.id)
  }

  /// Changes the elements that `content` adds here, but not their children.
  func amend(_ content: () -> Void, _ change: (inout Element) -> Void) {
    let first = elements.count
    content()
    for index in elements.indices[first...] { change(&elements[index]) }
  }

  /// Adds the elements of `content` to the children of the last element.
  func extend(_ component: String, _ content: () -> Void) {
    guard var element = elements.popLast() else { return }
    let outer = (elements, scope, path)
    (elements, scope, path) = ([], element.id, [component])
    content()
    element.children += elements
    (elements, scope, path) = outer
    elements.append(element)
  }

  /// Renders content that fills a draft instead of adding elements.
  ///
  /// - Returns: the elements that it added all the same.
  func addNothing(_ content: () -> Void) -> ArraySlice<Element> {
    let count = elements.count
    content()
    defer { elements.removeSubrange(min(count, elements.count)...) }
    return elements[min(count, elements.count)...]
  }

  /// Renders `content` with an id from the author.
  func named(_ id: String, _ content: () -> Void) {
    givenID = id
    content()
    givenID = nil
  }

  /// Renders `content` with all its elements disabled for a reason.
  func unavailable(because reason: String?, _ content: () -> Void) {
    unavailability.append(reason)
    content()
    unavailability.removeLast()
  }

  /// Adds work that runs while the content here is shown.
  func addTask(id: AnyHashable? = nil, _ work: @escaping @MainActor () async -> Void) {
    tasks[unusedName(among: tasks)] = ScreenTask(id: id, work: work)
  }

  /// Adds a value to watch for changes.
  func addWatch(_ watch: ValueWatch) { watches[unusedName(among: watches)] = watch }

  /// Returns the id of this place, or a variant of it if the id is taken.
  private func unusedName(among taken: [ElementID: some Any]) -> ElementID {
    var name = nextID()
    while taken[name] != nil { name = "\(name)+" }
    return name
  }

  /// Adds another handler to an element.
  func handle(_ id: ElementID, _ handler: ElementHandler) { handlers.add(handler, to: id) }

  /// Adds an element whose children come from `content`.
  func add(
    _ kind: Element.Kind, _ label: String = "", handler: ElementHandler? = nil,
    configure: (inout Element) -> Void = { _ in }, children content: (() -> Void)? = nil
  ) {
    var element = Element(id: uniqueID(), kind: kind, label: label)
    if let handler { handlers.add(handler, to: element.id) }
    configure(&element)
    if let reason = unavailability.last, handlers.contains(element.id) {
      element.isEnabled = false
      element.detail = reason
    }
    if let content {
      let outer = (elements, scope, path)
      (elements, scope, path) = ([], element.id, [])
      content()
      element.children = elements
      (elements, scope, path) = outer
    }
    elements.append(element)
  }

  private func nextID() -> ElementID {
    let own = givenID ?? (path.count == 1 ? path[0] : path.isEmpty ? "0" : path.joined(separator: "."))
    var id = scope.rawValue
    if id.isEmpty { return ElementID(rawValue: own) }
    id.reserveCapacity(id.utf8.count + 1 + own.utf8.count)
    if own.utf8.first != UInt8(ascii: "[") { id += "." }
    id += own
    return ElementID(rawValue: id)
  }

  private func uniqueID() -> ElementID {
    let wanted = nextID()
    givenID = nil
    if used.insert(wanted).inserted { return wanted }
    problems.append("Two elements have the id '\(wanted)'. Give each element and row a different id.")
    var number = 2
    while !used.insert("\(wanted)~\(number)").inserted { number += 1 }
    return "\(wanted)~\(number)"
  }
}
