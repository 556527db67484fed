/// How a cell looks, in words that a theme has colours for.
struct Style: Hashable {
  enum Color: UInt8, Hashable, CaseIterable {
    case standard, red, green, yellow, blue, magenta, cyan
    /// That of the feature, or what the person has chosen.
    case accent

    /// Those that have names.
    static let named: [String: Color] = [
      "red": .red, "green": .green, "yellow": .yellow, "blue": .blue, "magenta": .magenta, "cyan": .cyan,
    ]

    /// The colour of a word that an author gives.
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

  /// What a cell stands on.
  enum Surface: UInt8, Hashable, CaseIterable {
    case none
    /// What can be pressed or filled.
    case raised
    /// What the keyboard is on.
    case focused
    /// What the keyboard is on, and takes something away.
    case danger
  }

  var color = Color.standard
  var surface = Surface.none
  var isBold = false
  var isDim = false
  var isReversed = false
  var isUnderlined = false
  // There is one of it to a cell, of thousands that are made and compared for every key: it is kept small.
  private var pictureNumber: Int16 = -1
  private var linkNumber: Int16 = -1

  /// The picture that a placeholder stands for, in place of a colour.
  var picture: Int? {
    get { pictureNumber < 0 ? nil : Int(pictureNumber) }
    set { pictureNumber = newValue.flatMap { Int16(exactly: $0) } ?? -1 }
  }
  /// The number of the address that it leads to, in the canvas's ``Canvas/links``.
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
  /// What has the keyboard.
  static let focused = Style(surface: .focused, isBold: true)
  /// What is shown of several, and the titles of parts.
  static let accent = Style(color: .accent, isBold: true)
}
