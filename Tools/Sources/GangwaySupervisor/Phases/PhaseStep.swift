/// The reaction of a phase to a happening.
enum PhaseStep<Phase: Hashable & Sendable, Action: Hashable & Sendable>: Hashable, Sendable {
  /// Performs the actions and continues in a phase, which may be the same one.
  case to(Phase, [Action] = [])
  /// Changes nothing, for a reason.
  case ignored(String)
  /// Cannot happen: this is a bug in the supervisor and is reported as one.
  case impossible(String)
}

extension PhaseStep {
  /// Returns the description of an impossible step; nil for any other step.
  ///
  /// - Parameter what: a description of the happening and the phase.
  func fault(_ what: @autoclosure () -> String) -> String? {
    guard case .impossible(let reason) = self else { return nil }
    return Words.Fault.step(what(), reason: reason)
  }
}
