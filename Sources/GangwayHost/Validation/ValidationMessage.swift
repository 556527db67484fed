/// What a validating host says, one JSON object a line.
public enum ValidationMessage: Codable, Sendable {
  /// What it does next: should the process end now, that was it.
  case doing(String)
  /// A check is done.
  case check(ValidationCheck)
}

/// One check of a plugin.
public struct ValidationCheck: Codable, Hashable, Sendable {
  /// What was checked.
  public var name: String
  /// Whether it is as it should be.
  public var isFine: Bool
  /// What was found, both values where two disagree.
  public var detail: String

  /// Makes a check.
  public init(_ name: String, isFine: Bool, _ detail: String) {
    self.name = name
    self.isFine = isFine
    self.detail = detail
  }
}
