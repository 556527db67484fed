/// How often plugins stopped their hosts lately: three times in a minute is too often.
struct CrashTally {
  /// How many crashes are too many.
  static let limit = 3
  /// Within what time. On a clock that never goes back.
  static let span: Duration = .seconds(60)

  private var crashes: [String: [ContinuousClock.Instant]] = [:]

  /// Counts a crash.
  ///
  /// - Returns: whether the plugin is to be quarantined.
  mutating func note(_ plugin: String, at moment: ContinuousClock.Instant = .now) -> Bool {
    let recent = crashes[plugin, default: []].filter { moment - $0 < Self.span } + [moment]
    crashes[plugin] = recent
    return recent.count >= Self.limit
  }

  /// Begins anew, as when the person tries a plugin again.
  mutating func forget(_ plugin: String) { crashes[plugin] = nil }
}
