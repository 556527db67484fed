/// The reason for refusing a plugin: it was announced with other contributions than it registers.
package struct ContributionsChanged: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plugin.
  package let plugin: String
  /// Each difference, with both values.
  package let differences: [String]

  /// The differences as one line.
  package var description: String { differences.joined(separator: "; ") }
}

/// The reason for refusing a plugin: problems with its contributions.
package struct RegistrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plugin.
  package let plugin: String
  /// Every problem found, each naming both rivals.
  package let problems: [String]

  /// The problems as one line.
  package var description: String { "the plugin \(plugin) " + problems.joined(separator: "; it ") }
}
