/// A key that front ends reserve. An element of a feature cannot use it as its shortcut.
///
/// The terminal front end reads its own keys from here, and the framework refuses them to features.
@_spi(FrontEnd) public struct FrontEndKey: Hashable, Sendable {
  /// The key.
  public let shortcut: Shortcut
  /// The purpose of the key, as in lists of keys.
  public let purpose: String
  /// The terminal front end's command for the key, as in `terminal.conf`; nil if it has none.
  public let command: String?
  /// Whether the key always has this purpose. Users can give any other key to another command.
  public let isFixed: Bool

  private init(_ shortcut: String, _ purpose: String, _ command: String?, isFixed: Bool) {
    self.shortcut = Shortcut(shortcut)
    self.purpose = purpose
    self.command = command
    self.isFixed = isFixed
  }

  private static func bound(_ shortcut: String, _ command: String, _ purpose: String) -> FrontEndKey {
    .init(shortcut, purpose, command, isFixed: false)
  }

  private static func fixed(_ shortcut: String, command: String? = nil, _ purpose: String) -> FrontEndKey {
    .init(shortcut, purpose, command, isFixed: true)
  }

  /// All reserved keys, except single characters, which ``owner(of:)`` knows.
  public static let all: [FrontEndKey] =
    [
      bound("ctrl+p", "palette", "go anywhere, run any command"),
      bound("/", "filter", "filter the rows of this screen"),
      bound("'", "find", "go to the element that begins with the typed letters"), bound("?", "help", "the keys"),
      bound("[", "previous-tab", "the previous tab"), bound("]", "next-tab", "the next tab"),
      bound("{", "previous-outer-tab", "the previous tab of the outer bar"),
      bound("}", "next-outer-tab", "the next tab of the outer bar"), bound("u", "undo", "undo a step"),
      bound("shift+u", "redo", "redo"), bound("y", "copy", "copy"),
      bound("!", "messages", "messages and crash reports"),
      bound("m", "messages", "messages and crash reports"),
      bound("z", "undo-message", "undo the change that the message reports"),
      bound("shift+r", "reload", "reload this feature"),
      bound("r", "restart", "restart all features"), bound("q", "quit", "quit (Ctrl-C anywhere)"),
      fixed("escape", command: "back", "back, dismiss, cancel"),
      fixed("backspace", command: "back", "back, dismiss, cancel"),
      fixed("up", command: "up", "up"), fixed("down", command: "down", "down"), fixed("left", command: "left", "left"),
      fixed("right", command: "right", "right"), fixed("pageup", command: "page-up", "a page up"),
      fixed("pagedown", command: "page-down", "a page down"), fixed("home", command: "first", "the first row"),
      fixed("end", command: "last", "the last row"), fixed("f6", command: "next-column", "the next column"),
      fixed("enter", "press"), fixed(" ", "press, toggle, select"), fixed("tab", "the next element"),
      fixed("shift+tab", "the previous element"), fixed("ctrl+c", "quit"), fixed("ctrl+z", "suspend the app until fg"),
      // Terminals send these for other keys.
      fixed("ctrl+h", "back, dismiss, cancel"), fixed("ctrl+[", "back, dismiss, cancel"),
      fixed("ctrl+i", "the next element"), fixed("ctrl+j", "press"), fixed("ctrl+m", "press"),
      fixed("ctrl+\\", "quit at once"),
    ] + (1...9).map { fixed("\($0)", "the tab with that number") }

  private static let byShortcut = Dictionary(all.map { ($0.shortcut, $0) }, uniquingKeysWith: { first, _ in first })

  /// Keys that a screen may use all the same, because its own undo may differ from the undo of the last step.
  private static let given: Set<Shortcut> = [Shortcut("u"), Shortcut("shift+u")]

  /// Returns the reserved key for a shortcut; nil if elements can use the shortcut.
  ///
  /// - `u` and `U` undo and redo a step. A screen with its own undo may use them.
  /// - A character with Alt does the same in a text field as the character alone does elsewhere.
  /// - A letter with Control is the same with Shift, because terminals send one code for both.
  /// - A single character goes to the element that begins with it. In a field, it is text.
  public static func owner(of shortcut: Shortcut) -> FrontEndKey? {
    if given.contains(shortcut) { return nil }
    var pressed = shortcut
    let isCharacter = shortcut.key.count == 1
    if shortcut.hasControl {
      pressed.hasShift = false
    } else if isCharacter {
      pressed.hasAlt = false
    }
    if let key = byShortcut[pressed] { return key }
    guard isCharacter, !shortcut.hasControl, !shortcut.hasAlt else { return nil }
    return fixed(shortcut.key, "go to the element that begins with this letter, or type in a field")
  }
}
