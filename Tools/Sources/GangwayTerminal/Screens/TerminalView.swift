@_spi(FrontEnd) import GangwayProtocol

/// A drawing of a presentation: tab bars, path, layers, alert, overlays and the status line.
struct TerminalView {
  static let minimumColumns = 40
  static let minimumRows = 12

  typealias Hit = ViewHit

  /// The presentation with the focused pane as its screen.
  let presentation: Presentation
  /// The visible panes of the front layer, from left to right.
  let panes: [Presentation.Pane]
  private let whole: Presentation
  /// The elements in front that can take focus, in order, and the one that has it.
  let (focusable, focused): ([Element], Element?)
  let glyphs: Glyphs
  var state: ViewState
  var canvas: Canvas
  private var hits: [(row: Int, columns: Range<Int>, hit: Hit?)] = []
  /// A row of a long list that is in view but not loaded; nil if there is none.
  private(set) var missing: (target: Event.ElementReference, row: Int)?
  /// The row in the middle of a long list whose loaded rows end near the visible ones; nil if there is none.
  private(set) var sparse: (target: Event.ElementReference, row: Int)?
  /// Whether the focused element is in view; keys press only a visible element.
  private(set) var showsFocus = true
  /// The elements that can take focus, by their position relative to the visible part.
  private(set) var positions = ElementPositions()
  /// The number of rows of content that the top layer shows, for paging.
  private(set) var visibleRows = 0
  /// The greatest number of lines by which the front screen can be scrolled.
  private(set) var scrollLimit = 0
  /// The elements on the line of the focused element.
  var lineMates: [ElementID] = []
  /// The items of the list over the app, its number of lines, and the number of lines that fit.
  var listed: [ListedItem] = []
  var overlayLineCount = 0
  var overlayRows = 0
  /// The number of all rows of a filtered long list, of which only the loaded ones are searched; nil if all are loaded.
  let unfilteredRows: Int?
  /// Whether the screen shows an activity indicator.
  var isMoving = false

  init(_ presentation: Presentation, _ state: ViewState, columns: Int, rows: Int, glyphs: Glyphs = Glyphs()) {
    unfilteredRows =
      state.filters.isEmpty
      ? nil
      : presentation.top?.columns.filter { state.filters[$0.node] != nil }.flatMap(\.elements.flattened)
        .compactMap { $0.rowsAbove + $0.rowsBelow > 0 ? $0.rowCount : nil }.first
    let presentation = Self.filtered(presentation, state)
    whole = presentation
    panes = presentation.top.map { Self.panes(of: $0, columns) } ?? []
    let active = state.activePane(presentation)
    // An alert must be answered, even if its screen has no room.
    let candidates = presentation.alertNode == nil ? panes : presentation.top?.columns ?? []
    self.presentation = candidates.first { $0.node == active }.map(presentation.showing) ?? presentation
    focusable = self.presentation.focusable(state)
    focused = self.presentation.focused(state, among: focusable)
    self.glyphs = glyphs
    self.state = state
    if glyphs.hasPictures { self.state.numberPictures(of: presentation) }
    canvas = Canvas(columns: columns, rows: rows)
    let tint = self.presentation.top?.appearance?.tint.map(Style.Color.init(tint:)) ?? .accent
    canvas.accent = tint == .accent || tint == .standard ? state.accent : tint
    guard columns >= Self.minimumColumns, rows >= Self.minimumRows else {
      let text = Words.Status.windowTooSmall(
        columns: columns, rows: rows, neededColumns: Self.minimumColumns, neededRows: Self.minimumRows)
      for (row, line) in TextWidth.wrap(text, max(columns, 1)).enumerated() { canvas.put(line, row, 0) }
      return
    }
    draw()
  }

  /// Returns the target of a press at a place of the terminal.
  func hit(row: Int, column: Int) -> Hit? {
    hits.last { $0.row == row && $0.columns.contains(column) }?.hit
  }

  /// Returns the part of a scroll bar that is nearest to a row.
  ///
  /// - Parameter column: the column of the scroll bar.
  func scrollBar(row: Int, column: Int) -> Hit? {
    // A dragging mouse strays from the bar's single column and past its ends.
    let bars = hits.filter { hit in
      guard hit.columns.contains(column), let what = hit.hit else { return false }
      if case .scrollBar = what { return true }
      if case .rowBar = what { return true }
      return false
    }
    return bars.min { abs($0.row - row) < abs($1.row - row) }?.hit
  }

  /// Sets the target of a press on a part of a row; nil makes the part inert.
  mutating func addHit(_ row: Int, _ columns: Range<Int>, _ hit: Hit?) { hits.append((row, columns, hit)) }

