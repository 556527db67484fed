@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) @testable import GangwayTesting
import Foundation
import Observation
import Testing

/// Guards run again when a value that they read changes. Signing out removes the screens that need a signed-in user.
@MainActor @Suite(.serialized) struct GuardsAskedAgainTests {
  private func signedIn() async throws -> FlowTester<RootCoordinator> {
    Office.shared = Office()
    Office.shared.user = "Ann"
    return try await FlowTester(plugins: [OfficePlugin.self])
  }

  private func deep(_ first: String) async throws -> FlowTester<RootCoordinator> {
    let flow = try await signedIn()
    try await flow.tab("Papers")
    try await flow.tap(first)
    try await flow.tap("More")
    try await flow.tap("More")
    try await flow.type("draft", into: "Note")
    return flow
  }

  @Test func signingOutShowsTheSignInAndSigningInTheScreenTheyWereOn() async throws {
    let flow = try await deep("Secret")
    let (path, screen) = (flow.presentation.path.map(\.title), flow.screen)
    #expect(path.count == 4)
    Office.shared.user = nil
    try await flow.settle()
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
    #expect(!flow.screen.contains("draft"), "\(flow.screen)")
    try await flow.tap("Sign in")
    #expect(flow.presentation.path.map(\.title) == path)
    #expect(flow.screen == screen)
  }

  @Test func theHostMayBeKilledInBetween() async throws {
    let flow = try await deep("Secret")
    let screen = flow.screen
    Office.shared.user = nil
    try await flow.settle()
    try await flow.restart()
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
    #expect(!flow.screen.contains("draft"))
    try await flow.tap("Sign in")
    #expect(flow.screen == screen, "\(flow.screen)")
  }

  @Test func whatIsSeenFirstIsAskedAboutAsWell() async throws {
    Office.shared = Office()
    var placement = Placement()
    placement.start = "office.vault"
    let flow = try await FlowTester(plugins: [OfficePlugin.self], placement: placement)
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
    #expect(!flow.screen.contains("This is"))
    try await flow.restart()
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
    try await flow.tap("Sign in")
    #expect(flow.screen.contains("This is papers"), "\(flow.screen)")
    Office.shared.user = nil
    try await flow.settle()
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
  }

  @Test(arguments: ["the button", "its tab", "another tab", "elsewhere"])
  func whoGaveTheSignInUpTriesAgain(_ way: String) async throws {
    Office.shared = Office()
    var placement = Placement()
    placement.start = "office.vault"
    let flow = try await FlowTester(plugins: [OfficePlugin.self], placement: placement)
    try await flow.dismiss()
    #expect(flow.screen.contains("Try again"), "\(flow.screen)")
    #expect(flow.screen.contains("'Sign in' was cancelled."), "\(flow.screen)")
    #expect(flow.told.notices.isEmpty, "\(flow.told.notices)")
    switch way {
    case "the button": try await flow.tap("Try again")
    case "its tab": try await flow.tab("Vault")
    case "another tab":
      try await flow.tab("Papers")
      try await flow.tab("Vault")
    default:
      Office.shared.user = "Ann"
      try await flow.settle()
    }
    if way != "elsewhere" {
      #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
      try await flow.tap("Sign in")
    }
    #expect(flow.screen.contains("This is papers"), "\(flow.screen)")
  }

  @Test func aRedirectThatWasLeftIsNamedInPlainWords() {
    func words(_ reason: CancellationReason) -> String {
      NavigationError(
        .redirectCancelled(
          target: "secret", place: "castle.sign-in", title: "Form", reason: reason.rawValue,
          isChosen: reason.isChosenByPerson)
      ).personMessage
    }
    for reason in [CancellationReason.back, .cancelled, .superseded, .undone] {
      #expect(words(reason) == "'Form' was cancelled.")
    }
    #expect(words(.tabRemoved) == "'Form' was cancelled.")
  }

