@_spi(FrontEnd) import GangwayProtocol

/// Alerts, which must be answered before anything else.
extension TerminalView {
  /// Draws a feature's alert: its answers stay in view, and its message scrolls if there is little room.
  mutating func drawAlert(_ alert: Element) {
    cover()
    let focused = self.focused?.id
    let node = presentation.top?.node ?? 0
    let width = min(canvas.columns - 4, 56)
    let layout = ElementLayout(width: width - 4, node: node, state: state, focused: focused, glyphs: glyphs)
    let message = alert.detail.map { TextWidth.wrap($0, width - 4) } ?? []
    let answers = layout.lines(alert.children)
    let most = canvas.rows - 4 - answers.count - (message.isEmpty ? 0 : 1)
    let shown = min(message.count, max(most, 1))
    let height = min(shown + (message.isEmpty ? 0 : 1) + answers.count + 2, canvas.rows - 2)
    let top = max(1, (canvas.rows - height) / 2)
    let left = (canvas.columns - width) / 2
    drawBox(top..<top + height, left..<left + width, alert.label)
    let first = min(max(state.alert.scroll, 0), message.count - shown)
    state.alert.scroll = first
    for (offset, text) in message.dropFirst(first).prefix(shown).enumerated() {
      canvas.put(text, top + 1 + offset, left + 2, limit: width - 4)
    }
    drawScrollBar(top + 1..<top + 1 + shown, left + width - 2, message.count, first)
    for (offset, line) in answers.enumerated() {
      let row = top + height - 1 - answers.count + offset
      guard row > top else { continue }
      // Answers are aligned with the right edge of the box.
      let used = line.spans.reduce(0) { $0 + TextWidth.of($1.text) }
      var column = max(left + 2, left + width - 2 - used)
      for span in line.spans {
        let end = canvas.put(span.text, row, column, span.style, limit: max(0, left + width - 2 - column))
        if let hit = span.hit { addHit(row, column..<end, .content(node, hit)) }
        column = end
      }
      if line.element == focused, focused != nil {
        lineMates = line.spans.compactMap { if case .element(let id) = $0.hit { id } else { nil } }
      }
    }
  }
}
