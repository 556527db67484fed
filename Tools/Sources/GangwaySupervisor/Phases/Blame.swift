@_spi(FrontEnd) import GangwayProtocol

/// The evidence about a host's end that decides which plugin is to blame.
struct EndEvidence: Hashable {
  /// The cause of a host's end.
  enum Cause: String, CaseIterable {
    /// A crash, or an exit that nothing requested.
    case itself
    /// A requested end, as when the user restarts the features.
    case wanted
    /// A signal from outside the app: from a user, an operator, or the system when it runs out of memory.
    case outside
    /// The supervisor ended the host because it did not answer.
    case hung
    /// The supervisor ended the host because of an impossible message.
    case impossible
  }

  /// A plugin that was being loaded.
  struct Load: Hashable {
    let file: String
    /// The plugin's id; nil if it is not known yet.
    let plugin: PluginID?
    /// Whether the plugin's code may have been running; a library that waits for the system's loader runs no code.
    var isRunning = true
  }

  var cause = Cause.itself
  /// The plugin whose code was running in the crashed thread.
  var frame: PluginID?
  /// The load in progress.
  var loading: Load?
  /// The plugin whose screens were being restored.
  var restoring: PluginID?
  /// Whether an event was being handled.
  ///
  /// An event blames no plugin, but an end with an event does not count as unexplained.
  var hasEvent = false

  /// The verdict, a pure function of the evidence.
  var blame: Blame {
    switch cause {
    case .wanted, .outside: return .nobody
    case .hung:
      if let loading { return loading.isRunning ? .loading(loading.file) : .nobody }
      return restoring.map { .restoring($0, isInFrame: false) } ?? .nobody
    case .itself, .impossible: break
    }
    if let loading, frame == nil || loading.plugin == frame { return .loading(loading.file) }
    if let restoring, frame == nil || restoring == frame { return .restoring(restoring, isInFrame: frame != nil) }
    if let frame { return .crash(frame) }
    return hasEvent || cause == .impossible ? .nobody : .unexplained
  }
}

/// The verdict about a host's end.
enum Blame: Hashable {
  /// No plugin is to blame.
  case nobody
  /// A crash in a plugin's code; three within a minute quarantine the plugin.
  case crash(PluginID)
  /// The file that was being loaded is to blame and is quarantined at once.
  case loading(String)
  /// The plugin that was being restored is to blame; two deaths in a row at one entry quarantine it.
  case restoring(PluginID, isInFrame: Bool)
  /// A death while the host was idle, without evidence; three within a minute start a search.
  case unexplained
}