  @Test(arguments: ["Vault", "Papers"]) func aCrashDoesNotEndThat(_ tab: String) async throws {
    let flow = try await deep("Secret")
    if tab == "Vault" { try await flow.tab(tab) }
    let screen = flow.screen
    try await flow.restart()
    #expect(flow.screen == screen)
    Office.shared.user = nil
    try await flow.settle()
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
    try await flow.tap("Sign in")
    #expect(flow.screen == screen, "\(flow.screen)")
  }

  @Test func whatChangedWhileTheHostWasDeadCounts() async throws {
    let flow = try await deep("Secret")
    Office.shared.user = nil
    try await flow.restart()
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
  }

  @Test func whoDoesNotSignInStandsBelowWhatNeedsIt() async throws {
    let flow = try await deep("Secret")
    Office.shared.user = nil
    try await flow.settle()
    try await flow.dismiss()
    #expect(flow.presentation.path.map(\.title) == ["Papers"])
    #expect(flow.screen.contains("Secret"))
  }

  @Test func aGuardOfATabIsAskedAboutItsStack() async throws {
    let flow = try await signedIn()
    try await flow.tab("Vault")
    try await flow.tap("More")
    let screen = flow.screen
    Office.shared.user = nil
    try await flow.settle()
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
    try await flow.restart()
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
    try await flow.tap("Sign in")
    #expect(flow.screen == screen, "\(flow.screen)")
  }

  @Test func aTabThatIsNotShownIsAskedAboutWhenItIs() async throws {
    let flow = try await deep("Secret")
    let screen = flow.screen
    try await flow.tab("Vault")
    try await flow.tab("Papers")
    let history = flow.history.count
    try await flow.tab("Vault")
    #expect(flow.history.count > history)
    Office.shared.user = nil
    try await flow.settle()
    try await flow.tap("Sign in")
    try await flow.tab("Papers")
    #expect(flow.screen == screen, "\(flow.screen)")
  }

