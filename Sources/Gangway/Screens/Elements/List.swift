@_spi(FrontEnd) import GangwayProtocol

/// Rows, one for each element of a collection, or fixed content.
///
/// A list may be of any length, because only the rows near the visible ones are rendered. Work of rows
/// (``Content/task(_:)``) starts when they come near, and ends when they go.
public struct List: PrimitiveContent {
  /// Renders the visible rows, and sets the number of rows of the list.
  let render: @MainActor (ContentRenderer, inout Element) -> @MainActor () -> Void
  let selection: RowSelection?

  /// Creates a list.
  ///
  /// The ids of `data` must differ, because they name the rows.
  public init<Data: RandomAccessCollection>(_ data: Data, @ContentBuilder row: @escaping (Data.Element) -> ContentGroup)
  where Data.Element: Identifiable {
    self.init(data, id: \.id, row: row)
  }

  /// Creates a list.
  ///
  /// The results of `id` must differ, because they name the rows.
  public init<Data: RandomAccessCollection>(
    _ data: Data, id: @escaping (Data.Element) -> some Hashable,
    @ContentBuilder row: @escaping (Data.Element) -> ContentGroup
  ) {
    selection = nil
    render = { Self.rows(data, id, row, $0, &$1) }
  }

  /// Creates a list in which the user selects at most one row.
  public init<Data: RandomAccessCollection>(
    _ data: Data, selection: Binding<Data.Element.ID?>, @ContentBuilder row: @escaping (Data.Element) -> ContentGroup
  ) where Data.Element: Identifiable {
    self.init(data, id: \.id, selection: selection, row: row)
  }

  /// Creates a list in which the user selects at most one row.
  ///
  /// The results of `id` must differ, because they name the rows.
  public init<Data: RandomAccessCollection, ID: Hashable>(
    _ data: Data, id: @escaping (Data.Element) -> ID, selection: Binding<ID?>,
    @ContentBuilder row: @escaping (Data.Element) -> ContentGroup
  ) {
    self.selection = RowSelection(selection, data, id)
    render = { Self.rows(data, id, row, $0, &$1) }
  }

  /// Creates a list in which the user selects any number of rows.
  public init<Data: RandomAccessCollection>(
    _ data: Data, selection: Binding<Set<Data.Element.ID>>,
    @ContentBuilder row: @escaping (Data.Element) -> ContentGroup
  ) where Data.Element: Identifiable {
    self.init(data, id: \.id, selection: selection, row: row)
  }

  /// Creates a list in which the user selects any number of rows.
  ///
  /// The results of `id` must differ, because they name the rows.
  public init<Data: RandomAccessCollection, ID: Hashable>(
    _ data: Data, id: @escaping (Data.Element) -> ID, selection: Binding<Set<ID>>,
    @ContentBuilder row: @escaping (Data.Element) -> ContentGroup
  ) {
    self.selection = RowSelection(selection, data, id)
    render = { Self.rows(data, id, row, $0, &$1) }
  }

  /// Creates a tree: the rows of an element's children are below its own, and are shown while it is expanded.
  ///
  /// The framework remembers which rows are expanded, even after a restart.
  ///
  /// - Parameters:
  ///   - data: the elements at the top level.
  ///   - children: returns the children of an element; nil for a leaf.
  ///   - row: returns the content of a row.
  public init<Data: RandomAccessCollection>(
    _ data: Data, children: @escaping (Data.Element) -> [Data.Element]?,
    @ContentBuilder row: @escaping (Data.Element) -> ContentGroup
  ) where Data.Element: Identifiable {
    selection = nil
    render = { Self.tree(data, children, row, $0, &$1) }
  }

  /// Creates a list of fixed content.
  public init(@ContentBuilder content: @escaping () -> ContentGroup) {
    selection = nil
    render = { renderer, _ in { content()._render(into: renderer) } }
  }

  private static func rows<Data: RandomAccessCollection>(
    _ data: Data, _ id: @escaping (Data.Element) -> some Hashable, _ row: @escaping (Data.Element) -> ContentGroup,
    _ renderer: ContentRenderer, _ list: inout Element
  ) -> @MainActor () -> Void {
    let window = renderer.window(of: &list, rowCount: data.count)
    return {
      for element in data.rows(window) { renderer.addRow("\(id(element))") { row(element)._render(into: renderer) } }
    }
  }

  /// The maximum depth of a tree, which also stops a circle in an author's data.
  private static let maximumLevel = 50

