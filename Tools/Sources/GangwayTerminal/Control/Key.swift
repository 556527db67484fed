/// What a person pressed.
enum Key: Hashable {
  case character(Character)
  /// A character with Alt, or after Escape at once.
  case alt(Character)
  /// A letter with Control.
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
  /// F6, which moves the keyboard between parts of a window.
  case nextPane
  case press(row: Int, column: Int)
  case wheelUp
  case wheelDown
}
