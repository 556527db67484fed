import Foundation
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Testing

@MainActor @Suite(.serialized) struct GuardTests {
  func castle(_ verdict: GuardVerdict = .allow) async throws -> FlowTester<RootCoordinator> {
    WardenState.verdict = verdict
    return try await FlowTester(plugins: [Castle.self, Warden.self, Lodge.self])
  }

  @Test func whatAGuardAllowsIsShown() async throws {
    let flow = try await castle()
    try await flow.tap("Secret")
    #expect(flow.screen.contains("This is secret"))
  }

  @Test func whatAGuardDeniesChangesNothingAndSaysWhy() async throws {
    let flow = try await castle(.deny("The vault is closed."))
    let before = flow.checkpoint
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Secret") }
    #expect(failure?.message.hasPrefix("The vault is closed.\n") == true)
    #expect(flow.checkpoint == before)
  }

  @Test func aDenialWithoutAReasonTellsNothing() async throws {
    let flow = try await castle(.deny())
    let before = flow.checkpoint
    try await flow.tap("Secret")
    try await flow.open("gangway://halls/secret")
    let router = try #require(flow.session.router(of: Halls.self))
    for navigate: @MainActor () async throws -> Void in [
      { try await router.show(.secret) }, { try await router.transaction { try $0.show(.hall(1)).show(.secret) } },
    ] {
      let error = await #expect(throws: NavigationError.self) { try await navigate() }
      #expect(error?.code == .denied)
      #expect(error?.message.contains("The guard 'keys' denied the navigation and gave no") == true, "\(error!)")
    }
    #expect(flow.checkpoint == before)
    #expect(flow.told.notices.isEmpty)
  }

  @Test func aStoredEntryThatIsDeniedWithoutAReasonGoesWithoutAMessage() async throws {
    let flow = try await castle()
    try await flow.tap("Secret")
    WardenState.verdict = .deny()
    try await flow.reopen()
    #expect(flow.presentation.path.map(\.title) == ["Gate"])
    #expect(flow.told.notices.isEmpty, "\(flow.told)")
  }

  /// The first entry of a stack cannot go, so it shows a text. A link through it tells nothing.
  @Test func aFirstEntryThatIsDeniedWithoutAReasonStays() async throws {
    let flow = try await castle()
    try await #require(flow.session.router(of: Halls.self)).root(.secret)
    WardenState.verdict = .deny()
    try await flow.reopen()
    #expect(flow.screen.contains("This is not available now."), "\(flow.screen)")
    try await flow.open("gangway://halls/3")
    #expect(flow.told.notices.isEmpty, "\(flow.told)")
  }

  @Test func aLeaveGuardMayDenyWithoutAReason() async throws {
    let flow = try await FlowTester(Desk())
    try #require(flow.coordinator).isSilent = true
    try await flow.tap("Write")
    try await flow.back()
    #expect(flow.path == [.home, .letter])
    #expect(flow.told.notices.isEmpty)
  }

  @Test(arguments: [
    ("throws", NavigationError.Code.guardFailed), ("silent", .guardTimedOut), ("itself", .redirectCycle),
    ("circle", .redirectCycle), ("navigates", .insideGuard), ("nowhere", .unknownPlace), ("deaf", .guardTimedOut),
  ])
  func aGuardThatMisbehavesIsATypedError(_ way: String, _ code: NavigationError.Code) async throws {
    let flow = try await FlowTester(Ward(), plugins: [Circle.self])
    let before = flow.checkpoint
    let router = try #require(flow.coordinator).router
    let error = await #expect(throws: NavigationError.self) { try await router.show(.guarded(way)) }
    #expect(error?.code == code, "\(error?.message ?? "")")
    #expect(flow.checkpoint == before)
    // The next navigation is not blocked.
    try await router.show(.free)
  }

