/// A message from a validating host, one JSON object on a line.
@_spi(FrontEnd) public enum ValidationMessage: Codable, Sendable {
  /// The next step. If the process ends now, this step is the cause.
  case doing(String)
  /// A finished check.
  case check(ValidationCheck)
}

/// One check of a plugin.
@_spi(FrontEnd) public struct ValidationCheck: Codable, Hashable, Sendable {
  /// The name of the check.
  public var name: String
  /// Whether the check passed.
  public var isFine: Bool
  /// The result, with both values if two disagree.
  public var detail: String

  /// Makes a check.
  public init(_ name: String, isFine: Bool, _ detail: String) {
    self.name = name
    self.isFine = isFine
    self.detail = detail
  }
}
