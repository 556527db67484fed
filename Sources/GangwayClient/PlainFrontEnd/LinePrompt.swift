/// The input line of a ``PlainFrontEnd``.
///
/// The front end tells it when to ask for a line, and when to make room for output.
@_spi(FrontEnd) @MainActor public protocol LinePrompt: AnyObject {
  /// Returns the completions of a partial line.
  var completions: (String) -> [String] { get set }
  /// Asks for a line, or shows the partial line again.
  func ask()
  /// Makes room for output while the user types a line.
  func pause()
  /// Adds a line to the history.
  func remember(_ line: String)
}

/// The prompt of a terminal that has its own line editing.
final class TerminalPrompt: LinePrompt {
  var completions: (String) -> [String] = { _ in [] }
  private let write: (String) -> Void

  init(_ write: @escaping (String) -> Void) { self.write = write }

  func ask() { write("> ") }
  func pause() { write("\n") }
  func remember(_ line: String) {}
}
