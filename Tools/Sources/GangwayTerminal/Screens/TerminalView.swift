import GangwayProtocol

/// Draws a presentation: tab bars, path, layers, alert, overlays and the status line.
struct TerminalView {
  static let minimumColumns = 40
  static let minimumRows = 12

  /// What a press at a place means.
  enum Hit: Hashable {
    /// Something on the screen of a node.
    case content(NodeID, ContentLine.Hit)
    /// A screen beside others.
    case pane(NodeID)
    case tab(NodeID)
    case back
  }

  /// What the person acts on: of several screens beside each other the one that has the keyboard.
  let presentation: Presentation
  /// The screens of the front layer that are shown beside each other, from the left.
  let panes: [Presentation.Pane]
  private let whole: Presentation
  let glyphs: Glyphs
  private(set) var state: ViewState
  var canvas: Canvas
  private var hits: [(row: Int, columns: Range<Int>, hit: Hit)] = []
  /// The row of a long list that is in sight and not there, where there is one.
  private(set) var missing: (target: Event.ElementReference, row: Int)?
  /// Whether the element that has the keyboard is in sight: nothing else is pressed.
  private(set) var showsFocus = true
  /// How many rows of content the top layer shows, for paging.
  private(set) var visibleRows = 0

  init(_ presentation: Presentation, _ state: ViewState, columns: Int, rows: Int, glyphs: Glyphs = Glyphs()) {
    whole = presentation
    panes = presentation.top.map { Self.panes(of: $0, columns) } ?? []
    let active = state.activePane(presentation)
    // An alert is answered also where its screen has no room.
    let candidates = presentation.alertNode == nil ? panes : presentation.top?.columns ?? []
    self.presentation = candidates.first { $0.node == active }.map(presentation.showing) ?? presentation
    self.glyphs = glyphs
    self.state = state
    if glyphs.hasPictures { self.state.numberPictures(of: presentation) }
    canvas = Canvas(columns: columns, rows: rows)
    guard columns >= Self.minimumColumns, rows >= Self.minimumRows else {
      let text = "The window is too small: \(columns)×\(rows), at least \(Self.minimumColumns)×\(Self.minimumRows)."
      for (row, line) in TextWidth.wrap(text, max(columns, 1)).enumerated() { canvas.put(line, row, 0) }
      return
    }
    draw()
  }

  /// What is at a place of the terminal.
  func hit(row: Int, column: Int) -> Hit? {
    hits.last { $0.row == row && $0.columns.contains(column) }?.hit
  }

  /// The presentation for somebody who acts on one of the screens that are shown.
  func presentation(of node: NodeID) -> Presentation {
    (whole.top?.columns ?? []).first { $0.node == node }.map(whole.showing) ?? presentation
  }

  /// How wide a screen beside others is at the least.
  private static let paneWidth = 38

  /// As many of a layer's screens as there is room for; a sheet shows its own alone.
  private static func panes(of layer: Presentation.Layer, _ columns: Int) -> [Presentation.Pane] {
    let room = layer.style == .modal ? 1 : max(1, (columns + 1) / (paneWidth + 1))
    return layer.columns.suffix(room)
  }

  // MARK: Drawing

  private mutating func draw() {
    var row = 0
    for bar in presentation.tabBars.prefix(2) {
      drawTabs(bar, row)
      row += 1
    }
    if presentation.top?.appearance?.hidesBar != true {
      drawPath(row)
      row += 1
    }
    canvas.put(String(repeating: glyphs.horizontal, count: canvas.columns), row, 0, .dim)
    let area = row + 1..<canvas.rows - 1
    for (number, layer) in whole.layers.enumerated() {
      let isTop = number == whole.layers.count - 1
      if number > 0 {
        canvas.dim()
        hits = []
        canvas.cursor = nil
      }
      drawLayer(layer, isTop, number == 0 ? area : nil)
    }
    if let alert = presentation.alert { drawAlert(alert) }
    drawStatus()
    drawOverlay()
  }

  private mutating func drawTabs(_ bar: [Presentation.Tab], _ row: Int) {
    var column = 1
    for (number, tab) in bar.enumerated() {
      // Where there is no room there is nothing to press.
      guard column < canvas.columns else { break }
      if number > 0, tab.group != bar[number - 1].group { column = canvas.put("│ ", row, column, .dim) }
      let symbol = tab.symbol.map { $0 + " " } ?? ""
      let label =
        " \(number < 9 && row == 0 ? "\(number + 1) " : "")\(symbol)\(tab.title) "
        + (tab.badge.map { "(\($0)) " } ?? "")
      let end = canvas.put(label, row, column, tab.isSelected ? Style(isBold: true, isReversed: true) : .plain)
      hits.append((row, column..<end, .tab(tab.node)))
      column = end + 1
    }
  }

