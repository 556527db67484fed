@_spi(FrontEnd) import GangwayProtocol

/// The changes from the page of one presentation to that of another, in order.
///
/// The comparison uses elements, not HTML, so unchanged elements are never rendered.
struct PageChanges {
  /// A change of the page.
  enum Change: Equatable {
    /// Replace the element of an id.
    case replace(String, HTML)
    /// Set the children of an element, by id and in order; new children come with their HTML.
    case arrange(String, order: [String], new: [String: HTML])
    /// Remove a number of children from the front of an element, and append HTML.
    case append(String, dropping: Int, HTML)
  }

  private(set) var changes: [Change] = []

  /// Compares two presentations.
  init(from old: Presentation, to new: Presentation, _ setting: PageSetting = PageSetting()) {
    let page = PageRenderer(presentation: new, setting: setting)
    if Self.chrome(old) != Self.chrome(new) { changes.append(.replace("chrome", HTML { page.part(.chrome, &$0) })) }
    guard Self.frames(old) == Self.frames(new) else {
      changes.append(.replace("stage", HTML { page.part(.stage, &$0) }))
      return
    }
    for (before, now) in zip(old.layers, new.layers) {
      for (before, now) in zip(before.columns, now.columns) where before.elements != now.elements {
        compare(
          before.elements, now.elements, in: PageRenderer.items(of: now.node),
          ScreenRenderer(node: now.node, title: now.title, setting: setting))
      }
    }
  }

  /// Returns the presentation without its screens.
  private static func chrome(_ presentation: Presentation) -> Presentation {
    var copy = presentation
    copy.revision = 0
    copy.url = nil
    copy.activity = nil
    copy.layers = (presentation.layers.first.map { [$0] } ?? []).map { layer in
      var frame = layer
      (frame.elements, frame.panes, frame.focus, frame.scroll, frame.activePane) = ([], nil, nil, nil, nil)
      return frame
    }
    // A second layer stands for any number of layers over the first.
    copy.layers += presentation.layers.count > 1 ? copy.layers : []
    return copy
  }

  /// Returns the screens without their elements, focus and scroll positions.
  private static func frames(_ presentation: Presentation) -> Presentation {
    var copy = presentation
    (copy.revision, copy.url, copy.tabBars, copy.path, copy.canGoBack) = (0, nil, [], [], false)
    copy.layers = presentation.layers.map { layer in
      var frame = layer
      (frame.elements, frame.focus, frame.scroll, frame.activePane) = ([], nil, nil, nil)
      frame.panes = layer.panes?.map { pane in
        var pane = pane
        (pane.elements, pane.focus, pane.scroll) = ([], nil, nil)
        return pane
      }
      return frame
    }
    return copy
  }

  private mutating func compare(
    _ old: [Element], _ new: [Element], in container: String, _ renderer: ScreenRenderer
  ) {
    if old.map(\.id) == new.map(\.id) {
      for (before, now) in zip(old, new) { compare(before, now, renderer) }
      return
    }
    let before = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var arrival: [String: HTML] = [:]
    for element in new where before[element.id] == nil {
      arrival[renderer.id(element.id)] = HTML { renderer.element(element, &$0) }
    }
    changes.append(.arrange(container, order: new.map { renderer.id($0.id) }, new: arrival))
    for element in new {
      if let before = before[element.id] { compare(before, element, renderer) }
    }
  }

  private mutating func compare(_ old: Element, _ new: Element, _ renderer: ScreenRenderer) {
    guard old != new else { return }
    let container = renderer.id(new.id) + ".i"
    if new.kind == .list, Self.frame(old, isWindow: true) == Self.frame(new, isWindow: true) {
      return compareRows(old, new, in: container, renderer)
    }
    if new.kind == .log, Self.frame(old) == Self.frame(new), compareLines(old, new, renderer) { return }
    let isOpen = new.kind != .disclosure || new.isExpanded == true
    let hasItems = new.kind != .row || (old.children.isEmpty == new.children.isEmpty)
    guard new.kind.traits.isContainer, isOpen, hasItems, Self.frame(old) == Self.frame(new) else {
      changes.append(.replace(renderer.id(new.id), HTML { renderer.element(new, &$0) }))
      return
    }
    compare(old.children, new.children, in: container, renderer)
  }

  /// Compares the rows of a list, including the buttons that request more rows.
  private mutating func compareRows(
    _ old: Element, _ new: Element, in container: String, _ renderer: ScreenRenderer
  ) {
    let (before, now) = (renderer.rows(of: old), renderer.rows(of: new))
    let known = Set(before.map(\.id))
    let places = Set(["above", "below"].map { "\(renderer.id(new.id)).\($0)" })
    var arrival: [String: HTML] = [:]
    // A button that requests rows shows their number, so it always comes with its HTML.
    for row in now where !known.contains(row.id) || places.contains(row.id) { arrival[row.id] = row.html() }
    if before.map(\.id) != now.map(\.id) || old.firstRow != new.firstRow || old.rowCount != new.rowCount {
      changes.append(.arrange(container, order: now.map(\.id), new: arrival))
    }
    // The button that jumps to the end names the first row there.
    if old.rowCount != new.rowCount, ScreenRenderer.hasJumps(new) {
      changes.append(.replace(renderer.id(new.id) + ".j", HTML { renderer.jumps(new, &$0) }))
    }
    let rows = Dictionary(old.children.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for row in new.children {
      guard let before = rows[row.id] else { continue }
      guard row.kind == .row, before.kind == .row else {
        compare(before, row, renderer)
        continue
      }
      guard before != row else { continue }
      if Self.frame(before) == Self.frame(row), before.children.isEmpty == row.children.isEmpty {
        compare(before.children, row.children, in: renderer.id(row.id) + ".i", renderer)
      } else if let whole = now.first(where: { $0.id == renderer.id(row.id) }) {
        changes.append(.replace(whole.id, whole.html()))
      }
    }
  }

  /// Compares the lines of a log, so that a screen reader does not repeat lines that stay.
  ///
  /// - Returns: false if the new lines are not the old ones with some removed at the front and some added at the end.
  private mutating func compareLines(_ old: Element, _ new: Element, _ renderer: ScreenRenderer) -> Bool {
    let (before, now) = (old.lines ?? [], new.lines ?? [])
    guard let gone = (0...before.count).first(where: { now.starts(with: before.dropFirst($0)) }) else { return false }
    let added = now.dropFirst(before.count - gone)
    changes.append(
      .append(renderer.control(new), dropping: gone, HTML { for line in added { renderer.line(line, &$0) } }))
    return true
  }

  /// Returns an element without its content.
  private static func frame(_ element: Element, isWindow: Bool = false) -> Element {
    var frame = element
    frame.children = []
    if frame.kind == .log { frame.lines = nil }
    if isWindow { (frame.firstRow, frame.rowCount) = (nil, frame.rowCount == nil ? nil : 0) }
    if isWindow, ScreenRenderer.hasJumps(element) { frame.rowCount = 1 }
    // The HTML has the role of a list only if the list has rows.
    if frame.kind == .list, element.children.isEmpty { frame.detail = "empty" }
    return frame
  }
}

extension PageChanges {
  /// Returns the changes that turn any page into that of a presentation.
  static func whole(_ presentation: Presentation, _ setting: PageSetting = PageSetting()) -> [Change] {
    let page = PageRenderer(presentation: presentation, setting: setting)
    return PageRenderer.Part.allCases.map { part in .replace(part.rawValue, HTML { page.part(part, &$0) }) }
  }
}
