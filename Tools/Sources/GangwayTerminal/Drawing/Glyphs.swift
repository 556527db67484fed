/// The characters that draw boxes and marks.
struct Glyphs: Equatable {
  var horizontal = "─"
  var vertical = "│"
  var corners = ["┌", "┐", "└", "┘"]
  var back = "‹"
  var link = "→"
  var full = "█"
  var empty = "░"
  var secret: Character = "•"
  var more = "▾"
  var less = "▴"
  var arrows = ["‹", "›"]
  /// Marks of an expanded and of a collapsed element.
  var expanded = "▾"
  var collapsed = "▸"
  /// Marks of a selected and of an unselected item.
  var chosen = "●"
  var unchosen = "○"
  /// Whether a background color shows what can be pressed, so that no brackets are needed.
  var hasSurfaces = false
  /// The text before and after the label of a button.
  var buttonEdges: [String] { hasSurfaces ? ["  ", "  "] : ["[ ", " ]"] }
  /// The mark of a row that opens another screen.
  var opens = "›"
  /// The thumb of a scroll bar.
  var thumb = "┃"
  /// The side of a board whose rows are shifted.
  var slant = "╲"
  /// The close button of a view over the app.
  var close = "×"
  /// The frames of the activity indicator.
  var spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  /// The bar before a message.
  var bar = "▌"
  var bullet = "•"
  /// The mark of a row's menu.
  var commands = "⋯"
  /// The marks of a sorted column.
  var ascending = "▲"
  var descending = "▼"
  /// Whether figures are drawn with braille patterns; otherwise with one asterisk a cell.
  var hasBraille = true
  /// Whether the terminal draws pictures.
  var hasPictures = false

  /// Replacements for common non-ASCII characters, for terminals without UTF-8.
  static let plain: [Unicode.Scalar: Unicode.Scalar] = [
    "●": "O", "○": "o", "·": ".", "•": "*", "…": "~", "→": ">", "←": "<", "›": ">", "‹": "<", "×": "x", "✓": "v",
    "–": "-", "—": "-", "’": "'", "“": "\"", "”": "\"", "█": "#", "░": ".", "│": "|", "─": "-",
  ]

  /// The characters for terminals without UTF-8.
  static let ascii = Glyphs(
    horizontal: "-", vertical: "|", corners: ["+", "+", "+", "+"], back: "<", link: "->", full: "#", empty: ".",
    secret: "*", more: "v", less: "^", arrows: ["<", ">"], expanded: "-", collapsed: "+", chosen: "*", unchosen: ".",
    opens: ">", thumb: "#", slant: "\\", close: "x", spinner: ["|", "/", "-", "\\"], bar: "|", bullet: "*",
    commands: "...",
    ascending: "^", descending: "v", hasBraille: false)
}
