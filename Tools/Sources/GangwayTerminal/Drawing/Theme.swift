/// A mapping of styles to the terminal's own 16 colors, so that the app matches the user's color scheme.
enum Theme: String, CaseIterable {
  /// Light text on a dark background, and dark text on a light one.
  case dark, light
  /// Only the terminal's default text and background colors, reversed and bold.
  case contrast
  /// No colors at all: brackets and marks replace background colors.
  case mono

  /// A text color and a background color of the terminal; -1 for the defaults.
  struct Pair: Hashable {
    var text: Int16
    var behind: Int16
  }

  /// The colors and attributes that a style is drawn with.
  struct Look: Equatable {
    var pair = Pair(text: -1, behind: -1)
    var isBold = false
    var isDim = false
    var isReversed = false
    var isUnderlined = false
  }

  /// Returns the look of a style.
  ///
  /// - Parameters:
  ///   - accent: the color of the selection and of the focused element.
  ///   - hasBright: whether the terminal has colors 8 to 15.
  func look(of style: Style, accent: Style.Color = .cyan, hasBright: Bool) -> Look {
    // Cyan is hard to read on a light background, and so is text on cyan.
    let accent = self == .light && accent == .cyan ? .blue : accent
    var look = Look(
      isBold: style.isBold, isDim: style.isDim, isReversed: style.isReversed, isUnderlined: style.isUnderlined)
    if self != .mono { look.pair.text = Self.number(of: style.color == .accent ? accent : style.color) }
    switch (self, style.surface) {
    // Dim text is hard to read on a light background.
    case (.light, .none) where look.isDim && hasBright && style.color == .standard:
      (look.isDim, look.pair.text) = (false, 8)
    case (_, .none): break
    case (.mono, .raised), (.contrast, .raised):
      look.isUnderlined = look.isUnderlined || self == .contrast
    case (.mono, _), (.contrast, _):
      look.isReversed = true
      look.isBold = true
      look.isDim = false
    case (_, .raised) where !hasBright: look.isUnderlined = true
    case (.dark, .raised):
      look.pair.behind = 8
      if style.color == .standard { look.pair.text = 15 }
      // Dim text is unreadable on gray.
      if look.isDim { (look.isDim, look.pair.text) = (false, 7) }
    case (.light, .raised):
      look.pair.behind = 7
      if style.color == .standard { look.pair.text = 0 }
      if look.isDim { (look.isDim, look.pair.text) = (false, 8) }
    case (_, .focused):
      // Black is unreadable on the dark colors.
      let isDark = accent == .blue || accent == .red || accent == .magenta
      look.pair = Pair(text: isDark ? hasBright ? 15 : 7 : 0, behind: Self.number(of: accent))
      look.isDim = false
    case (_, .danger):
      look.pair = Pair(text: hasBright ? 15 : 7, behind: 1)
      look.isDim = false
    }
    return look
  }

  private static func number(of color: Style.Color) -> Int16 {
    switch color {
    case .standard: -1
    case .red: 1
    case .green: 2
    case .yellow: 3
    case .blue: 4
    case .magenta: 5
    case .cyan, .accent: 6
    }
  }

  /// Returns the theme of a name; nil if there is no name, or no theme of that name.
  static func named(_ name: String?) -> Theme? { name.flatMap { Theme(rawValue: $0.lowercased()) } }
}
