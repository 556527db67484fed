@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The navigation tree of a flow in a test: entries by their routes, the selection, states, and the values of inputs.
///
/// Titles and the contents of screens are not part of it. Changes apply to the front, as for a user or a screen:
/// ``push(_:as:_:)`` puts an entry on the innermost visible stack.
public struct FlowOutline: Hashable, Sendable, CustomStringConvertible {
  /// An entry of a stack, a tab, or the root.
  public struct Entry: Hashable, Sendable {
    /// The route as a developer would write it, or the id of a place or registered tab; empty for the root.
    public var name: String
    /// `root`, `tab`, `push`, `modal`, `modal-fixed`, `fullScreen`, `fullScreen-fixed`.
    public var style: String
    /// The type of the coordinator of the entry's flow, if it has been made.
    public var coordinator: String?
    /// The state of that coordinator, as JSON with sorted keys.
    public var state: String?
    /// The values of inputs that differ from their first values, by element.
    public var values: [ElementID: String] = [:]
    /// Whether this is the selected tab.
    public var isSelected = false
    /// The entries in this one.
    public var children: [Entry] = []
    let title: String

    /// Puts an entry on top of the entries in this one.
    public mutating func push(_ name: String, as style: String = "push", _ build: (inout Entry) -> Void = { _ in }) {
      var entry = Entry(name: name, style: style, title: name)
      build(&entry)
      children.append(entry)
    }

    fileprivate var front: Int? {
      children.firstIndex(where: \.isSelected) ?? (children.isEmpty ? nil : children.count - 1)
    }

    fileprivate var lines: [String] {
      let values = values.sorted { $0.key < $1.key }.map { "#\($0.key)='\($0.value)'" }
      let parts = [style, name] + [isSelected ? "selected" : "", state.map { "state \($0)" } ?? ""] + values
      return [parts.filter { !$0.isEmpty }.joined(separator: "  ")] + children.flatMap(\.lines).map { "  " + $0 }
    }
  }

  /// The root of the tree.
  public var root: Entry

  init(_ checkpoint: Checkpoint) {
    let children = checkpoint.children
    func entry(of record: Checkpoint.Record, _ selection: NodeID?) -> Entry {
      var made = Entry(
        name: record.place ?? record.routeText ?? "", style: record.style, coordinator: record.coordinator,
        state: record.state, title: record.title ?? "")
      made.values = record.values ?? [:]
      made.isSelected = record.id == selection
      made.children = (children[record.id] ?? []).map { entry(of: $0, record.selection) }
      return made
    }
    root =
      checkpoint.records[Checkpoint.rootNode].map { entry(of: $0, nil) } ?? Entry(name: "", style: "root", title: "")
  }

  /// The tree, one node a line, with indented children.
  public var description: String { root.lines.joined(separator: "\n") }

  // MARK: Changes

  /// Puts an entry on the stack in front.
  ///
  /// - Parameters:
  ///   - name: the route as a developer would write it, or a place's id.
  ///   - style: the style of the entry.
  ///   - build: adds the entries in a flow: at least the flow's first entry.
  public mutating func push(_ name: String, as style: String = "push", _ build: (inout Entry) -> Void = { _ in }) {
    front { $0.push(name, as: style, build) }
  }

  /// Removes entries from the stacks in front, the top one first, as steps back do.
  public mutating func pop(_ count: Int = 1) {
    for _ in 0..<count { _ = Self.popTop(&root) }
  }

  /// Selects another tab.
  ///
  /// - Parameters:
  ///   - tab: the title or name of the tab.
  ///   - build: adds the entries in a tab that is shown for the first time.
  public mutating func select(_ tab: String, _ build: (inout Entry) -> Void = { _ in }) {
    _ = Self.select(tab, in: &root, build)
  }

  /// Gives the entry on top another name: another payload of its route.
  public mutating func update(_ name: String) { top { $0.name = name } }

  /// Sets the value of an input on the top screen.
  public mutating func set(_ element: ElementID, to value: String) { top { $0.values[element] = value } }

  /// Sets the state of a coordinator: that of the innermost flow of its type in front.
  public mutating func setState<C: Coordinator>(of type: C.Type, _ state: C.State) where C.State: Encodable {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text = (try? encoder.encode(state)).map { String(decoding: $0, as: UTF8.self) }
    _ = Self.setState(text, of: "\(type)", in: &root)
  }

  /// Changes the entry that holds the stack in front.
  public mutating func front(_ change: (inout Entry) -> Void) { Self.descend(&root, change) }

  /// Changes the entry on top.
  public mutating func top(_ change: (inout Entry) -> Void) {
    front { entry in
      if let index = entry.front { change(&entry.children[index]) }
    }
  }

  private static func descend(_ entry: inout Entry, _ change: (inout Entry) -> Void) {
    guard let index = entry.front else { return change(&entry) }
    if entry.children[index].children.isEmpty { change(&entry) } else { descend(&entry.children[index], change) }
  }

  private static func popTop(_ entry: inout Entry) -> Bool {
    guard let index = entry.front else { return false }
    if popTop(&entry.children[index]) { return true }
    guard index > 0, entry.children[index].style != "tab" else { return false }
    entry.children.remove(at: index)
    return true
  }

  private static func select(_ tab: String, in entry: inout Entry, _ build: (inout Entry) -> Void) -> Bool {
    if let index = entry.children.firstIndex(where: { $0.style == "tab" && ($0.title == tab || $0.name == tab) }) {
      for other in entry.children.indices { entry.children[other].isSelected = other == index }
      build(&entry.children[index])
      return true
    }
    guard let index = entry.front else { return false }
    return select(tab, in: &entry.children[index], build)
  }

  private static func setState(_ text: String?, of coordinator: String, in entry: inout Entry) -> Bool {
    if let index = entry.front, setState(text, of: coordinator, in: &entry.children[index]) { return true }
    guard entry.coordinator == coordinator else { return false }
    entry.state = text
    return true
  }
}

extension FlowTester {
  /// The present navigation tree, for ``expectChange(_:file:line:when:)``.
  public var outline: FlowOutline { FlowOutline(session.checkpoint) }

  /// Runs an action and compares the change of the navigation tree with the expected one.
  ///
  /// Any other change fails, in other tabs and flows too.
  ///
  /// ```swift
  /// try await flow.expectChange {
  ///   $0.push("detail(7)")
  /// } when: {
  ///   try await flow.tap("Buy milk")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - change: changes the tree before the action to the expected tree; empty if nothing should change.
  ///   - action: the action.
  /// - Throws: ``FlowFailure`` with the lines that differ; the error of `action`.
  public func expectChange(
    _ change: (inout FlowOutline) throws -> Void = { _ in }, file: String = #fileID, line: Int = #line,
    when action: () async throws -> Void
  ) async throws {
    var expected = outline
    try change(&expected)
    try await action()
    let now = outline
    guard expected.description != now.description else { return }
    throw FlowFailure(
      "The flow changed differently than expected (- expected, + now):\n"
        + Self.difference(expected.description, now.description), at: SourcePlace(file: file, line: line))
  }
}
