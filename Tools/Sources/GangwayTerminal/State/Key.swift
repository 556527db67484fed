import GangwayProtocol

/// What a person pressed.
enum Key: Hashable {
  case character(Character)
  /// A character with Alt.
  case alt(Character)
  /// A letter with Control, or `_`.
  case control(Character)
  /// F1 to F12, but for F6.
  case function(Int)
  case enter
  case escape
  case tab
  case backTab
  case up
  case down
  case left
  case right
  case home
  case end
  case pageUp
  case pageDown
  case backspace
  case delete
  /// A word to the left or right: the arrows with Control or Alt.
  case wordLeft
  case wordRight
  /// The character, word or rest of the line to either side is selected: with Shift.
  case selectLeft
  case selectRight
  case selectWordLeft
  case selectWordRight
  case selectHome
  case selectEnd
  /// The word before or after is deleted.
  case deleteWordBefore
  case deleteWordAfter
  /// F6, which moves the keyboard between parts of a window.
  case nextPane
  case press(row: Int, column: Int)
  case doublePress(row: Int, column: Int)
  /// The mouse moved with its button down.
  case drag(row: Int, column: Int)
  case release
  case wheelUp
  case wheelDown
  /// What was pasted: no keys, whatever stands in it. `isWhole` says whether there was no more of it than is taken.
  case paste(String, isWhole: Bool)
  /// What the terminal answers when it is asked for the colour behind text.
  case background(isDark: Bool)

  /// How much of what is pasted is taken, in characters.
  static let maximumPaste = 1_000_000
}

extension Key {
  /// The key of a character with or without a modifier; nil for others.
  init?(_ shortcut: Shortcut) {
    let text = shortcut.hasShift ? shortcut.key.uppercased() : shortcut.key
    guard text.count == 1, let character = text.first else { return nil }
    switch (shortcut.hasControl, shortcut.hasAlt) {
    case (false, false): self = .character(character)
    case (false, true): self = .alt(character)
    case (true, false): self = .control(character)
    case (true, true): return nil
    }
  }
}

extension Shortcut {
  /// A key as elements have it; nil for one that no element can be given.
  init?(_ key: Key) {
    switch key {
    case .control(let letter): self.init("ctrl+\(letter)")
    case .alt(let character): self.init("alt+\(character)")
    case .character(let letter) where letter.isLetter: self.init("\(letter)")
    case .function(let number): self.init("f\(number)")
    case .delete: self.init("delete")
    default: return nil
    }
  }
}
