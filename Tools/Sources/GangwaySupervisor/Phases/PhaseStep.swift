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
  /// The words for what the supervisor itself did wrong; nil where it did nothing wrong.
  ///
  /// - Parameter what: what happened, and where.
  func fault(_ what: @autoclosure () -> String) -> String? {
    guard case .impossible(let reason) = self else { return nil }
    return "The supervisor met \(what()), which cannot be: \(reason). The app goes on; please report this."
  }
}
