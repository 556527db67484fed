@_spi(FrontEnd) import GangwayProtocol

/// Views that temporarily cover the app.
extension TerminalView {
  mutating func drawOverlay() {
    guard let overlay = state.overlay else { return }
    cover()
    switch overlay {
    case .question(let question): draw(question)
    case .text(let text, let title, let scroll): draw(text, title, scroll)
    case .list(let list): draw(list)
    }
  }

  /// Draws a centered box with a close mark; a press beside the box closes it, too.
  ///
  /// - Returns: the area for the box's content.
  private mutating func box(_ title: String, width: Int, height: Int) -> (rows: Range<Int>, columns: Range<Int>) {
    let width = min(width, canvas.columns - 2)
    let height = min(height, canvas.rows - 2)
    // The box is in the upper half, and its top stays in place as the list shrinks.
    let top = max(1, (canvas.rows - height) / 3)
    let left = (canvas.columns - width) / 2
    for row in 0..<canvas.rows { addHit(row, 0..<canvas.columns, .closeOverlay) }
    for row in top..<top + height { addHit(row, left..<left + width, nil) }
    drawBox(top..<top + height, left..<left + width, title)
    canvas.put(" \(glyphs.close) ", top, left + width - 5, .dim)
    addHit(top, left + width - 5..<left + width - 2, .closeOverlay)
    return (top + 1..<top + height - 1, left + 2..<left + width - 2)
  }

  private mutating func draw(_ question: Question) {
    let width = min(
      max(TextWidth.of(question.message), TextWidth.of(question.title) + 8, 30) + 4, 60, canvas.columns - 2)
    let message = TextWidth.wrap(question.message, width - 4)
    let (rows, columns) = box(question.title, width: width, height: message.count + 4)
    for (number, text) in message.prefix(max(0, rows.count - 2)).enumerated() {
      canvas.put(text, rows.lowerBound + number, columns.lowerBound)
    }
    let labels = [question.safe, question.confirm].map { glyphs.buttonEdges[0] + $0 + glyphs.buttonEdges[1] }
    var column = columns.upperBound - labels.reduce(1) { $0 + TextWidth.of($1) }
    for (number, label) in labels.enumerated() {
      let isChosen = (number == 1) == question.isConfirmChosen
      let style =
        isChosen
        ? number == 1 ? Style(surface: .danger, isBold: true) : .focused
        : Style(surface: glyphs.hasSurfaces ? .raised : .none)
      let end = canvas.put(label, rows.upperBound - 1, column, style)
      addHit(rows.upperBound - 1, column..<end, .listed(number))
      column = end + 1
    }
  }

