/// The keys that press an element, such as `ctrl+s`: modifiers, then a character or the name of a key.
@_spi(FrontEnd) public struct Shortcut: Hashable, Sendable {
  /// Whether the shortcut includes Control.
  public var hasControl = false
  /// Whether the shortcut includes Alt.
  public var hasAlt = false
  /// Whether the shortcut includes Shift.
  public var hasShift = false
  /// A lower-case character, or the name of a key: `enter`, `delete`, `f1` to `f12`.
  public var key: String

  /// Reads a shortcut in the format of ``Element/Attributes/shortcut``. A capital letter is the letter with Shift.
  ///
  /// - Parameter text: `ctrl+`, `alt+` and `shift+` in any order, then the key. Any other text becomes a key that no
  ///   keyboard has.
  public init(_ text: String) {
    var rest = text[...]
    while let modifier = ["ctrl+", "alt+", "shift+"].first(where: { rest.hasPrefix($0) && rest != $0 }) {
      switch modifier {
      case "ctrl+": hasControl = true
      case "alt+": hasAlt = true
      default: hasShift = true
      }
      rest = rest.dropFirst(modifier.count)
    }
    key = String(rest)
    guard rest.count == 1, key.lowercased() != key else { return }
    (key, hasShift) = (key.lowercased(), true)
  }

  /// The shortcut for users, such as `Ctrl-S`. A single character is written as the user types it.
  public var name: String {
    if key.count == 1, key != " ", !hasControl, !hasAlt { return hasShift ? key.uppercased() : key }
    let own = key == " " ? "Space" : key.prefix(1).uppercased() + key.dropFirst()
    return (hasControl ? "Ctrl-" : "") + (hasAlt ? "Alt-" : "") + (hasShift ? "Shift-" : "") + own
  }
}
