@_spi(FrontEnd) import GangwayProtocol

/// The last line: messages, activity, or key hints.
extension TerminalView {
  /// The most lines of a message that are shown at once.
  private static let noticeLines = 3

  /// Returns the hints for acting on a message.
  private func statusHints(_ notice: Update.Notice) -> String {
    (notice.undo == nil ? "" : hint(.undoMessage, Words.Hint.undoMessage))
      + (notice.report == nil ? "" : hint(.messages, Words.Hint.details))
      + (state.unseen == 0 ? "" : hint(.messages, Words.Hint.more(state.unseen))) + restartHint
  }

  /// The hint for the key that restarts the features, while an event takes long.
  private var restartHint: String { state.isWorking && state.takesLong ? hint(.restart, Words.Hint.restart) : "" }

  private func hint(_ command: Command, _ what: String) -> String {
    // A text field uses plain letters, so the hint names the key with Alt.
    let isEditing = focused?.kind.isEdited == true
    return state.keys.name(of: command, inField: isEditing).map { "   \($0) \(what)" } ?? ""
  }

  /// The work in progress: the screen's own progress, which may be out of sight, or else a general word.
  private var work: String {
    if state.takesLong { return Words.Status.working }
    let progress = presentation.top?.elements.flattened.first { $0.kind == .progress && $0.percent != nil }
    return progress.flatMap { element in element.percent.map { Words.Status.progress(element.label, percent: $0) } }
      ?? Words.Status.working
  }

  mutating func drawStatus() {
    let row = canvas.rows - 1
    canvas.clear(row..<row + 1, 0..<canvas.columns)
    if let notice = state.status {
      let color: Style.Color = notice.kind == .failure ? .red : notice.kind == .refusal ? .yellow : .standard
      let hints = statusHints(notice)
      let room = max(10, canvas.columns - 2 - TextWidth.of(hints))
      // A long message may take several lines, so that users can read it.
      var lines = Array(TextWidth.wrap(notice.text, room).prefix(Self.noticeLines + 1))
      if lines.count > Self.noticeLines {
        lines.removeLast()
        lines[lines.count - 1] = TextWidth.fit(lines[lines.count - 1] + " …", room)
      }
      let first = row - lines.count + 1
      canvas.clear(first..<row + 1, 0..<canvas.columns)
      if lines.count > 1 { for row in first...row { addHit(row, 0..<canvas.columns, nil) } }
      for (number, line) in lines.enumerated() {
        let end = canvas.put(line, first + number, 1, Style(color: color, isBold: true))
        if number == lines.count - 1 { canvas.put(hints, row, end, .dim) }
      }
      // The cursor would be inside the message.
      if let cursor = canvas.cursor, cursor.row >= first { canvas.cursor = nil }
    } else if let activity = presentation.activity {
      let text = Words.Status.cancellable(activity)
      canvas.put(TextWidth.fit(text, canvas.columns - 2), row, 1, Style(isBold: true))
    } else if state.isFiltering || presentation.top.flatMap({ state.filters[$0.node] }) != nil {
      let text = presentation.top.flatMap { state.filters[$0.node] } ?? ""
      let mark = canvas.put("/ ", row, 1, .accent)
      let typed = ElementLayout.window(text, text.count, max(1, canvas.columns - 40))
      let end = canvas.put(typed.text, row, mark)
      if state.isFiltering { canvas.cursor = (row, mark + typed.column) }
      let near = unfilteredRows.map { [("", Words.Hint.nearest(of: $0))] } ?? []
      let keys = state.isFiltering ? [(Words.KeyName.enter, Words.Hint.keep)] : focusHints
      draw(keys + [(Words.KeyName.escape, Words.Hint.allRows)] + near, row, end + 3)
    } else if let find = state.find, find.isOpen {
      let mark = canvas.put("' ", row, 1, .accent)
      let typed = ElementLayout.window(find.text, find.text.count, max(1, canvas.columns - 40))
      let end = canvas.put(typed.text, row, mark)
      canvas.cursor = (row, mark + typed.column)
      draw(
        [
          (Words.KeyName.tab, Words.Hint.next), (Words.KeyName.enter, Words.Hint.press),
          (Words.KeyName.escape, Words.Hint.done),
        ], row, max(end + 3, mark + 12))
    } else if state.isWorking {
      drawWork(row)
    } else {
      drawHints(row, 1)
    }
  }

  /// Draws the work in progress, with the key hints, or with the key that restarts the features.
  private mutating func drawWork(_ row: Int) {
    let spinner = glyphs.spinner[state.frame % glyphs.spinner.count]
    let end = canvas.put("\(spinner) \(work)" + restartHint, row, 1, .dim)
    if restartHint.isEmpty { drawHints(row, end + 3) }
    isMoving = true
  }

  private mutating func drawHints(_ row: Int, _ column: Int) {
    // In a narrow window, the way to all keys is more important than one of the screen's keys.
    let screen = screenHints
    let hasOnlyKeys = focusHints.isEmpty && !screen.isEmpty
    draw(screen + appHints, row, column, important: max(1, screen.count), kept: hasOnlyKeys ? 0 : 1)
  }

  /// Draws as many key hints as fit.
  ///
  /// - Parameters:
  ///   - important: the number of hints for this screen, which are the first.
  ///   - kept: the number of them that stay even in a narrow window.
  private mutating func draw(_ hints: [KeyHint], _ row: Int, _ column: Int, important: Int = 1, kept: Int = 1) {
    var (hints, column, important) = (hints, column, important)
    func width() -> Int { hints.reduce(-3) { $0 + TextWidth.of($1.key) + TextWidth.of($1.what) + 4 } }
    // The last two hints show how to find the other keys. Those between them and the important ones go first.
    while hints.count > 1, column + width() >= canvas.columns {
      if hints.count <= important + 2 { important = max(kept, important - 1) }
      hints.remove(at: hints.count > 2 ? important : 0)
    }
    for hint in hints {
      column = canvas.put(hint.key, row, column, glyphs.hasSurfaces ? .accent : .bold)
      column = canvas.put(" " + hint.what, row, column, .dim) + 3
    }
  }
}