  private mutating func draw(_ text: String, _ title: String, _ scroll: Int) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
      TextWidth.wrap(String($0), canvas.columns - 8)
    }
    let (rows, columns) = box(title, width: canvas.columns - 2, height: lines.count + 3)
    overlayRows = max(0, rows.count - 1)
    overlayLineCount = lines.count
    let first = min(max(scroll, 0), max(0, lines.count - overlayRows))
    for (number, line) in lines.dropFirst(first).prefix(overlayRows).enumerated() {
      canvas.put(TextWidth.fit(line, columns.count), rows.lowerBound + number, columns.lowerBound)
    }
    drawScrollBar(rows.lowerBound..<rows.upperBound - 1, columns.upperBound + 1, lines.count, first)
    canvas.put(
      TextWidth.fit(Words.List.textKeys, columns.count), rows.upperBound - 1, columns.lowerBound, .dim)
  }

  private mutating func draw(_ list: ListOverlay) {
    listed = items(of: list)
    let title: String =
      switch list.kind {
      case .palette: Words.List.palette
      case .help: Words.List.help
      case .messages: Words.List.messages
      case .files(let choice): "\(choice.label): \(FileChoice.shortened(choice.folder))"
      }
    let widest = listed.reduce(0) { widest, item in
      let before = list.kind == .help ? Self.keyColumn : TextWidth.of(item.title) + 2
      return max(widest, before + TextWidth.of(item.detail) + 4)
    }
    let (rows, columns) = box(
      title, width: min(max(widest, 48) + 4, list.kind == .palette ? 72 : 100), height: max(listed.count, 1) + 5)
    // The query, the matches, and the hints.
    let prompt = canvas.put("> ", rows.lowerBound, columns.lowerBound, .accent)
    let typed = ElementLayout.window(list.query, list.query.count, max(columns.upperBound - prompt - 1, 1))
    canvas.put(typed.text, rows.lowerBound, prompt)
    if list.query.isEmpty {
      canvas.put(Words.List.narrow, rows.lowerBound, prompt, .dim, limit: columns.upperBound - prompt)
    }
    canvas.cursor = (rows.lowerBound, prompt + typed.column)
    let area = rows.lowerBound + 2..<max(rows.lowerBound + 2, rows.upperBound - 1)
    canvas.put(
      String(repeating: glyphs.horizontal, count: columns.count), rows.lowerBound + 1, columns.lowerBound, .dim)
    overlayRows = area.count
    overlayLineCount = listed.count
    let selected = min(max(list.selected, 0), max(0, listed.count - 1))
    let first = min(max(0, selected - area.count + 1), max(0, listed.count - area.count))
    for (offset, item) in listed.dropFirst(first).prefix(area.count).enumerated() {
      draw(item, area.lowerBound + offset, columns, isSelected: first + offset == selected, list.kind)
      addHit(area.lowerBound + offset, columns, .listed(first + offset))
    }
    if listed.isEmpty {
      let text = list.query.isEmpty ? Words.List.noMessages : Words.List.noMatch(list.query)
      canvas.put(TextWidth.fit(text, columns.count), area.lowerBound, columns.lowerBound, .dim)
    }
    drawScrollBar(area, columns.upperBound + 1, listed.count, first)
    let hint = list.kind == .messages ? Words.List.messageKeys : Words.List.itemKeys
    canvas.put(TextWidth.fit(hint, columns.count), rows.upperBound - 1, columns.lowerBound, .dim)
  }

  private mutating func draw(
    _ item: ListedItem, _ row: Int, _ columns: Range<Int>, isSelected: Bool, _ kind: ListOverlay.Kind
  ) {
    if isSelected { canvas.clear(row..<row + 1, columns, .focused) }
    let own: Style = isSelected ? .focused : Style(color: item.color)
    let other: Style = isSelected ? .focused : .dim
    // In the list of keys, keys precede their commands in a column; elsewhere, details are at the end of the line.
    guard kind != .help else {
      let column = min(Self.keyColumn, columns.count / 2)
      canvas.put(TextWidth.fit(item.title, column - 1), row, columns.lowerBound, isSelected ? .focused : .accent)
      canvas.put(
        TextWidth.fit(item.detail, columns.count - column), row, columns.lowerBound + column,
        isSelected ? .focused : .plain)
      return
    }
    let detail = TextWidth.fit(item.detail, columns.count / 3)
    let room = columns.count - TextWidth.of(detail) - (detail.isEmpty ? 0 : 2)
    canvas.put(TextWidth.fit(item.title, room), row, columns.lowerBound, own)
    canvas.put(detail, row, columns.upperBound - TextWidth.of(detail), other)
  }

  /// The width of the column of keys.
  private static let keyColumn = 30

  /// Draws a scroll bar for the visible part of long content.
  mutating func drawScrollBar(_ rows: Range<Int>, _ column: Int, _ count: Int, _ first: Int) {
    guard count > rows.count, !rows.isEmpty else { return }
    let length = max(1, rows.count * rows.count / count)
    let part = Double(min(max(first, 0), count - rows.count)) / Double(count - rows.count)
    let at = Int((part * Double(rows.count - length)).rounded())
    for offset in 0..<rows.count {
      let isThumb = (at..<at + length).contains(offset)
      canvas.put(
        isThumb ? glyphs.thumb : glyphs.vertical, rows.lowerBound + offset, column, isThumb ? .accent : .dim)
    }
  }
}
