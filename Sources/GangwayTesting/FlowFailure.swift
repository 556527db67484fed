/// Why a step of a flow's test failed, and where in the test it stands.
public struct FlowFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, and what is visible instead.
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

  /// File, line and message.
  public var description: String { "\(file):\(line): \(message)" }
}

/// A place in a test's source.
struct SourcePlace {
  let file: String
  let line: Int
}