  private mutating func drawPath(_ row: Int) {
    var column = 1
    if presentation.canGoBack, presentation.top?.appearance?.hidesBackButton != true {
      let end = canvas.put("\(glyphs.back) ", row, column, Style(color: .cyan, isBold: true))
      hits.append((row, column..<end, .back))
      column = end
    }
    let titles = presentation.path.map(\.title)
    // What is near matters more than where one came from: as many as there is room for, from the last.
    var first = max(0, titles.count - 1)
    var used = titles.last.map { TextWidth.of($0) } ?? 0
    while first > 0 {
      used += TextWidth.of(titles[first - 1]) + 3
      guard used <= canvas.columns - column - 4 else { break }
      first -= 1
    }
    let text = (first > 0 ? "… > " : "") + titles[first...].joined(separator: " > ")
    canvas.put(TextWidth.fit(text, canvas.columns - column - 1), row, column, .bold)
  }

  private mutating func drawLayer(_ layer: Presentation.Layer, _ isTop: Bool, _ area: Range<Int>?) {
    let isActive = isTop && presentation.alert == nil
    if layer.style == .modal, area == nil {
      let focused = isActive ? presentation.focused(state)?.id : nil
      let own = layer.columns[layer.columns.count - 1]
      let width = min(canvas.columns - 4, 76)
      let left = (canvas.columns - width) / 2
      let height = min(max(layout(own, focused, width - 4).count + 2, 5), canvas.rows - 5)
      let top = max(2, (canvas.rows - height) / 2)
      drawBox(top..<top + height, left..<left + width, layer.title)
      drawContent(own, focused, top + 1..<top + height - 1, left + 2..<left + width - 2, isActive)
      return
    }
    if area == nil { canvas.clear(2..<canvas.rows - 1, 0..<canvas.columns) }
    let rows = area ?? 2..<canvas.rows - 1
    let shown = isTop ? panes : Self.panes(of: layer, canvas.columns)
    drawPanes(shown, rows, isActive)
  }

  /// Draws screens beside each other, a line between them; with one there are no titles, for the path has it.
  private mutating func drawPanes(_ panes: [Presentation.Pane], _ rows: Range<Int>, _ isActive: Bool) {
    let width = (canvas.columns + 1) / max(panes.count, 1) - 1
    for (number, pane) in panes.enumerated() {
      let left = number * (width + 1)
      let right = number == panes.count - 1 ? canvas.columns : left + width
      let hasKeyboard = isActive && pane.node == presentation.top?.node
      let focused = hasKeyboard ? presentation.focused(state)?.id : nil
      var inner = rows
      if panes.count > 1 {
        let title = TextWidth.fit(pane.title, right - left - 2)
        canvas.put(title, rows.lowerBound, left + 1, hasKeyboard ? Style(color: .cyan, isBold: true) : .bold)
        if isActive { for row in rows { hits.append((row, left..<right, .pane(pane.node))) } }
        if number > 0 { for row in rows { canvas.put(glyphs.vertical, row, left - 1, .dim) } }
        inner = rows.lowerBound + 1..<max(rows.lowerBound + 1, rows.upperBound)
      }
      drawContent(pane, focused, inner, left + 1..<right - 1, isActive, hasKeyboard: hasKeyboard)
    }
  }

  private func layout(_ pane: Presentation.Pane, _ focused: ElementID?, _ width: Int) -> [ContentLine] {
    ElementLayout(width: width, node: pane.node, state: state, focused: focused, glyphs: glyphs).lines(pane.elements)
  }

  private mutating func drawContent(
    _ pane: Presentation.Pane, _ focused: ElementID?, _ rows: Range<Int>, _ columns: Range<Int>, _ isActive: Bool,
    hasKeyboard: Bool = true
  ) {
    let lines = layout(pane, focused, columns.count)
    let scroll = scrollPosition(lines, pane, focused, rows.count, isActive)
    if isActive, hasKeyboard {
      visibleRows = rows.count
      let line = lines.firstIndex { $0.element == focused && focused != nil }
      showsFocus = line.map { (scroll..<scroll + rows.count).contains($0) } ?? true
    }
    for (offset, line) in lines.dropFirst(scroll).prefix(rows.count).enumerated() {
      let row = rows.lowerBound + offset
      if isActive, let next = line.missing {
        missing = (.init(node: pane.node, element: next.list), next.row)
      }
      var column = columns.lowerBound + line.indent
      for span in line.spans {
        let room = max(0, columns.upperBound - column)
        if let (picture, id, pictureRow) = span.picture {
          column = canvas.put(picture, as: id, pictureRow: pictureRow, row, column, limit: room)
        }
        let end = canvas.put(span.text, row, column, span.style, limit: room)
        if isActive, let hit = span.hit { hits.append((row, column..<end, .content(pane.node, hit))) }
        column = end
      }
      if isActive, hasKeyboard, let cursor = line.cursor {
        canvas.cursor = (row, min(columns.lowerBound + line.indent + cursor, columns.upperBound))
      }
    }
    if scroll > 0 { canvas.put(glyphs.less, rows.lowerBound, columns.upperBound - 1, .dim) }
    if lines.count - scroll > rows.count { canvas.put(glyphs.more, rows.upperBound - 1, columns.upperBound - 1, .dim) }
  }

