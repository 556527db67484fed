@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting

/// Access to a flow for actions that no user can take, such as on a covered screen.
@MainActor struct Screens<Root: Coordinator> {
  private let session: Session

  init(_ flow: FlowTester<Root>) { session = flow.session }

  /// Returns the action of a button on the visible screen, to run later.
  func action(_ label: String) throws -> @MainActor () async throws -> Void {
    let element = try ElementLookup(label, kinds: [.button]).find(in: session.presentation)
    guard let node = session.presentation.top?.node,
      case .action(let action) = session.navigation.table.nodes[node]?.screen?.handlers[element.id, .action]
    else { throw ElementMissing(label: label) }
    return action
  }

  struct ElementMissing: Error { let label: String }
}
