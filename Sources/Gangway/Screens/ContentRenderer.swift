import GangwayProtocol

/// Collects the elements of one render of a screen, with what to do when they are acted on.
@MainActor public final class ContentRenderer {
  var elements: [Element] = []
  var handlers = ElementHandlers()
  var tasks: [ElementID: ScreenTask] = [:]
  /// Values whose changes somebody wants to be told of, by the place of the content that asked.
  var watches: [ElementID: ValueWatch] = [:]
  /// What is told when the keyboard comes to an element, or leaves it.
  var focusBindings: [ElementID: (binding: Binding<Bool>, isFocused: Bool)] = [:]
  /// The inputs beside which it is said why something was not taken.
  var refused: Set<ElementID> = []
  /// What inputs hold in which another text stands: one that could not be taken, or is written in another way.
  var held: [ElementID: String] = [:]
  /// What has other rows of a list or table rendered.
  var windows: [ElementID: @MainActor (RowWindow) -> Void] = [:]
  /// The rows of sorted tables.
  let sorted: SortedRows
  /// Whether all rows are rendered, however many: for front ends that know of no windows.
  let showsAllRows: Bool
  /// What the framework keeps for the screen.
  let state: ScreenState
  /// The forms being rendered, the innermost last, and what is wrong in them.
  var forms: [FormDraft] = []
  /// The panes of the tabs being rendered.
  var panes: [PaneDraft]?
  /// What takes a step back.
  var back: (@MainActor () async throws -> Void)?
  /// Told of an alert that was answered, and whose binding stays true all the same.
  var didNotClose: @MainActor (ElementID) -> Void = { _ in }
  /// Asks for the keyboard.
  var wantFocus: @MainActor (ElementID) -> Void = { _ in }
  /// Mistakes of the author that a render survives, such as two elements with one id.
  var problems: [String] = []
  /// Keys of front ends that elements asked for, and that the author has been told of.
  var refusedShortcuts: Set<Shortcut> = []

  private var path: [String] = []
  /// The container being rendered, whose id begins those of its elements.
  private(set) var scope: ElementID = ""
  private var givenID: String?
  private var unavailability: [String?] = []
  private var used: Set<ElementID> = []

  /// - Parameter expected: how many elements there will be, and how many to be acted on, roughly.
  init(
    state: ScreenState, sorted: SortedRows = SortedRows(), showsAllRows: Bool = false,
    expected: (elements: Int, handlers: Int) = (0, 0)
  ) {
    used.reserveCapacity(expected.elements)
    handlers.reserveCapacity(expected.handlers)
    self.state = state
    self.sorted = sorted
    self.showsAllRows = showsAllRows
  }

  /// Renders what `content` adds under a component of the ids.
  func descend(_ component: String, _ content: () -> Void) {
    path.append(component)
    content()
    path.removeLast()
  }

  /// The name of a row in a container, by its key.
  static func rowID(_ key: String, in container: ElementID) -> ElementID { container + "[\(key)]" }

  /// Adds a row to the container being rendered, named by its key.
  func addRow(_ key: String, _ content: () -> Void, amend change: (inout Element) -> Void = { _ in }) {
    givenID = Self.rowID(key, in: "")
    withoutActuallyEscaping(content) { add(.row, configure: { $0.key = key }, children: $0) }
    mergeRow()
    change(&elements[elements.count - 1])
  }

  /// Makes one row of a row in which nothing stands but a ``Row``.
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

  /// Changes the elements that `content` adds at this place, not those within them.
  func amend(_ content: () -> Void, _ change: (inout Element) -> Void) {
    let first = elements.count
    content()
    for index in elements.indices[first...] { change(&elements[index]) }
  }

  /// Adds to the children of the last element what `content` adds.
  func extend(_ component: String, _ content: () -> Void) {
    guard var element = elements.popLast() else { return }
    let outer = (elements, scope, path)
    (elements, scope, path) = ([], element.id, [component])
    content()
    element.children += elements
    (elements, scope, path) = outer
    elements.append(element)
  }

  /// Renders what adds to the draft of something else, and adds none of its elements.
  ///
  /// - Returns: the elements that stood there all the same.
  func addNothing(_ content: () -> Void) -> ArraySlice<Element> {
    let count = elements.count
    content()
    defer { elements.removeSubrange(min(count, elements.count)...) }
    return elements[min(count, elements.count)...]
  }

  /// Renders `content` with an id given by the author.
  func named(_ id: String, _ content: () -> Void) {
    givenID = id
    content()
    givenID = nil
  }

  /// Renders `content` with everything in it unavailable, for a reason.
  func unavailable(because reason: String?, _ content: () -> Void) {
    unavailability.append(reason)
    content()
    unavailability.removeLast()
  }

  /// Notes work that runs while the content at this place is shown.
  func addTask(id: AnyHashable? = nil, _ work: @escaping @MainActor () async -> Void) {
    tasks[unusedName(among: tasks)] = ScreenTask(id: id, work: work)
  }

  /// Notes a value whose changes somebody wants to be told of.
  func addWatch(_ watch: ValueWatch) { watches[unusedName(among: watches)] = watch }

  /// The name of this place, or one like it where several stand at one place.
  private func unusedName(among taken: [ElementID: some Any]) -> ElementID {
    var name = nextID()
    while taken[name] != nil { name += "+" }
    return name
  }

  /// Lets an element be acted on in a further way.
  func handle(_ id: ElementID, _ handler: ElementHandler) { handlers.add(handler, to: id) }

  /// Adds an element; its children are what `content` adds.
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
    if scope.isEmpty { return own }
    var id = scope
    id.reserveCapacity(scope.utf8.count + 1 + own.utf8.count)
    if own.utf8.first != UInt8(ascii: "[") { id += "." }
    id += own
    return id
  }

  private func uniqueID() -> ElementID {
    let wanted = nextID()
    givenID = nil
    if used.insert(wanted).inserted { return wanted }
    problems.append("Two elements have the id '\(wanted)'. Give each its own: ids and the ids of rows must differ.")
    var number = 2
    while used.contains("\(wanted)~\(number)") { number += 1 }
    used.insert("\(wanted)~\(number)")
    return "\(wanted)~\(number)"
  }
}
