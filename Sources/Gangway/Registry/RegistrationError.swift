/// Why a plugin was refused that was announced with other contributions than it registers.
public struct ContributionsChanged: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plugin.
  public let plugin: String
  /// Each difference, with both values.
  public let differences: [String]

  /// The differences in a line.
  public var description: String { differences.joined(separator: "; ") }
}

/// Why a plugin's contributions were refused.
public struct RegistrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plugin.
  public let plugin: String
  /// Every problem found, each naming both rivals.
  public let problems: [String]

  /// The problems in a line.
  public var description: String { "the plugin \(plugin) " + problems.joined(separator: "; it ") }
}
