/// The characters that boxes and marks are made of.
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
  /// What is expanded, and what can be.
  var expanded = "▾"
  var collapsed = "▸"
  /// What is selected, and what can be.
  var chosen = "●"
  var unchosen = "○"
  /// Whether things stand on surfaces that tell what they are, and need no brackets.
  var hasSurfaces = false
  /// What a button stands between.
  var buttonEdges: [String] { hasSurfaces ? ["  ", "  "] : ["[ ", " ]"] }
  /// What leads to another screen.
  var opens = "›"
  /// The part of what scrolls that is in sight.
  var thumb = "┃"
  /// The side of a board whose rows are shifted.
  var slant = "╲"
  /// What closes what covers the app.
  var close = "×"
  /// What shows that something goes on, one after the other.
  var spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  /// What stands before a message.
  var bar = "▌"
  var bullet = "•"
  /// What stands for the commands of a row.
  var commands = "⋯"
  /// How a column is sorted.
  var ascending = "▲"
  var descending = "▼"
  /// Whether figures are drawn with braille patterns; else with dots.
  var hasBraille = true
  /// Whether the terminal draws pictures.
  var hasPictures = false

  /// What stands for signs that authors use often, where a terminal does not speak UTF-8.
  static let plain: [Unicode.Scalar: Unicode.Scalar] = [
    "●": "O", "○": "o", "·": ".", "•": "*", "…": "~", "→": ">", "←": "<", "›": ">", "‹": "<", "×": "x", "✓": "v",
    "–": "-", "—": "-", "’": "'", "“": "\"", "”": "\"", "█": "#", "░": ".", "│": "|", "─": "-",
  ]

  /// For terminals that do not speak UTF-8.
  static let ascii = Glyphs(
    horizontal: "-", vertical: "|", corners: ["+", "+", "+", "+"], back: "<", link: "->", full: "#", empty: ".",
    secret: "*", more: "v", less: "^", arrows: ["<", ">"], expanded: "-", collapsed: "+", chosen: "*", unchosen: ".",
    opens: ">", thumb: "#", slant: "\\", close: "x", spinner: ["|", "/", "-", "\\"], bar: "|", bullet: "*",
    commands: "...",
    ascending: "^", descending: "v", hasBraille: false)
}
