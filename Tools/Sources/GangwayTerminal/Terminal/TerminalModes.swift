/// The modes of a terminal that ncurses knows nothing of, and those it would put back if it could.
///
/// Source: xterm, "Control Sequences".
enum TerminalModes {
  /// What is pasted comes between marks, so that it is no keys.
  static let enter = "\u{1b}[?2004h"
  static let leave = "\u{1b}[?2004l"
  /// Mouse reports off, attributes off, cursor on, the normal screen.
  static let leaveNcurses = "\u{1b}[?1000l\u{1b}[?1006l\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"
  /// What is written between these is shown at once (synchronized output, private mode 2026).
  static let beginUpdate = "\u{1b}[?2026h"
  static let endUpdate = "\u{1b}[?2026l"
  /// Asks for the colour behind text.
  static let askBackground = "\u{1b}]11;?\u{07}"
}