  @Test func everyWayIntoANavigationPassesTheGuards() async throws {
    let flow = try await castle(.deny("No."))
    await #expect(throws: FlowFailure.self) { try await flow.open("gangway://halls/secret") }
    let router = try #require(flow.session.router(of: Halls.self))
    for navigate: @MainActor () async throws -> Void in [
      { try await router.show(.secret) }, { try await router.root(.secret) },
      { try await router.set([.gate, .secret]) }, { try await router.append([.hall(1), .secret]) },
      { _ = try await router.transaction { try $0.show(.hall(1)).show(.secret) } },
      { try await flow.session.open("gangway://halls/secret") },
    ] {
      let before = flow.checkpoint
      let error = await #expect(throws: NavigationError.self) { try await navigate() }
      #expect(error?.code == .denied)
      #expect(flow.checkpoint == before)
    }
  }

  @Test func steppingForwardPassesTheGuardsToo() async throws {
    let flow = try await castle()
    try await flow.tap("Secret")
    try await flow.undo()
    WardenState.verdict = .deny("No.")
    await #expect(throws: FlowFailure.self) { try await flow.redo() }
    #expect(flow.presentation.path.map(\.title) == ["Gate"])
    WardenState.verdict = .allow
    try await flow.redo()
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Secret"])
  }

  @Test func aTabMayBeGuarded() async throws {
    let flow = try await FlowTester(GuardedTabs())
    await #expect(throws: FlowFailure.self) { try await flow.tab("Closed") }
    #expect(flow.selection == .open)
    let router = try #require(flow.coordinator).router
    await #expect(throws: NavigationError(.denied, "")) { try await router.select(.closed) }
  }

  @Test func restoringAfterACrashAsksNobodyStartingFromAFileDoes() async throws {
    let flow = try await castle()
    try await flow.tap("Secret")
    try await flow.tap("Hall 7")
    WardenState.verdict = .deny("Not any more.")
    try await flow.restart()
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Secret", "Hall"])
    try await flow.reopen()
    #expect(flow.presentation.path.map(\.title) == ["Gate"])
    #expect(flow.notices.contains { $0.text == "'Secret' could not be shown again: Not any more." })
  }

