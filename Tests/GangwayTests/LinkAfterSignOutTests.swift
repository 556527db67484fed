@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) @testable import GangwayTesting
import Observation
import Testing

/// A sign-out hides an entry behind the sign-in. A link to that entry then waits for the same sign-in.
@MainActor @Suite(.serialized) struct LinkAfterSignOutTests {
  private func hidden() async throws -> FlowTester<RootCoordinator> {
    Notary.shared = Notary()
    Notary.shared.user = "Ann"
    let flow = try await FlowTester(plugins: [NotaryPlugin.self])
    try await flow.open("gangway://notes/1")
    #expect(flow.screen.contains("note(1)"))
    Notary.shared.user = nil
    try await flow.settle()
    #expect(flow.screen.contains("Sign in") && !flow.screen.contains("note(1)"), "\(flow.screen)")
    return flow
  }

  @Test(arguments: [1, 2]) func theLinkIsOpenAfterTheSignIn(_ note: Int) async throws {
    let flow = try await hidden()
    try await flow.open("gangway://notes/\(note)")
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
    try await flow.tap("Sign in")
    #expect(flow.screen.contains("note(\(note))"), "\(flow.screen)")
    #expect(flow.presentation.path.map(\.title).count == 2)
    checkTree(flow)
  }

  /// A second root would start all work again, and its records would name a parent that is gone.
  private func checkTree(
    _ flow: FlowTester<RootCoordinator>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let table = flow.session.navigation.table
    let below = Set(table.root.subtree.map(\.id))
    #expect(Set(table.nodes.values.map(\.id)) == below, sourceLocation: sourceLocation)
    #expect(throws: Never.self, sourceLocation: sourceLocation) { try flow.checkpoint.validate() }
  }

  @Test func theNewestOfSeveralLinksIsOpen() async throws {
    for notes in [[2, 3], [1, 2], [2, 1], [1, 2, 3]] {
      let flow = try await hidden()
      for note in notes { try await flow.open("gangway://notes/\(note)") }
      try await flow.tap("Sign in")
      #expect(flow.screen.contains("note(\(notes.last ?? 0))"), "\(notes): \(flow.screen)")
      #expect(flow.told.notices.isEmpty, "\(notes): \(flow.told.notices)")
      checkTree(flow)
    }
  }

  @Test func theNewestLinkIsOpenAlsoAfterARestart() async throws {
    let flow = try await hidden()
    try await flow.open("gangway://notes/2")
    try await flow.restart()
    try await flow.open("gangway://notes/1")
    try await flow.tap("Sign in")
    #expect(flow.screen.contains("note(1)"), "\(flow.screen)")
    checkTree(flow)
  }

  @Test func theLinkSurvivesARestartInBetween() async throws {
    let flow = try await hidden()
    try await flow.open("gangway://notes/2")
    try await flow.restart()
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
    try await flow.tap("Sign in")
    #expect(flow.screen.contains("note(2)"), "\(flow.screen)")
    checkTree(flow)
  }

  @Test func aCancelledSignInLeavesTheScreenBelow() async throws {
    let flow = try await hidden()
    try await flow.open("gangway://notes/1")
    try await flow.dismiss()
    #expect(flow.screen.contains("This is notes"), "\(flow.screen)")
    #expect(flow.presentation.path.count == 1)
    checkTree(flow)
  }
}

@MainActor @Observable private final class Notary {
  static var shared = Notary()
  var user: String?
}

private final class NotaryPlugin: Plugin {
  static let id = "notary", version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("notes", title: "Notepad") { _ in Notepad() }
    registry.place("sign-in") { (_: NoPayload) in NotaryDoor() }
    registry.link("notes/:number", tab: "notes") { (link: NotepadLink) in Notepad.Route.note(link.number) }
  }
}

private struct NotepadLink: Codable, Hashable, Sendable { let number: Int }

private final class Notepad: StackCoordinator {
  enum Route: NavigationRoute { case notes, note(Int) }
  let start = Route.notes
  func guards(for route: Route) -> [NavigationGuard] {
    guard case .note = route else { return [] }
    return [
      NavigationGuard("signed-in") { _ in Notary.shared.user == nil ? .redirect(Place("notary.sign-in")) : .allow }
    ]
  }
  func destination(for route: Route) -> Destination { .screen { _ in NotepadScreen(route: route) } }
}

private struct NotepadScreen: Screen {
  let route: Notepad.Route
  var body: some Content { Text("This is \(route)") }
}

private final class NotaryDoor: StackCoordinator {
  typealias Output = String
  enum Route: NavigationRoute { case form }
  let start = Route.form
  func destination(for route: Route) -> Destination { .screen { router in NotaryDoorScreen(router: router) } }
}

private struct NotaryDoorScreen: Screen {
  let router: Router<NotaryDoor>
  var body: some Content {
    Button("Sign in") {
      Notary.shared.user = "Ann"
      try await router.finish("Ann")
    }
  }
}
