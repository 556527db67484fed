/// What a phase makes of a happening.
enum PhaseStep<Phase: Hashable & Sendable, Action: Hashable & Sendable>: Hashable, Sendable {
  /// Goes on in a phase, which may be the same, after these actions.
  case to(Phase, [Action] = [])
  /// Changes nothing, for a reason.
  case ignored(String)
  /// Cannot happen: it is a fault of the supervisor's, and is said to be one.
  case impossible(String)
}

extension PhaseStep {
  /// The words for what the supervisor itself did wrong.
  static func fault(_ what: String, _ reason: String) -> String {
    "The supervisor met \(what), which cannot be: \(reason). The app goes on; please report this."
  }
}