  @Test func aLinkThroughWhatIsStillBeingAskedAboutWaitsForTheAnswer() async throws {
    let flow = try await signedIn()
    try await flow.tab("Vault")
    try await flow.tap("More")
    let registry = try Registry(plugins: [OfficePlugin.self])
    let folder = URL.temporaryDirectory
    let session = Session(registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { _ in }))
    _ = try session.start(from: flow.checkpoint, asksGuards: true)
    #expect(session.presentation.plainText.contains("Checking whether"))
    try await session.open("gangway://vault/7")
    #expect(await session.idle())
    #expect(session.presentation.plainText.contains("This is page(7)"), "\(session.presentation.plainText)")
  }

  @Test func aLinkToATabWhoseGuardLedElsewhereWaitsForWhatItLedTo() async throws {
    Office.shared = Office()
    var placement = Placement()
    placement.start = "office.vault"
    let flow = try await FlowTester(plugins: [OfficePlugin.self], placement: placement)
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
    let opening = Task { try await flow.session.open("gangway://vault/7") }
    for _ in 0..<50 { await Task.yield() }
    // The guard still holds the link's navigation, so its page is not visible.
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
    try await flow.tap("Sign in")
    try await opening.value
    #expect(flow.screen.contains("This is page(7)"), "\(flow.screen)")
  }

  @Test func aLinkThroughWhatWasRefusedHasItAskedAboutAgain() async throws {
    Office.shared = Office()
    var placement = Placement()
    placement.start = "office.vault"
    let flow = try await FlowTester(plugins: [OfficePlugin.self], placement: placement)
    try await flow.dismiss()
    #expect(flow.screen.contains("Try again"), "\(flow.screen)")
    let opening = Task { try await flow.session.open("gangway://vault/7") }
    for _ in 0..<50 { await Task.yield() }
    #expect(flow.screen.contains("Sign in") && !flow.screen.contains("page(7)"), "\(flow.screen)")
    // The user cancels once more. The link then ends, also from another tab.
    try await flow.dismiss()
    #expect(await #expect(throws: NavigationError.self) { try await opening.value }?.code == .redirectCancelled)
    try await flow.tab("Papers")
    let elsewhere = Task { try await flow.session.open("gangway://vault/7") }
    for _ in 0..<50 { await Task.yield() }
    #expect(flow.screen.contains("Sign in") && !flow.screen.contains("page(7)"), "\(flow.screen)")
    try await flow.dismiss()
    await #expect(throws: NavigationError.self) { try await elsewhere.value }
    #expect(!flow.screen.contains("page(7)"), "\(flow.screen)")
    let again = Task { try await flow.session.open("gangway://vault/7") }
    for _ in 0..<50 { await Task.yield() }
    try await flow.tap("Sign in")
    try await again.value
    #expect(flow.screen.contains("This is page(7)"), "\(flow.screen)")
  }

  @Test func whatNeedsNoSigningInStays() async throws {
    let flow = try await deep("Open")
    let screen = flow.screen
    Office.shared.user = nil
    try await flow.settle()
    #expect(flow.screen == screen)
    Office.shared.user = "Bob"
    try await flow.settle()
    #expect(flow.screen == screen)
  }

  @Test func aDenialTakesTheEntryAndSaysWhy() async throws {
    let flow = try await deep("Archive")
    Office.shared.isArchiveOpen = false
    #expect(await flow.session.idle())
    #expect(flow.presentation.path.map(\.title) == ["Papers"])
    #expect(flow.session.history.last?.description.contains("restoration") == true, "\(flow.session.history)")
  }

  /// Leaving an unsaved form asks the user. A guard that runs again does not take the form away without a question.
  @Test(arguments: ["on top", "covered"]) func anUnsavedFormIsKeptUntilItsGuardsAllowIt(_ place: String) async throws {
    let flow = try await letter("Archived letter", place)
    let screen = flow.screen
    Office.shared.isArchiveOpen = false
    try await flow.settle()
    for round in ["", "after a restart"] {
      if !round.isEmpty { try await flow.restart() }
      #expect(flow.screen.contains("The archive is closed."), "\(round) \(flow.screen)")
      #expect(flow.screen.contains("Your changes are kept."), "\(round) \(flow.screen)")
      #expect(!flow.screen.contains("Dear"), "\(round) \(flow.screen)")
      if place == "on top" {
        let refusal = await #expect(throws: FlowFailure.self) { try await flow.back() }
        #expect(refusal?.message.contains("has changes that are not saved") == true, "\(refusal?.message ?? "")")
      }
      try await flow.tap("Try again")
      #expect(flow.screen.contains("The archive is closed."), "\(round) \(flow.screen)")
    }
    Office.shared.isArchiveOpen = true
    try await flow.settle()
    #expect(flow.screen == screen, "\(flow.screen)")
  }

  @Test(arguments: ["on top", "covered"]) func aCancelledSignInKeepsAnUnsavedForm(_ place: String) async throws {
    let flow = try await letter("Secret letter", place)
    let screen = flow.screen
    Office.shared.user = nil
    try await flow.settle()
    try await flow.dismiss()
    #expect(flow.screen.contains("'Sign in' was cancelled."), "\(flow.screen)")
    #expect(flow.screen.contains("Your changes are kept.") && !flow.screen.contains("Dear"), "\(flow.screen)")
    try await flow.restart()
    #expect(flow.screen.contains("Sign in"), "\(flow.screen)")
    try await flow.tap("Sign in")
    #expect(flow.screen == screen, "\(flow.screen)")
  }

  @Test(arguments: ["on top", "covered"]) func theUserDiscardsTheKeptChanges(_ place: String) async throws {
    let flow = try await letter("Archived letter", place)
    Office.shared.isArchiveOpen = false
    try await flow.settle()
    try await flow.tap("Discard changes")
    #expect(flow.presentation.path.map(\.title) == ["Papers"], "\(flow.screen)")
    #expect(flow.told.notices.isEmpty, "the user chose it: \(flow.told.notices)")
    Office.shared.isArchiveOpen = true
    try await flow.tap("Archived letter")
    #expect(!flow.screen.contains("Dear"), "\(flow.screen)")
  }

  /// A session from a file runs all guards before it makes a screen.
  @Test func aSessionFromAFileKeepsItToo() async throws {
    let flow = try await letter("Archived letter", "on top")
    Office.shared.isArchiveOpen = false
    let registry = try Registry(plugins: [OfficePlugin.self])
    let folder = URL.temporaryDirectory
    let session = Session(registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { _ in }))
    _ = try session.start(from: flow.checkpoint, asksGuards: true)
    #expect(await session.idle())
    let shown = session.presentation.plainText
    #expect(shown.contains("The archive is closed.") && shown.contains("Your changes are kept."), "\(shown)")
    Office.shared.isArchiveOpen = true
    #expect(await session.idle())
    #expect(session.presentation.plainText.contains("Dear"), "\(session.presentation.plainText)")
  }

  private func letter(_ title: String, _ place: String) async throws -> FlowTester<RootCoordinator> {
    let flow = try await signedIn()
    try await flow.tab("Papers")
    try await flow.tap(title)
    try await flow.type("Dear", into: "Letter")
    if place == "covered" { try await flow.tap("More") }
    return flow
  }
}

