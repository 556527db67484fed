@_spi(FrontEnd) import GangwayProtocol

/// The recent crashes of each plugin: three within a minute are too many.
package struct CrashTally {
  /// The number of crashes that quarantines a plugin.
  package static let limit = 3
  /// The period in which crashes count together, on a monotonic clock.
  static let span: Duration = .seconds(60)

  private var crashes: [PluginID: [ContinuousClock.Instant]] = [:]

  /// Counts a crash.
  ///
  /// - Returns: whether to quarantine the plugin.
  mutating func note(_ plugin: PluginID, at moment: ContinuousClock.Instant) -> Bool {
    let recent = crashes[plugin, default: []].filter { moment - $0 < Self.span } + [moment]
    crashes[plugin] = recent
    return recent.count >= Self.limit
  }

  /// Forgets a plugin's crashes, for example when the user retries the plugin.
  mutating func forget(_ plugin: PluginID) { crashes[plugin] = nil }
}
