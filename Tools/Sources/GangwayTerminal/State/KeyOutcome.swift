import GangwayProtocol

/// What a key led to.
enum KeyOutcome: Equatable {
  case nothing
  case send(Event.Action)
  case restart
  case reload
  case quit
  case redraw
  /// The report of a crash, by its file; nil for the last one.
  case showReport(String?)
  /// To the clipboard of the terminal's window.
  case copy(String)
}
