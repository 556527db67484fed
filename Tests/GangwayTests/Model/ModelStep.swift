/// One operation on a random app.
///
/// The meaning of its numbers is decided when the step runs: they are taken modulo the existing items. So every
/// sequence of steps can run, and every part of one too.
struct ModelStep: CustomStringConvertible, Equatable {
  enum Operation: String, CaseIterable {
    case showScreen, showModal, showFixed, showFlow, showQuestion, showPlace
    case showRemote, showAsked, showAndGoBack
    case showRepeat, showSwitched, showHeld, showGuarded, showBroken
    case awaitResult, root, set, append, appendOver, update, focusFirst, focusLast, returnTo, showDetail
    case popLast, pop, popToRoot, dismissModals, dismissFlow, finish, cancel
    case back, dismiss, tapTab, selectTab, changeTabs
    case plan, brokenPlan, openLink, undo, redo, lock, changeState, restart
  }

  let operation: Operation
  /// Selects a coordinator.
  let whom: Int
  /// Selects a route, tab or number.
  let what: Int

  static func random(_ operation: Operation, _ random: inout SplitMix) -> ModelStep {
    ModelStep(
      operation: operation, whom: Int.random(in: 0..<60, using: &random), what: Int.random(in: 0..<6, using: &random))
  }

  var description: String { "\(operation.rawValue)(whom: \(whom), what: \(what))" }
}
