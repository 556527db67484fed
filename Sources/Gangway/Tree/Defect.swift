/// Bugs seeded on purpose, so that a test can show that the model-based test of the core finds each of them.
///
/// A release build has none, because the compiler removes every trace.
enum Defect: CaseIterable, Sendable {
  case keepsChangesOfFailedPlans
  case keepsOrphans
  case tellsEndingsTwice
  case dismissesWhatMustBeAnswered
  case keepsModalsOverNavigation
  case forgetsPositions
  case reusesNumbers
  case popsTooMuch
  case forgetsSelection
  case skipsLeaveGuards

  #if DEBUG
    /// Bound to a task, so that parallel tests are not affected.
    @TaskLocal static var seeded: Defect?
    var isSeeded: Bool { Self.seeded == self }
  #else
    @inline(__always) var isSeeded: Bool { false }
  #endif
}
