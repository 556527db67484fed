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
  /// Send a copy of a file, up to a number of bytes.
  case sendFile(Event.ElementReference, path: String, limit: Int?)
  /// Save a file that a feature offered.
  case saveFile(HandedFile)
  /// Copy text to the clipboard of the terminal's window.
  case copy(String)
}
