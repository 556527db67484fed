/// What is known of a host's end, as far as it tells whose fault it was.
struct EndEvidence: Hashable {
  /// How a host came to its end.
  enum Cause: String, CaseIterable {
    /// By itself: a crash, or an exit that nobody asked for.
    case itself
    /// It was asked for, as when the user restarts the features.
    case wanted
    /// Something outside the app ended it: a user, an operator, or the system when memory ran short.
    case outside
    /// The supervisor ended it, because it gave no answer.
    case hung
    /// The supervisor ended it, because it said what no host says.
    case impossible
  }

  /// A plugin that was being loaded.
  struct Load: Hashable {
    let file: String
    /// Its id; nil where it is not known yet.
    let plugin: String?
    /// Whether its code can have been running: a library that waits for the system's loader runs none.
    var isRunning = true
  }

  var cause = Cause.itself
  /// The plugin whose code the crashed thread was running.
  var frame: String?
  /// What was being loaded.
  var loading: Load?
  /// The plugin whose screens were being restored.
  var restoring: String?
  /// Whether an event was being handled. It counts for nothing: it keeps the end from being unexplained.
  var hasEvent = false

  /// Whose fault it was. It depends on nothing else.
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

/// What a host's end counts for.
enum Blame: Hashable {
  /// Nothing.
  case nobody
  /// A crash in a plugin's code; three within a minute set it aside.
  case crash(String)
  /// The file that was being loaded alone; it is set aside at once.
  case loading(String)
  /// The plugin that was being restored alone; two in a row at one entry set it aside.
  case restoring(String, isInFrame: Bool)
  /// Nothing was being done, and nothing says who did it; three within a minute begin a search.
  case unexplained
}
