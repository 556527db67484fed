/// Which of the terminal's own colours things have: its 16, so that the app looks as the person has made the terminal look.
enum Theme: String, CaseIterable {
  /// Light text on dark, and the other way round.
  case dark, light
  /// Nothing but what the terminal has for text and behind it, reversed and bold.
  case contrast
  /// No colours at all: brackets and marks say what surfaces do elsewhere.
  case mono

  /// A colour of the terminal's; -1 for that of text or what is behind it.
  struct Pair: Hashable {
    var text: Int16
    var behind: Int16
  }

  /// What a style is drawn with.
  struct Look: Equatable {
    var pair = Pair(text: -1, behind: -1)
    var isBold = false
    var isDim = false
    var isReversed = false
    var isUnderlined = false
  }

  /// The look of a style.
  ///
  /// - Parameters:
  ///   - accent: the colour of what is chosen and where the keyboard is.
  ///   - hasBright: whether there are colours 8 to 15.
  func look(of style: Style, accent: Style.Color = .cyan, hasBright: Bool) -> Look {
    var look = Look(
      isBold: style.isBold, isDim: style.isDim, isReversed: style.isReversed, isUnderlined: style.isUnderlined)
    if self != .mono { look.pair.text = Self.number(of: style.color == .accent ? accent : style.color) }
    switch (self, style.surface) {
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
      // Dim text cannot be read on grey.
      if look.isDim { (look.isDim, look.pair.text) = (false, 7) }
    case (.light, .raised):
      look.pair.behind = 7
      if style.color == .standard { look.pair.text = 0 }
      if look.isDim { (look.isDim, look.pair.text) = (false, 8) }
    case (_, .focused):
      // Black cannot be read on the dark colours.
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

  /// What a person asked for; nil where they asked for nothing that there is.
  static func named(_ name: String?) -> Theme? { name.flatMap { Theme(rawValue: $0.lowercased()) } }
}