  /// How far to scroll: as the person did, but so that the focused element is in view.
  private mutating func scrollPosition(
    _ lines: [ContentLine], _ pane: Presentation.Pane, _ focused: ElementID?, _ room: Int, _ isActive: Bool
  ) -> Int {
    var scroll = state.scroll(of: pane.node, pane.scroll)
    let firstRows = pane.elements.flattened.filter { $0.rowCount != nil }.map(\.rowsAbove)
    if let anchor = state.anchors[pane.node], anchor.firstRows != firstRows,
      let line = lines.firstIndex(where: { $0.row == anchor.line })
    {
      scroll = line - anchor.offset
    }
    // A screen is read from its top, wherever the first thing is that can be acted on.
    let isChosen = state.focus[pane.node] != nil || pane.focus != nil
    if let focused, isChosen, let line = lines.firstIndex(where: { $0.element == focused }), state.followsFocus {
      if line < scroll { scroll = line }
      if line >= scroll + room { scroll = line - room + 1 }
    }
    scroll = min(max(scroll, 0), max(0, lines.count - room))
    if isActive {
      state.scroll[pane.node] = scroll
      state.anchors[pane.node] = nil
      if !firstRows.isEmpty, let line = lines.indices.dropFirst(scroll).first(where: { lines[$0].row != nil }) {
        state.anchors[pane.node] = (lines[line].row ?? "", line - scroll, firstRows)
      }
    }
    return scroll
  }

  mutating func drawBox(_ rows: Range<Int>, _ columns: Range<Int>, _ title: String) {
    canvas.clear(rows, columns)
    let line = String(repeating: glyphs.horizontal, count: max(columns.count - 2, 0))
    canvas.put(glyphs.corners[0] + line + glyphs.corners[1], rows.lowerBound, columns.lowerBound)
    canvas.put(glyphs.corners[2] + line + glyphs.corners[3], rows.upperBound - 1, columns.lowerBound)
    for row in rows.dropFirst().dropLast() {
      canvas.put(glyphs.vertical, row, columns.lowerBound)
      canvas.put(glyphs.vertical, row, columns.upperBound - 1)
    }
    canvas.put(" \(TextWidth.fit(title, columns.count - 6)) ", rows.lowerBound, columns.lowerBound + 2, .bold)
  }

  private mutating func drawAlert(_ alert: Element) {
    canvas.dim()
    hits = []
    canvas.cursor = nil
    let focused = presentation.focused(state)?.id
    let width = min(canvas.columns - 4, 56)
    let layout = ElementLayout(
      width: width - 4, node: presentation.top?.node ?? 0, state: state, focused: focused, glyphs: glyphs)
    let message = alert.detail.map { TextWidth.wrap($0, width - 4) } ?? []
    let lines =
      message.map { ContentLine(spans: [.init(text: $0)]) } + (message.isEmpty ? [] : [ContentLine(spans: [])])
      + layout.lines(alert.children)
    let height = min(lines.count + 2, canvas.rows - 2)
    let top = (canvas.rows - height) / 2
    let left = (canvas.columns - width) / 2
    drawBox(top..<top + height, left..<left + width, alert.label)
    for (offset, line) in lines.prefix(height - 2).enumerated() {
      var column = left + 2
      for span in line.spans {
        let end = canvas.put(span.text, top + 1 + offset, column, span.style, limit: max(0, left + width - 2 - column))
        if let hit = span.hit {
          hits.append((top + 1 + offset, column..<end, .content(presentation.top?.node ?? 0, hit)))
        }
        column = end
      }
    }
  }

  /// What can be done about what the person is told.
  private func statusHints(_ notice: Update.Notice) -> String {
    // A text field takes letters.
    let alt = presentation.focused(state)?.kind.isEdited == true ? "Alt-" : ""
    let undo = notice.undo == nil ? "" : "   \(alt)z undoes it"
    return undo + (state.unseen == 0 ? "" : "   \(alt)m \(state.unseen) more")
  }

  private mutating func drawStatus() {
    let row = canvas.rows - 1
    canvas.clear(row..<row + 1, 0..<canvas.columns)
    if let notice = state.status {
      let color: Style.Color = notice.kind == .failure ? .red : notice.kind == .refusal ? .yellow : .standard
      let hints = statusHints(notice)
      let room = max(0, canvas.columns - 2 - TextWidth.of(hints))
      let end = canvas.put(TextWidth.fit(notice.text, room), row, 1, Style(color: color, isBold: true))
      canvas.put(hints, row, end, .dim)
    } else if let activity = presentation.activity {
      canvas.put(TextWidth.fit("\(activity)   Esc gives it up", canvas.columns - 2), row, 1, Style(isBold: true))
    } else {
      let columns = panes.count > 1 ? "← → columns   " : ""
      let hint = state.isWorking ? "working …" : "Tab move   Enter press   \(columns)Esc back   ? keys   q quit"
      canvas.put(TextWidth.fit(hint, canvas.columns - 2), row, 1, .dim)
    }
  }
}
