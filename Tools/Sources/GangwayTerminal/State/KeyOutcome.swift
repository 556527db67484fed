@_spi(FrontEnd) import GangwayProtocol

/// The effect of a key.
enum KeyOutcome: Equatable {
  case nothing
  case send(Event.Action)
  case restart
  case reload
  case quit
  case redraw
  /// Show a crash report, by its file; nil for the last one.
  case showReport(String?)
  /// Copy text to the clipboard of the terminal's window.
  case copy(String)
}
