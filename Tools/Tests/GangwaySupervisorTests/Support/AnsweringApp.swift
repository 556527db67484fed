@testable import GangwaySupervisor

/// An app on the control socket that gives the same answer to every request.
@MainActor final class AnsweringApp: ControlledApp {
  private let text: String

  init(_ text: String) { self.text = text }

  func answer(_ request: ControlRequest) async -> ControlAnswer { ControlAnswer(isDone: true, text: text) }

  func frontEnd(_ session: String?, isReadOnly: Bool) throws(SupervisorFailure) -> FrontEndConnection {
    throw SupervisorFailure("It has no sessions.")
  }
}
