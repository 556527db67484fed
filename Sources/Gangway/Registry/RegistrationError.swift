/// The reason for refusing a plugin: it was announced with other contributions than it registers.
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
  /// Every problem found, each naming both rivals.
  public let problems: [String]

  /// The problems as one line.
  public var description: String { "the plugin \(plugin) " + problems.joined(separator: "; it ") }
}
