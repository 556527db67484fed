@_spi(FrontEnd) import GangwayProtocol

/// A key press, mouse action, paste or answer from the terminal.
enum Key: Hashable {
  case character(Character)
  /// A character with Alt.
  case alt(Character)
  /// A letter with Control, or Control with `_`.
  case control(Character)
  /// F1 to F12, except F6.
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
  /// The arrows with Control or Alt, which move the cursor by a word.
  case wordLeft
  case wordRight
  /// The arrows, Home and End with Shift, which select a character, a word or the rest of the line.
  case selectLeft
  case selectRight
  case selectWordLeft
  case selectWordRight
  case selectHome
  case selectEnd
  /// Keys that delete the word before or after the cursor.
  case deleteWordBefore
  case deleteWordAfter
  /// F6, which moves focus between the panes of a window.
  case nextPane
  case press(row: Int, column: Int)
  case doublePress(row: Int, column: Int)
  /// The mouse moved with its button down.
  case drag(row: Int, column: Int)
  case release
  case wheelUp
  case wheelDown
  /// Pasted text, which is never read as keys. `isWhole` is false if the text was cut at ``maximumPaste``.
  case paste(String, isWhole: Bool)
  /// The terminal's answer to the question for its background color.
  case background(isDark: Bool)

  /// The longest paste that is accepted, in characters.
  static let maximumPaste = 1_000_000
}

extension Key {
  /// Whether a text field uses the key, even if an element has it as a shortcut.
  var edits: Bool {
    switch self {
    case .delete, .wordLeft, .wordRight, .deleteWordBefore, .deleteWordAfter, .paste: true
    case .control(let letter): "aekuwd_".contains(letter)
    case .alt(let letter): "abcdf_".contains(letter)
    default: false
    }
  }

  /// Creates the key of a shortcut: a character, with Control or Alt or neither; F1 to F12; or Delete.
  ///
  /// It is nil for shortcuts that no terminal sends.
  init?(_ shortcut: Shortcut) {
    if !shortcut.hasControl, !shortcut.hasAlt, !shortcut.hasShift {
      if shortcut.key == "delete" {
        self = .delete
        return
      }
      if shortcut.key.hasPrefix("f"), let number = Int(shortcut.key.dropFirst()), (1...12).contains(number) {
        self = .function(number)
        return
      }
    }
    let text = shortcut.hasShift ? shortcut.key.uppercased() : shortcut.key
    guard text.count == 1, let character = text.first else { return nil }
    switch (shortcut.hasControl, shortcut.hasAlt) {
    case (false, false): self = .character(character)
    case (false, true): self = .alt(character)
    case (true, false):
      guard !shortcut.hasShift, character == "_" || character.isASCII && character.isLetter else { return nil }
      self = .control(character)
    case (true, true): return nil
    }
  }
}

extension Shortcut {
  /// Creates the shortcut that elements use for a key; nil if no element can have that key.
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
