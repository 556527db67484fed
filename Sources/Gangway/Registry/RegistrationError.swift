/// The reason for refusing a plugin: the contributions that it registers differ from its announced contributions.
public struct ContributionsChanged: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plugin.
  public let plugin: String
  /// Each difference, with both values.
  public let differences: [String]

  /// The differences as one line.
  public var description: String { differences.joined(separator: "; ") }
}

/// The reason for refusing a plugin: problems with its contributions.
public struct RegistrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plugin.
  public let plugin: String
  /// Every problem; for a conflict, the text names both sides.
  public let problems: [String]

  /// The problems as one line.
  public var description: String { "the plugin \(plugin) " + problems.joined(separator: "; it ") }
}