@MainActor @Observable private final class Office {
  static var shared = Office()
  var user: String?
  var isArchiveOpen = true
}

private final class OfficePlugin: Plugin {
  static let id = "office", version = "1.0.0"
  static func signedIn(_ name: String) -> NavigationGuard {
    NavigationGuard(name) { _ in Office.shared.user == nil ? .redirect(Place("office.sign-in")) : .allow }
  }
  func register(in registry: Registrar) {
    registry.tab("papers", title: "Papers", order: 1) { _ in Papers() }
    registry.tab("vault", title: "Vault", order: 2, guards: { _ in [Self.signedIn("vault")] }) { _ in Papers() }
    registry.place("sign-in") { (_: NoPayload) in OfficeDoor() }
    registry.link("vault/:page", tab: "vault") { (page: VaultPage) in Papers.Route.page(page.page) }
  }
}

private struct VaultPage: Codable, Hashable, Sendable { let page: Int }

private final class Papers: StackCoordinator {
  enum Route: NavigationRoute { case papers, open, secret, archive, page(Int), secretLetter, archivedLetter }
  let start = Route.papers
  func guards(for route: Route) -> [NavigationGuard] {
    switch route {
    case .secret, .secretLetter: [OfficePlugin.signedIn("secret")]
    case .archive, .archivedLetter:
      [NavigationGuard("archive") { _ in Office.shared.isArchiveOpen ? .allow : .deny("The archive is closed.") }]
    case .papers, .open, .page: []
    }
  }
  func destination(for route: Route) -> Destination {
    switch route {
    case .secretLetter, .archivedLetter: .screen { router in OfficeLetter(router: router) }
    default: .screen { router in Paper(route: route, depth: router.path.count, router: router) }
    }
  }
}

private struct OfficeLetter: Screen {
  let router: Router<Papers>
  @Bindable var note = Note()
  var body: some Content {
    Form("Letter", submit: "Send", isDirty: !note.text.isEmpty) {
      TextField("Letter", text: $note.text)
    } onSubmit: {
    }
    Button("More") { try await router.show(.page(0)) }
  }
}

private struct Paper: Screen {
  let route: Papers.Route
  let depth: Int
  let router: Router<Papers>
  @Bindable var note = Note()
  var body: some Content {
    Text("This is \(route)")
    TextField("Note", text: $note.text)
    Button("Open") { try await router.show(.open) }
    Button("Secret") { try await router.show(.secret) }
    Button("Archive") { try await router.show(.archive) }
    Button("More") { try await router.show(.page(depth)) }
    Button("Secret letter") { try await router.show(.secretLetter) }
    Button("Archived letter") { try await router.show(.archivedLetter) }
  }
}
@MainActor @Observable private final class Note { var text = "" }

private final class OfficeDoor: StackCoordinator {
  typealias Output = String
  enum Route: NavigationRoute { case form }
  let start = Route.form
  func destination(for route: Route) -> Destination { .screen { router in OfficeDoorScreen(router: router) } }
}
private struct OfficeDoorScreen: Screen {
  let router: Router<OfficeDoor>
  var body: some Content {
    Button("Sign in") {
      Office.shared.user = "Ann"
      try await router.finish("Ann")
    }
  }
}
