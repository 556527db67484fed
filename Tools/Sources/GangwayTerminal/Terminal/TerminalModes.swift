/// Terminal modes that ncurses does not know, and those that ncurses cannot restore in a crash.
///
/// Source: xterm, "Control Sequences".
enum TerminalModes {
  /// Bracketed paste: marks around pasted text keep it apart from typed keys.
  static let enter = "\u{1b}[?2004h"
  static let leave = "\u{1b}[?2004l\u{1b}[?1002l"
  /// Also reports the mouse's position while its button is down.
  static let enterMouse = "\u{1b}[?1002h"
  /// Mouse reports off, attributes off, cursor on, normal screen.
  static let leaveNcurses = "\u{1b}[?1000l\u{1b}[?1006l\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"
  /// Synchronized output (private mode 2026): everything between these marks is shown at once.
  static let beginUpdate = "\u{1b}[?2026h"
  static let endUpdate = "\u{1b}[?2026l"
  /// Asks for the background color.
  static let askBackground = "\u{1b}]11;?\u{07}"
  /// Saves and restores the cursor's position and attributes.
  static let saveCursor = "\u{1b}7"
  static let restoreCursor = "\u{1b}8"

  /// Returns the sequences that write text as a link to an address.
  ///
  /// - Parameters:
  ///   - number: the link's id; parts on several lines with the same id are one link.
  ///   - row: the row, counted from 0, as `column` is.
  static func link(
    _ text: String, to url: String, number: Int, row: Int, column: Int, look: Theme.Look
  ) -> String {
    var codes = ["0"]
    if look.isBold { codes.append("1") }
    if look.isDim { codes.append("2") }
    if look.isUnderlined { codes.append("4") }
    if look.isReversed { codes.append("7") }
    func color(_ number: Int16, _ first: Int) -> String {
      "\(number < 8 ? first + Int(number) : first + 52 + Int(number))"
    }
    if look.pair.text >= 0 { codes.append(color(look.pair.text, 30)) }
    if look.pair.behind >= 0 { codes.append(color(look.pair.behind, 40)) }
    return "\u{1b}[\(row + 1);\(column + 1)H\u{1b}[\(codes.joined(separator: ";"))m"
      + "\u{1b}]8;id=\(number);\(url)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
  }
}
