import GangwayProtocol

/// What happens when a person acts on an element.
enum ElementHandler {
  case action(@MainActor () async throws -> Void)
  case edit(@MainActor (String) -> Void)
  case toggle(@MainActor (Bool) -> Void)
  /// Returns whether there is such an option.
  case choose(@MainActor (String) -> Bool)
  case cell(rows: Int, columns: Int, @MainActor (Int, Int) async throws -> Void)
}

/// Collects the elements of one render of a screen, with what to do when they are acted on.
@MainActor public final class ContentRenderer {
  var elements: [Element] = []
  var handlers: [ElementID: ElementHandler] = [:]
  var tasks: [ElementID: @MainActor () async -> Void] = [:]
  /// What takes a step back.
  var back: (@MainActor () async throws -> Void)?
  /// Told of an alert that was answered, and whose binding stays true all the same.
  var didNotClose: @MainActor (ElementID) -> Void = { _ in }
  /// Mistakes of the author that a render survives, such as two elements with one id.
  var problems: [String] = []

  private var path: [String] = []
  /// The container being rendered, whose id begins those of its elements.
  private(set) var scope: ElementID = ""
  private var givenID: String?
  private var unavailability: [String?] = []
  private var used: Set<ElementID> = []

  init() {}

  /// Renders what `content` adds under a component of the ids.
  func descend(_ component: String, _ content: () -> Void) {
    path.append(component)
    content()
    path.removeLast()
  }

  /// Adds a row to the container being rendered, named by its key.
  func addRow(_ key: String, _ content: () -> Void) {
    givenID = "[\(key)]"
    withoutActuallyEscaping(content) { add(.row, children: $0) }
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
  func addTask(_ work: @escaping @MainActor () async -> Void) {
    tasks[nextID()] = work
  }

  /// Adds an element; its children are what `content` adds.
  func add(
    _ kind: Element.Kind, _ label: String = "", handler: ElementHandler? = nil,
    configure: (inout Element) -> Void = { _ in }, children content: (() -> Void)? = nil
  ) {
    var element = Element(id: uniqueID(), kind: kind, label: label)
    configure(&element)
    if let reason = unavailability.last, handler != nil {
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
    handlers[element.id] = handler
    elements.append(element)
  }

  private func nextID() -> ElementID {
    let own = givenID ?? (path.isEmpty ? "0" : path.joined(separator: "."))
    return scope.isEmpty || own.hasPrefix("[") ? scope + own : scope + "." + own
  }

  private func uniqueID() -> ElementID {
    let wanted = nextID()
    givenID = nil
    guard used.contains(wanted) else {
      used.insert(wanted)
      return wanted
    }
    problems.append("Two elements have the id '\(wanted)'. Give each its own: ids and the ids of rows must differ.")
    var number = 2
    while used.contains("\(wanted)~\(number)") { number += 1 }
    used.insert("\(wanted)~\(number)")
    return "\(wanted)~\(number)"
  }
}
