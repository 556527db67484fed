@_spi(FrontEnd) import GangwayProtocol

@_spi(FrontEnd) @testable import GangwaySupervisor

/// An app on the control socket that gives the same answer to every request.
@MainActor final class AnsweringApp: ControlledApp {
  private let text: String

  init(_ text: String) { self.text = text }

  func plugins() async -> [HostMessage.PluginStatus] { [] }
  func status() -> AppStatus { AppStatus(sessions: 0, frontEnds: 0) }
  func reloaded(_ plugin: PluginID) async throws -> String { text }
  func frontEnd(_ session: SessionID?, isReadOnly: Bool) throws(SupervisorFailure)
    -> (session: SessionID, connection: FrontEndConnection)
  {
    throw SupervisorFailure("It has no sessions.")
  }
}
