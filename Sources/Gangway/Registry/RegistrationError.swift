@_spi(FrontEnd) import GangwayProtocol

/// The reason for refusing a plugin: the contributions that it registers differ from its announced contributions.
package struct ContributionsChanged: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plugin.
  package let plugin: PluginID
  /// Each difference, with both values.
  package let differences: [String]

  /// The differences as one line.
  package var description: String { differences.joined(separator: "; ") }
}

/// The reason for refusing a plugin: problems with its contributions.
package struct RegistrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The plugin.
  package let plugin: PluginID
  /// Every problem; for a conflict, the text names both sides.
  package let problems: [String]

  /// The problems as one line.
  package var description: String { "the plugin \(plugin) " + problems.joined(separator: "; it ") }
}
