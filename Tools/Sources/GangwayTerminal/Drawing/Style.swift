/// The look of a cell, in terms that a theme maps to colors.
struct Style: Hashable {
  enum Color: UInt8, Hashable, CaseIterable {
    case standard, red, green, yellow, blue, magenta, cyan
    /// The feature's own color, or the user's accent color.
    case accent

    /// The colors that a user can name in the settings.
    static let named: [String: Color] = [
      "red": .red, "green": .green, "yellow": .yellow, "blue": .blue, "magenta": .magenta, "cyan": .cyan,
    ]

    /// Creates the color for a name that an author gives.
    init(tint: String?) {
      switch tint {
      case "red": self = .red
      case "green": self = .green
      case "yellow", "orange": self = .yellow
      case "blue": self = .blue
      case "purple", "magenta", "pink": self = .magenta
      case nil, "foreground": self = .standard
      default: self = .accent
      }
    }
  }

  /// The background of a cell.
  enum Surface: UInt8, Hashable, CaseIterable {
    case none
    /// The background of an element that can be pressed or filled in.
    case raised
    /// The background of the focused element.
    case focused
    /// The background of a focused element that is destructive.
    case danger
  }

  var color = Color.standard
  var surface = Surface.none
  var isBold = false
  var isDim = false
  var isReversed = false
  var isUnderlined = false
  // Every key creates and compares thousands of cells, each with a style, so a style is kept small.
  private var pictureNumber: Int16 = -1
  private var linkNumber: Int16 = -1

  /// The number of the picture that a placeholder stands for; it replaces the color.
  var picture: Int? {
    get { pictureNumber < 0 ? nil : Int(pictureNumber) }
    set { pictureNumber = newValue.flatMap { Int16(exactly: $0) } ?? -1 }
  }
  /// The index of the link's address in the canvas's ``Canvas/links``.
  var link: Int? {
    get { linkNumber < 0 ? nil : Int(linkNumber) }
    set { linkNumber = newValue.flatMap { Int16(exactly: $0) } ?? -1 }
  }

  init(
    color: Color = .standard, surface: Surface = .none, isBold: Bool = false, isDim: Bool = false,
    isReversed: Bool = false, isUnderlined: Bool = false, picture: Int? = nil
  ) {
    (self.color, self.surface) = (color, surface)
    (self.isBold, self.isDim, self.isReversed, self.isUnderlined) = (isBold, isDim, isReversed, isUnderlined)
    self.picture = picture
  }

  static let plain = Style()
  static let bold = Style(isBold: true)
  static let dim = Style(isDim: true)
  static let reversed = Style(isReversed: true)
  /// The style of the focused element.
  static let focused = Style(surface: .focused, isBold: true)
  /// The style of the selected item, and of section titles.
  static let accent = Style(color: .accent, isBold: true)
}
