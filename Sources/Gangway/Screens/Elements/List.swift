import GangwayProtocol

/// Rows, one for each element of a collection, or fixed content.
public struct List: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let render: @MainActor (ContentRenderer) -> Void
  let selection: RowSelection?

  /// Makes a list; the ids of `data` must differ, for they name the rows.
  public init<Data: RandomAccessCollection>(_ data: Data, @ContentBuilder row: @escaping (Data.Element) -> ContentGroup)
  where Data.Element: Identifiable {
    self.init(data, id: \.id, row: row)
  }

  /// Makes a list; what `id` gives must differ, for it names the rows.
  public init<Data: RandomAccessCollection>(
    _ data: Data, id: @escaping (Data.Element) -> some Hashable,
    @ContentBuilder row: @escaping (Data.Element) -> ContentGroup
  ) {
    selection = nil
    render = { Self.render(data, id, row, into: $0) }
  }

  /// Makes a list of which the person selects one row, or none.
  public init<Data: RandomAccessCollection>(
    _ data: Data, selection: Binding<Data.Element.ID?>, @ContentBuilder row: @escaping (Data.Element) -> ContentGroup
  ) where Data.Element: Identifiable {
    self.selection = RowSelection(selection) { data.lazy.map(\.id) }
    render = { Self.render(data, \.id, row, into: $0) }
  }

  /// Makes a list of which the person selects any number of rows.
  public init<Data: RandomAccessCollection>(
    _ data: Data, selection: Binding<Set<Data.Element.ID>>,
    @ContentBuilder row: @escaping (Data.Element) -> ContentGroup
  ) where Data.Element: Identifiable {
    self.selection = RowSelection(selection) { data.lazy.map(\.id) }
    render = { Self.render(data, \.id, row, into: $0) }
  }

  /// Makes a tree: the rows of an element's children stand below its own, and are shown when it is expanded. Which are expanded
  /// is kept by the framework, also over a restart.
  ///
  /// - Parameters:
  ///   - data: the rows at the top.
  ///   - children: what is below an element; nil where it is a leaf.
  ///   - row: what stands in a row.
  public init<Data: RandomAccessCollection>(
    _ data: Data, children: @escaping (Data.Element) -> [Data.Element]?,
    @ContentBuilder row: @escaping (Data.Element) -> ContentGroup
  ) where Data.Element: Identifiable {
    selection = nil
    render = { Self.renderTree(data, children, row, level: 1, into: $0) }
  }

  /// Makes a list of fixed content.
  public init(@ContentBuilder content: @escaping () -> ContentGroup) {
    selection = nil
    render = { renderer in content()._render(into: renderer) }
  }

  private static func render<Data: RandomAccessCollection>(
    _ data: Data, _ id: (Data.Element) -> some Hashable, _ row: (Data.Element) -> ContentGroup,
    into renderer: ContentRenderer
  ) {
    for element in data { renderer.addRow("\(id(element))") { row(element)._render(into: renderer) } }
  }

  /// How deep a tree may be: a circle in what an author gives ends here.
  private static let maximumLevel = 50

  private static func renderTree<Item: Identifiable>(
    _ data: some RandomAccessCollection<Item>, _ children: (Item) -> [Item]?, _ row: (Item) -> ContentGroup,
    level: Int, into renderer: ContentRenderer
  ) {
    for item in data {
      let below = level < maximumLevel ? children(item) : nil
      var isOpen = false
      renderer.addRow("\(item.id)") {
        row(item)._render(into: renderer)
      } amend: { element in
        let (id, state) = (element.id, renderer.state)
        element.level = level
        guard below != nil else { return }
        isOpen = state[id, .expanded] == "yes"
        element.isExpanded = isOpen
        renderer.handle(id, .expand { state[id, .expanded] = $0 ? "yes" : "no" })
      }
      if isOpen, let below { renderTree(below, children, row, level: level + 1, into: renderer) }
    }
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(
      .list, configure: { selection?.apply(to: &$0, renderer) }, children: { render(renderer) })
  }
}

/// Which rows of a list or table are selected, by their keys.
@MainActor struct RowSelection {
  private let mode: Element.SelectionMode
  private let keys: () -> [String]
  private let set: ([String]) -> [String]

  /// The selection of one row or none.
  init<ID: Hashable>(_ selection: Binding<ID?>, _ ids: @escaping () -> some Sequence<ID>) {
    mode = .one
    keys = { selection.wrappedValue.map { ["\($0)"] } ?? [] }
    set = { keys in
      guard let key = keys.last else {
        selection.wrappedValue = nil
        return []
      }
      guard let id = ids().first(where: { "\($0)" == key }) else { return [key] }
      selection.wrappedValue = id
      return []
    }
  }

  /// The selection of any number of rows.
  init<ID: Hashable>(_ selection: Binding<Set<ID>>, _ ids: @escaping () -> some Sequence<ID>) {
    mode = .several
    keys = { selection.wrappedValue.map { "\($0)" }.sorted() }
    set = { keys in
      var missing = Set(keys)
      var chosen: Set<ID> = []
      for id in ids() where !missing.isEmpty && missing.remove("\(id)") != nil { chosen.insert(id) }
      if missing.isEmpty { selection.wrappedValue = chosen }
      return missing.sorted()
    }
  }

  /// Says it of an element, and lets the person change it.
  func apply(to element: inout Element, _ renderer: ContentRenderer) {
    element.selects = mode
    element.selection = keys()
    renderer.handle(element.id, .select { set($0) })
  }
}