  /// A row of a tree that is not inside a collapsed row.
  private struct TreeRow<Item> {
    let item: Item
    let key: String
    let level: Int
    /// Nil for a leaf.
    let isExpanded: Bool?
  }

  private static func tree<Item: Identifiable>(
    _ data: some RandomAccessCollection<Item>, _ children: (Item) -> [Item]?,
    _ row: @escaping (Item) -> ContentGroup, _ renderer: ContentRenderer, _ list: inout Element
  ) -> @MainActor () -> Void {
    let state = renderer.state
    var rows: [TreeRow<Item>] = []
    func add(_ items: some RandomAccessCollection<Item>, _ level: Int, in list: ElementID) {
      for item in items {
        let key = "\(item.id)"
        let below = level < maximumLevel ? children(item) : nil
        let isOpen = below != nil && state[ContentRenderer.rowID(key, in: list), .expanded] == "yes"
        rows.append(TreeRow(item: item, key: key, level: level, isExpanded: below == nil ? nil : isOpen))
        if isOpen, let below { add(below, level + 1, in: list) }
      }
    }
    add(data, 1, in: list.id)
    let window = renderer.window(of: &list, rowCount: rows.count)
    return { [rows] in
      for item in rows[window] {
        renderer.addRow(item.key) {
          row(item.item)._render(into: renderer)
        } amend: { element in
          let id = element.id
          element.level = item.level
          guard let isExpanded = item.isExpanded else { return }
          element.isExpanded = isExpanded
          renderer.handle(id, .expand { state[id, .expanded] = $0 ? "yes" : "no" })
        }
      }
    }
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    var rows: @MainActor () -> Void = {}
    renderer.add(
      .list,
      configure: {
        selection?.apply(to: &$0, renderer)
        rows = render(renderer, &$0)
      }, children: { rows() })
  }
}

/// The selected rows of a list or table, by their keys.
@MainActor struct RowSelection {
  private let mode: Element.SelectionMode
  private let keys: () -> [String]
  private let set: ([String], RowWindow) -> [String]

  /// Creates the selection of at most one row.
  init<Data: RandomAccessCollection, ID: Hashable>(
    _ selection: Binding<ID?>, _ data: Data, _ id: @escaping (Data.Element) -> ID
  ) {
    mode = .one
    keys = { selection.wrappedValue.map { ["\($0)"] } ?? [] }
    set = { keys, shown in
      guard let key = keys.last else {
        selection.wrappedValue = nil
        return []
      }
      let found = Self.find([key], Self.places(data, id, shown, selection.wrappedValue.map { [$0] } ?? []))
      if let id = found.ids.first { selection.wrappedValue = id }
      return found.missing
    }
  }

  /// Creates the selection of any number of rows.
  init<Data: RandomAccessCollection, ID: Hashable>(
    _ selection: Binding<Set<ID>>, _ data: Data, _ id: @escaping (Data.Element) -> ID
  ) {
    mode = .several
    keys = { selection.wrappedValue.map { "\($0)" }.sorted() }
    set = { keys, shown in
      let found = Self.find(keys, Self.places(data, id, shown, selection.wrappedValue))
      if found.missing.isEmpty { selection.wrappedValue = found.ids }
      return found.missing
    }
  }

  /// Returns the rows with these keys.
  ///
  /// It first searches the selected and the rendered rows, because there may be very many others.
  private static func find<ID: Hashable>(
    _ keys: [String], _ places: [AnySequence<ID>]
  ) -> (ids: Set<ID>, missing: [String]) {
    var missing = Set(keys)
    var found: Set<ID> = []
    for place in places {
      for id in place {
        guard !missing.isEmpty else { return (found, []) }
        if missing.remove("\(id)") != nil { found.insert(id) }
      }
    }
    return (found, missing.sorted())
  }

  private static func places<Data: RandomAccessCollection, ID: Hashable>(
    _ data: Data, _ id: @escaping (Data.Element) -> ID, _ shown: RowWindow, _ selected: Set<ID>
  ) -> [AnySequence<ID>] {
    [
      AnySequence(selected), AnySequence(data.rows(shown.range(of: data.count)).lazy.map(id)),
      AnySequence(data.lazy.map(id)),
    ]
  }

  /// Sets the selection of an element, and lets the user change it.
  func apply(to element: inout Element, _ renderer: ContentRenderer) {
    element.selects = mode
    element.selection = keys()
    let (id, state) = (element.id, renderer.state)
    renderer.handle(id, .select { set($0, RowWindow(stored: state[id, .window])) })
  }
}
