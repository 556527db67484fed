import GangwayProtocol

/// What covers the app for a moment.
extension TerminalView {
  mutating func drawOverlay() {
    var lines: [(text: String, style: Style)]
    let title: String
    var selected = 0
    switch state.overlay {
    case nil: return
    case .help: (title, lines) = ("Keys", Self.help.map { ($0, .plain) })
    case .report(let text):
      (title, lines) = (
        "Report",
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
          TextWidth.wrap(String($0), canvas.columns - 8).map { ($0, .plain) }
        }
      )
    case .quitQuestion:
      (title, lines) = ("Quit?", ["What you typed here is not stored.", "", "y quit    n stay"].map { ($0, .plain) })
    case .messages(let number):
      (title, lines) = ("Messages", messageLines(number))
      selected = number
    }
    canvas.dim()
    canvas.cursor = nil
    let width = min(canvas.columns - 2, max((lines.map { TextWidth.of($0.text) }.max() ?? 0) + 4, 30))
    let height = min(lines.count + 2, canvas.rows - 2)
    let top = (canvas.rows - height) / 2
    let left = (canvas.columns - width) / 2
    drawBox(top..<top + height, left..<left + width, title)
    let first = max(0, selected - (height - 3))
    for (offset, line) in lines.dropFirst(first).prefix(height - 2).enumerated() {
      canvas.put(TextWidth.fit(line.text, width - 4), top + 1 + offset, left + 2, line.style)
    }
  }

  /// The messages, the newest first, and what can be done.
  private func messageLines(_ selected: Int) -> [(text: String, style: Style)] {
    let notices = state.told.notices.reversed()
    guard !notices.isEmpty else { return [("Nothing was told yet.", .dim)] }
    let lines = notices.enumerated().map { number, notice in
      let color: Style.Color = notice.kind == .failure ? .red : notice.kind == .refusal ? .yellow : .standard
      let undo = notice.undo == nil ? "" : "   [ Undo ]"
      let room = max(10, canvas.columns - 6 - undo.count)
      return (
        TextWidth.fit(notice.text, room) + undo, Style(color: color, isReversed: number == selected)
      )
    }
    return lines + [("", .plain), ("↑ ↓ move   Enter undoes   Esc closes", .dim)]
  }

  static let help = [
    "Tab, Down / Shift-Tab, Up   next / previous", "Enter      press; Space turns toggles over",
    "Left, Right                 options, cells, columns", "Arrows     cells of a grid",
    "F6         next column",
    "Esc        back, dismiss, cancel", "1-9        tabs (Alt-1 in a text field)",
    "PgUp, PgDn, wheel           scroll", "u / U      undo a step, do it again",
    "m          messages (Alt-m in a text field)", "z          undo what the message tells of",
    "r / R      restart all features, reload this one", "!          the last report",
    "q          quit (Ctrl-C anywhere)",
  ]
}
