/// Where a person types the lines of a ``PlainFrontEnd``: it is told when one is wanted, and when something is to be written meanwhile.
@MainActor public protocol LinePrompt: AnyObject {
  /// The lines that may come of one that has begun, for whoever asks for them.
  var completions: (String) -> [String] { get set }
  /// Asks for a line, or goes on with the one that has begun.
  func ask()
  /// Makes room for something that is written while a line is being typed.
  func pause()
  /// Keeps a line, so that it can be had again.
  func remember(_ line: String)
}

/// The prompt of a terminal that edits lines by itself.
final class TerminalPrompt: LinePrompt {
  var completions: (String) -> [String] = { _ in [] }
  private let write: (String) -> Void

  init(_ write: @escaping (String) -> Void) { self.write = write }

  func ask() { write("> ") }
  func pause() { write("\n") }
  func remember(_ line: String) {}
}