  /// Dims everything drawn so far, and makes it inert.
  mutating func cover() {
    canvas.dim()
    hits = []
    canvas.cursor = nil
  }

  /// Returns the presentation with the user's filters applied to the rows of its screens.
  private static func filtered(_ presentation: Presentation, _ state: ViewState) -> Presentation {
    guard !state.filters.isEmpty, var layer = presentation.layers.last else { return presentation }
    var copy = presentation
    let panes = layer.columns.map { pane in state.filters[pane.node].map { pane.filtered($0) } ?? pane }
    // The last column is the layer's own screen.
    if layer.panes != nil { layer.panes = panes.dropLast() }
    if let own = panes.last { layer.elements = own.elements }
    copy.layers[copy.layers.count - 1] = layer
    return copy
  }

  /// Returns the presentation with a visible pane as its screen.
  func presentation(of node: NodeID) -> Presentation {
    (whole.top?.columns ?? []).first { $0.node == node }.map(whole.showing) ?? presentation
  }

  /// The smallest width of a pane.
  private static let paneWidth = 38

  /// Returns as many of a layer's panes as fit; a sheet shows only its own.
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
      if number > 0 { cover() }
      drawLayer(layer, isTop, number == 0 ? area : nil)
    }
    if let alert = presentation.alert { drawAlert(alert) }
    drawStatus()
    drawOverlay()
  }

  private mutating func drawLayer(_ layer: Presentation.Layer, _ isTop: Bool, _ area: Range<Int>?) {
    let isActive = isTop && presentation.alert == nil
    if layer.style == .modal, area == nil {
      // A sheet with nothing but an alert has no box, because the alert draws one.
      if isTop, presentation.alert != nil, layer.elements.allSatisfy({ $0.kind == .alert }) { return }
      let focused = isActive ? focused?.id : nil
      let own = layer.columns[layer.columns.count - 1]
      let width = min(canvas.columns - 4, 76)
      let left = (canvas.columns - width) / 2
      let height = min(max(layout(own, focused, width - 4).count + 2, 3), canvas.rows - 5)
      let top = max(2, (canvas.rows - height) / 2)
      // A press beside a sheet, or on its mark, dismisses the sheet if the feature allows it.
      let isLeft = isActive && layer.isDismissible
      if isLeft { for row in 0..<canvas.rows { addHit(row, 0..<canvas.columns, .back) } }
      for row in top..<top + height { addHit(row, left..<left + width, nil) }
      // Nothing readable fits beside a sheet in a narrow window.
      if left < 8 { canvas.clear(top..<top + height, 0..<canvas.columns) }
      drawBox(top..<top + height, left..<left + width, layer.title)
      if isLeft {
        canvas.put(" \(glyphs.close) ", top, left + width - 5, .dim)
        addHit(top, left + width - 5..<left + width - 2, .back)
      }
      drawContent(own, focused, top + 1..<top + height - 1, left + 2..<left + width - 2, isActive)
      return
    }
    if area == nil { canvas.clear(2..<canvas.rows - 1, 0..<canvas.columns) }
    let rows = area ?? 2..<canvas.rows - 1
    let shown = isTop ? panes : Self.panes(of: layer, canvas.columns)
    drawPanes(shown, rows, isActive)
  }

  /// Draws panes with lines between them; a single pane has no title, because the path shows it.
  private mutating func drawPanes(_ panes: [Presentation.Pane], _ rows: Range<Int>, _ isActive: Bool) {
    let width = (canvas.columns + 1) / max(panes.count, 1) - 1
    for (number, pane) in panes.enumerated() {
      let left = number * (width + 1)
      let right = number == panes.count - 1 ? canvas.columns : left + width
      let hasKeyboard = isActive && pane.node == presentation.top?.node
      let focused = hasKeyboard ? focused?.id : nil
      var inner = rows
      if panes.count > 1 {
        let title = TextWidth.fit(pane.title, right - left - 2)
        canvas.put(title, rows.lowerBound, left + 1, hasKeyboard ? .accent : .bold)
        if isActive { for row in rows { hits.append((row, left..<right, .pane(pane.node))) } }
        if number > 0 { for row in rows { canvas.put(glyphs.vertical, row, left - 1, .dim) } }
        // A blank line separates the title from the content.
        let first = rows.lowerBound + (canvas.rows >= Self.spaciousRows ? 2 : 1)
        inner = first..<max(first, rows.upperBound)
      }
      drawContent(pane, focused, inner, left + 1..<right - 1, isActive, hasKeyboard: hasKeyboard)
    }
  }

  /// The largest width of a page, because longer lines are hard to read.
  private static let measure = 100
  /// The fewest terminal rows at which blank lines separate groups.
  private static let spaciousRows = 18

  private func layout(_ pane: Presentation.Pane, _ focused: ElementID?, _ width: Int) -> [ContentLine] {
    let next = panes.firstIndex { $0.node == pane.node }.flatMap { panes.dropFirst($0 + 1).first?.node }
    return ElementLayout(
      width: min(width, Self.measure), node: pane.node, state: state, focused: focused, glyphs: glyphs,
      isSpacious: canvas.rows >= Self.spaciousRows, screenTitle: pane.title,
      openURL: next.flatMap { next in whole.path.first { $0.node == next }?.url }
    ).lines(pane.elements)
  }

  /// Notes a list whose loaded rows end less than half a screen above or below the visible lines.
  private mutating func noteSparse(_ lines: [ContentLine], _ seen: Range<Int>, _ lists: [Element], _ node: NodeID) {
    let near = max(0, seen.lowerBound - seen.count / 2)..<min(seen.upperBound + seen.count / 2, lines.count)
    guard let at = near.first(where: { lines[$0].missing != nil }), let next = lines[at].missing,
      let list = lists.first(where: { $0.id == next.list }), list.shownRowCount > 0
    else { return }
    // Most rows have one line. If some have more, the row is nearer to the end of the loaded rows.
    let middle = next.row + (seen.lowerBound + seen.count / 2 - at)
    let row = min(max(middle, list.rowsAbove), list.rowsAbove + list.shownRowCount - 1)
    sparse = (.init(node: node, element: next.list), row)
  }

  private mutating func drawContent(
    _ pane: Presentation.Pane, _ focused: ElementID?, _ rows: Range<Int>, _ columns: Range<Int>, _ isActive: Bool,
    hasKeyboard: Bool = true
  ) {
    let lines = layout(pane, focused, columns.count)
    let all = pane.elements.flattened
    if isActive, all.contains(where: { $0.kind == .progress && $0.percent == nil }) { isMoving = true }
    let long = all.filter { $0.rowCount != nil }
    let scroll = scrollPosition(lines, pane, focused, rows.count, isActive, long.map(\.rowsAbove))
    let line = lines.firstIndex { $0.element == focused && focused != nil }
    let focusLine = state.followsFocus ? line : nil
    if isActive, hasKeyboard {
      visibleRows = rows.count
      showsFocus =
        line.map { (scroll..<scroll + rows.count).contains($0) } ?? (presentation.awayRow(state) == nil)
      positions = ElementPositions(lines, scroll..<scroll + rows.count)
      let hits = line.map { lines[$0].spans.compactMap(\.hit) } ?? []
      lineMates = hits.compactMap { if case .element(let id) = $0 { id } else { nil } }
    }
    if isActive { noteSparse(lines, scroll..<scroll + rows.count, long, pane.node) }
    for (offset, line) in lines.dropFirst(scroll).prefix(rows.count).enumerated() {
      let row = rows.lowerBound + offset
      if isActive, let next = line.missing, let list = long.first(where: { $0.id == next.list }) {
        // Request the row next to the loaded ones, or the end of the list that is next to the focused element.
        let isAbove = next.row < list.rowsAbove
        let isBeside = focusLine.map { isAbove ? $0 < scroll + offset : $0 > scroll + offset } ?? false
        let row = isBeside ? isAbove ? 0 : (list.rowCount ?? 1) - 1 : next.row
        missing = (.init(node: pane.node, element: next.list), row)
      }
      var column = columns.lowerBound + line.indent
      for span in line.spans {
        let room = max(0, columns.upperBound - column)
        if let (picture, id, pictureRow) = span.picture {
          column = canvas.put(picture, as: id, pictureRow: pictureRow, row, column, limit: room)
        }
        var style = span.style
        if let url = span.url, TextLink.isOutside(url) { style.link = canvas.link(to: url) }
        let end = canvas.put(span.text, row, column, style, limit: room)
        if isActive, let hit = span.hit ?? span.url.map({ .link($0) }) {
          hits.append((row, column..<end, .content(pane.node, hit)))
        }
        column = end
      }
      if isActive, hasKeyboard, let cursor = line.cursor {
        canvas.cursor = (row, min(columns.lowerBound + line.indent + cursor, columns.upperBound))
      }
    }
    drawScrollBar(of: pane.node, isActive, lines.count, scroll, long, rows, columns)
  }

  /// Draws the scroll bar of a screen, and makes it a target of presses.
  ///
  /// - Parameters:
  ///   - count: the number of the screen's lines.
  ///   - scroll: the number of lines above the visible ones.
  ///   - long: the lists that have rows that are not loaded.
  private mutating func drawScrollBar(
    of node: NodeID, _ isActive: Bool, _ count: Int, _ scroll: Int, _ long: [Element], _ rows: Range<Int>,
    _ columns: Range<Int>
  ) {
    // The rows that are not loaded count toward the length of the scroll bar.
    let above = long.reduce(0) { $0 + $1.rowsAbove }
    let below = long.reduce(0) { $0 + $1.rowsBelow }
    let all = count + above + below
    // Beside the content, which may be narrower than the screen.
    let bar = min(columns.upperBound, columns.lowerBound + Self.measure)
    drawScrollBar(rows, bar, all, scroll + above)
    guard isActive, all > rows.count else { return }
    for offset in 0..<rows.count {
      func part(of count: Int) -> Int { rows.count > 1 ? offset * max(0, count) / (rows.count - 1) : 0 }
      var hit: ViewHit?
      if above + below == 0 {
        hit = .scrollBar(node, part(of: count - rows.count))
      } else if long.count == 1, let list = long.first {
        // The heights of rows that are not loaded are unknown, so a place on the bar maps to a row number.
        let target = Event.ElementReference(node: node, element: list.id)
        hit = .rowBar(target, part(of: list.rowsAbove + list.shownRowCount + list.rowsBelow - 1))
      }
      addHit(rows.lowerBound + offset, bar..<bar + 1, hit)
    }
  }

  /// Returns the scroll position: as the user set it, adjusted to keep the focused element in view.
  private mutating func scrollPosition(
    _ lines: [ContentLine], _ pane: Presentation.Pane, _ focused: ElementID?, _ room: Int, _ isActive: Bool,
    _ firstRows: [Int]
  ) -> Int {
    var scroll = state.scroll(of: pane.node, pane.scroll)
    if let anchor = state.anchors[pane.node], anchor.firstRows != firstRows,
      let line = lines.firstIndex(where: { $0.row == anchor.line })
    {
      scroll = line - anchor.offset
    }
    if isActive, let wanted = line(of: state.wantedSight, lines, pane, room) {
      scroll = wanted
      state.wantedSight = nil
    }
    // A new screen starts at its top, wherever its first control is.
    let isChosen = state.focus[pane.node] != nil || pane.focus != nil
    if let focused, isChosen, let line = lines.firstIndex(where: { $0.element == focused }), state.followsFocus {
      if line < scroll { scroll = line }
      if line >= scroll + room { scroll = line - room + 1 }
    }
    let (wanted, limit) = (max(scroll, 0), max(0, lines.count - room))
    scroll = min(wanted, limit)
    if isActive {
      scrollLimit = limit
      // A screen that loads is shorter for a moment. The position comes back with the rest of the content.
      let isLoading = pane.elements.flattened.contains { $0.kind == .progress && $0.percent == nil }
      state.scroll[pane.node] = isLoading ? wanted : scroll
      state.anchors[pane.node] = nil
      if !firstRows.isEmpty, let line = lines.indices.dropFirst(scroll).first(where: { lines[$0].row != nil }) {
        state.anchors[pane.node] = (lines[line].row ?? "", line - scroll, firstRows)
      }
    }
    return scroll
  }

  /// Returns the scroll position that brings a row of a long list into view; nil if the row is not loaded.
  private func line(
    of wanted: (target: Event.ElementReference, row: Int)?, _ lines: [ContentLine], _ pane: Presentation.Pane,
    _ room: Int
  ) -> Int? {
    guard let wanted, wanted.target.node == pane.node,
      let list = pane.elements.flattened.first(where: { $0.id == wanted.target.element })
    else { return nil }
    let shown = wanted.row - list.rowsAbove
    let count = list.rowsAbove + list.shownRowCount + list.rowsBelow
    guard (0..<list.shownRowCount).contains(shown) else { return nil }
    // The ends of the bar also show the elements above and below the list.
    if wanted.row == 0 { return 0 }
    if wanted.row == count - 1 { return lines.count - room }
    let name: ElementID? =
      list.kind != .table
      ? list.children[shown].id
      : list.keys.flatMap { $0.indices.contains(shown) ? "\(list.id)[\($0[shown])]" : nil }
    guard let line = lines.firstIndex(where: { $0.row != nil && $0.row == name }) else { return nil }
    return line - wanted.row * max(0, room - 1) / max(1, count - 1)
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
}
