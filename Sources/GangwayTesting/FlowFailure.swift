/// The failure of a step in a flow's test, with its place in the test.
public struct FlowFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, and what is visible instead.
  public let message: String
  /// The test's file.
  public let file: String
  /// The step's line.
  public let line: Int

  init(_ message: String, at place: SourcePlace) {
    self.message = message
    file = place.file
    line = place.line
  }

  /// The file, line and message.
  public var description: String { "\(file):\(line): \(message)" }
}

/// A place in a test's source.
struct SourcePlace {
  let file: String
  let line: Int
}
