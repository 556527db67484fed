import GangwayProtocol

/// What a key led to.
enum KeyOutcome: Equatable {
  case nothing
  case send(Event.Action)
  case restart
  case reload
  case quit
  case redraw
  case showReport
  /// To the clipboard of the terminal's window.
  case copy(String)
}