  @Test func theFirstScreenComesWithTheAnswersOfGuardsThatAreQuick() async throws {
    let flow = try await castle()
    try await flow.tap("Secret")
    let folder = URL(filePath: NSTemporaryDirectory())
    let registry = try Registry(plugins: [Castle.self, Warden.self, Lodge.self])
    let session = Session(registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { _ in }))
    let first = try await session.open(from: flow.checkpoint, asksGuards: true)
    #expect(first.presentation?.path.map(\.title) == ["Gate", "Secret"])
    #expect(first.presentation?.plainText.contains("This is secret") == true)
  }

  @Test func theFirstUpdateHasTheScreenHoweverMuchChangesJustBeforeIt() async throws {
    let flow = try await castle()
    try await flow.tap("Secret")
    let folder = URL(filePath: NSTemporaryDirectory())
    let registry = try Registry(plugins: [Castle.self, Warden.self, Lodge.self])
    let session = Session(registry: registry, folders: PluginFolders(data: folder, cache: folder, log: { _ in }))
    let checkpoint = flow.checkpoint
    var first: Update?
    let opening = Task { first = try await session.open(from: checkpoint, asksGuards: true) }
    // Refresh the session between the guard's answer and the first update, as another plugin's tab does.
    while first == nil {
      for _ in 0..<2 { session.startWork() }
      await Task.yield()
    }
    try await opening.value
    #expect(first?.presentation?.path.map(\.title) == ["Gate", "Secret"])
  }

  @Test func whatNoGuardWasAskedAboutIsAskedAboutInTheNextHost() async throws {
    let flow = try await FlowTester(Ward())
    try #require(flow.coordinator).isOpen = true
    try await #require(flow.coordinator).router.transaction { plan in
      try plan.show(.guarded("person"))
    }
    try await flow.settle()
    // The host ends before the user answers.
    try await flow.reopen()
    #expect(flow.screen.contains("Checking whether"))
    try await flow.restart()
    #expect(flow.screen.contains("Checking whether"))
  }

  @Test func thePersonMayLeaveWhatIsStillBeingAskedAbout() async throws {
    let flow = try await FlowTester(Ward())
    try #require(flow.coordinator).isOpen = true
    try await #require(flow.coordinator).router.transaction { plan in
      try plan.show(.free)
      try plan.show(.guarded("person"))
    }
    try await flow.settle()
    try await flow.reopen()
    try await flow.back()
    #expect(flow.path == [.home, .free])
    // The user's actions elsewhere do not decide it.
    let other = try await FlowTester(Ward())
    try #require(other.coordinator).isOpen = true
    try await #require(other.coordinator).router.transaction { plan in
      try plan.show(.guarded("person"))
    }
    try await other.settle()
    try await other.reopen()
    let ward = try #require(other.coordinator)
    await #expect(throws: FlowFailure.self) { try await other.open("gangway://nowhere") }
    #expect(other.screen.contains("Checking whether"))
    ward.answer.give(.allow)
    try await other.settle()
    #expect(!other.screen.contains("Checking whether"))
    #expect(other.path == [.home, .guarded("person")])
  }

  /// A plan that waits for a redirect continues in the next host, with all steps in their styles.
  @Test(arguments: ["show as modal", "set", "append", "transaction", "root keeping the stack"])
  func whatWaitsForARedirectGoesOnInTheNextHost(_ way: String) async throws {
    let flow = try await castle(.redirect(Place("castle.sign-in")))
    try await flow.tap("Hall 7")
    let router = try #require(flow.session.router(of: Halls.self))
    flow.session.work.start(event: nil, plugin: nil) {
      switch way {
      case "show as modal": try await router.show(.secret, style: .modal)
      case "set": try await router.set([.gate, .secret, .hall(1)])
      case "append": try await router.append([.secret, .hall(1)])
      case "transaction": try await router.transaction { _ = try $0.popToRoot().show(.secret).show(.hall(2)) }
      default: try await router.root(.secret, keepingStack: true)
      }
    }
    try await flow.settle()
    #expect(flow.presentation.layers.count == 2)
    try await flow.restart()
    WardenState.verdict = .allow
    try await flow.tap("Sign in")
    let wanted =
      switch way {
      case "show as modal": ["Gate", "Hall", "Secret"]
      case "set": ["Gate", "Secret", "Hall"]
      case "append": ["Gate", "Hall", "Secret", "Hall"]
      case "transaction": ["Gate", "Secret", "Hall"]
      default: ["Secret", "Hall"]
      }
    #expect(flow.presentation.path.map(\.title) == wanted)
    #expect(flow.presentation.layers.count == (way == "show as modal" ? 2 : 1))
  }

  // MARK: Leave guards

  @Test(arguments: ["back", "popLast", "pop", "popToRoot", "root", "set", "focusFirst", "link", "undo"])
  func aLeaveGuardHoldsWhatHasUnsavedChanges(_ way: String) async throws {
    let flow = try await FlowTester(Desk())
    let router = try #require(flow.coordinator).router
    try await flow.tap("Write")
    try await flow.type("Dear", into: "Letter")
    let before = flow.checkpoint
    func go() async throws {
      switch way {
      case "back": try await flow.back()
      case "undo": try await flow.undo()
      case "popLast": try await router.popLast()
      case "pop": try await router.pop()
      case "popToRoot": try await router.popToRoot()
      case "root": try await router.root(.other)
      case "set": try await router.set([.home, .other])
      case "focusFirst": try await router.focusFirst(.home)
      default: try await router.transaction { try $0.popToRoot() }
      }
    }
    async let leaving: Void? = try? go()
    try await yieldUntil(flow.screen.contains("(alert)"))
    #expect(flow.checkpoint == before)
    // If a front end's own step waits, it now receives the refusal.
    _ = try? await flow.tap("Stay")
    await leaving
    #expect(flow.path == [.home, .letter])
    async let again: Void? = try? go()
    try await yieldUntil(flow.screen.contains("(alert)"))
    try await flow.tap("Leave")
    await again
    try await flow.settle()
    #expect(!flow.path.contains(.letter))
  }

  @Test func aLeaveGuardSeesTheTarget() async throws {
    let flow = try await FlowTester(Desk())
    let desk = try #require(flow.coordinator)
    desk.isStrict = true
    try await flow.tap("Write")
    await #expect(throws: FlowFailure.self) { try await flow.back() }
    _ = try? await desk.router.set([.home, .other])
    _ = try? await desk.router.root(.other)
    #expect(desk.targets == ["home", "other", "other"])
  }

  @Test func aFrontEndIsToldWhereSomebodyWouldBeAskedOnLeaving() async throws {
    let flow = try await FlowTester(Desk())
    #expect(flow.presentation.asksBeforeLeaving == nil)
    try await flow.tap("Write")
    #expect(flow.presentation.asksBeforeLeaving == nil)
    try await flow.type("Dear", into: "Letter")
    #expect(flow.presentation.asksBeforeLeaving == true)
    try await flow.type("", into: "Letter")
    #expect(flow.presentation.asksBeforeLeaving == nil)
    // The guard of a flow, and that of an entry with another one on top.
    let desk = try #require(flow.coordinator)
    try await desk.router.show(.form)
    try await flow.settle()
    #expect(flow.presentation.asksBeforeLeaving == true)
    try await flow.tap("Finish")
    #expect(flow.presentation.asksBeforeLeaving == nil)
    desk.isStrict = true
    try await desk.router.show(.other)
    try await flow.settle()
    #expect(flow.presentation.asksBeforeLeaving == true)
  }

  @Test func whatEndsItselfIsNotAsked() async throws {
    let flow = try await FlowTester(Desk())
    let desk = try #require(flow.coordinator)
    try await desk.router.show(.form)
    try await flow.settle()
    try await flow.tap("Finish")
    #expect(flow.path == [.home])
    try await desk.router.show(.form)
    try await flow.settle()
    await #expect(throws: FlowFailure.self) { try await flow.back() }
    await #expect(throws: FlowFailure.self) { try await flow.tap("Dismiss") }
    #expect(flow.path == [.home, .form])
  }

  // MARK: One plan at a time

  @Test func aNewIntentOfThePersonsTakesThePlaceOfOneThatWaits() async throws {
    let flow = try await FlowTester(Ward())
    let ward = try #require(flow.coordinator)
    try await flow.tap("Ask")
    #expect(flow.path == [.home])
    try await flow.tap("Free")
    #expect(flow.path == [.home, .free])
    ward.answer.give(.allow)
    try await flow.settle()
    #expect(flow.path == [.home, .free])
  }

  @Test func backGivesUpThePlanThatWaits() async throws {
    let flow = try await FlowTester(Ward())
    let ward = try #require(flow.coordinator)
    try await ward.router.show(.free)
    try await flow.settle()
    try await flow.tap("Ask")
    try await flow.back()
    ward.answer.give(.allow)
    try await flow.settle()
    #expect(flow.path == [.home, .free])
    try await flow.back()
    #expect(flow.path == [.home])
  }

  @Test func whatCodeWantsWaitsItsTurn() async throws {
    let flow = try await FlowTester(Ward())
    let ward = try #require(flow.coordinator)
    try await flow.tap("Ask")
    let router = ward.router
    async let first: Void = { _ = try await router.show(.free) }()
    async let second: Void = { _ = try await router.show(.last) }()
    for _ in 0..<20 { await Task.yield() }
    #expect(flow.path == [.home])
    ward.answer.give(.allow)
    _ = try await (first, second)
    #expect(Set(flow.path) == [.home, .guarded("person"), .free, .last])
    #expect(flow.path.prefix(2) == [.home, .guarded("person")])
  }
}
