import Foundation
import Gangway
import GangwayTesting
import Observation
import Testing

@testable import Account

@MainActor @Suite final class AccountFlowTests {
  private let folder: URL
  private static let cost = PasswordHash.Cost(passes: 1, memory: 8_192)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "account-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func session() -> AccountSession { AccountSession(AccountStore(folder: folder), cost: Self.cost) }

  private func makeFlow(_ session: AccountSession) async throws -> FlowTester<AccountCoordinator> {
    try await FlowTester(AccountCoordinator(session))
  }

  /// Runs the script that also runs in a host with the loaded library.
  @Test func theScriptRunsInIsolation() async throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Scripts/account.txt")
    let flow = try await FlowTester(plugins: [AccountPlugin.self])
    try await flow.run(script: String(contentsOf: script, encoding: .utf8))
  }

  @Test func whoRegistersGetsACodeAndIsThenSignedIn() async throws {
    let flow = try await makeFlow(session())
    try await flow.tap("Register")
    try await flow.type("ada", into: "Name")
    try await flow.type("short", into: "Password")
    await #expect(throws: FlowFailure.self) { try await flow.submit() }
    #expect(flow.screen.contains("Use at least 8 characters."))
    try await flow.type("analytical engine", into: "Password")
    try await flow.type("analytical engine", into: "Password again")
    try await flow.submit()
    #expect(flow.screen.contains("Write the code down"))
    try await flow.tap("Show the code")
    #expect(flow.screen.contains("Your code"))
    try await flow.tap("OK")
    let before = flow.checkpoint
    #expect(!"\(before)".contains("analytical"))
    try await flow.tap("Sign in")
    try await flow.settle()
    #expect(flow.screen == "Account\nSigned in as: ada\nNew code\nSign out")
    #expect(flow.path == [.account])
  }

  @Test func aCodeThatWasNotWrittenDownIsReplaced() async throws {
    let flow = try await makeFlow(session())
    try await flow.tap("Register")
    try await flow.type("ada", into: "Name")
    try await flow.type("analytical engine", into: "Password")
    try await flow.type("analytical engine", into: "Password again")
    try await flow.submit()
    // The host crashes while the code is visible. No checkpoint contains the code.
    try await flow.restart()
    try await flow.tap("Show the code")
    #expect(flow.screen.contains("The code cannot be shown again"))
    try await flow.tap("OK")
    try await flow.tap("Sign in")
    try await signIn(flow, "ada", "analytical engine")
    try await flow.tap("New code")
    try await flow.type("wrong", into: "Password")
    try await flow.submit()
    #expect(flow.screen.contains("Wrong name or password."))
    try await flow.type("analytical engine", into: "Password")
    try await flow.submit()
    let lines = flow.screen.split(separator: "\n")
    let title = try #require(lines.lastIndex { $0.contains("Your code") }, "\(flow.screen)")
    let code = lines[title + 1]
    try await flow.tap("Close")
    _ = try await session().recover("ada", code: String(code), password: "another password")
  }

  @Test func signingOutAndInSwitchesTheRoot() async throws {
    let session = session()
    _ = try await session.register("ada", "analytical engine")
    let flow = try await makeFlow(session)
    try await signIn(flow, "ada", "analytical engine")
    #expect(flow.path == [.account])
    try await flow.restart()
    #expect(flow.path == [.account])
    try await flow.tap("Sign out")
    try await flow.settle()
    #expect(flow.path == [.signIn])
    #expect(flow.screen.hasPrefix("Sign in\n"))
  }

  private func signIn(_ flow: FlowTester<AccountCoordinator>, _ name: String, _ password: String) async throws {
    try await flow.type(name, into: "Name")
    try await flow.type(password, into: "Password")
    try await flow.submit()
    // The coordinator follows the session in work of its own.
    try await flow.settle()
  }

  @Test func aWrongPasswordIsSaidAndNotKept() async throws {
    let session = session()
    _ = try await session.register("ada", "analytical engine")
    let flow = try await makeFlow(session)
    for name in ["ada", "nobody"] {
      try await signIn(flow, name, "difference engine")
      #expect(flow.screen.contains("Wrong name or password."))
      try await flow.restart()
      #expect(flow.screen.contains("Wrong name or password."))
    }
    #expect(!"\(flow.checkpoint)".contains("difference"))
    // Other screens do not show the problem of this one.
    try await flow.tap("Register")
    #expect(!flow.screen.contains("Wrong name or password."))
    try await flow.back()
    #expect(flow.screen.contains("Wrong name or password."))
    try await signIn(flow, "ADA", "analytical engine")
    #expect(flow.path == [.account])
  }

  @Test func aForgottenPasswordIsReplacedByTheCodeOnce() async throws {
    let session = session()
    let code = try await session.register("ada", "analytical engine")
    let flow = try await makeFlow(session)
    try await flow.tap("I forgot my password")
    #expect(flow.presentation.layers.count == 2)
    try await flow.type("ada", into: "Name")
    // A user may copy the code like this.
    try await flow.type(code.lowercased().replacing("-", with: " "), into: "Code")
    try await flow.type("a new password", into: "New password")
    try await flow.type("a new password", into: "New password again")
    try await flow.submit()
    try await flow.tap("Sign in")
    try await flow.settle()
    #expect(flow.path == [.account])
    #expect(flow.presentation.layers.count == 1)
    await #expect(throws: AccountError.wrong) {
      try await session.recover("ada", code: code, password: "another password")
    }
    await #expect(throws: AccountError.wrong) { try await session.signIn("ada", "analytical engine") }
  }

  @Test func whoIsRedirectedGoesOnWithTheName() async throws {
    let session = session()
    _ = try await session.register("ada", "analytical engine")
    let flow = try await FlowTester(Hall(session))
    try await flow.tap("Enter")
    try await flow.type("ada", into: "Name")
    try await flow.type("analytical engine", into: "Password")
    try await flow.submit()
    #expect(flow.coordinator?.visitor == "ada")
    #expect(flow.path == [.hall])
  }

  @Test func anAccountIsFoundByOthersAndTheyHearOfChanges() async throws {
    let flow = try await FlowTester(plugins: [AccountPlugin.self, ListenerPlugin.self])
    try await flow.tab("Listener")
    #expect(flow.screen.contains("nobody"))
    try await flow.tab("Account")
    try await flow.tap("Register")
    try await flow.type("ada", into: "Name")
    try await flow.type("analytical engine", into: "Password")
    try await flow.type("analytical engine", into: "Password again")
    try await flow.submit()
    try await flow.tap("Sign in")
    try await flow.settle()
    #expect(flow.screen.hasPrefix("[ada*]"))
    try await flow.tab("Listener")
    #expect(flow.screen.contains("nobody, ada"))
  }
}

/// A flow that shows the sign-in and takes its result.
private final class Hall: StackCoordinator {
  enum Route: NavigationRoute { case hall, signIn }
  let start = Route.hall
  let session: AccountSession
  private(set) var visitor: String?
  init(_ session: AccountSession) { self.session = session }

  func destination(for route: Route) -> Destination {
    switch route {
    case .hall: .screen { router in HallScreen(router: router) }
    case .signIn:
      .flow(.modal) { [session] in
        SignInFlow(session)
      } onFinish: { [weak self] in
        self?.visitor = $0
      }
    }
  }
}

private struct HallScreen: Screen {
  let router: Router<Hall>
  var body: some Content { Button("Enter") { try await router.show(.signIn) } }
}

/// Another feature, which follows the signed-in user.
private final class ListenerPlugin: Plugin {
  static let id = "listener", version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("main", title: "Listener") { context in Listener(try context.service("account.session")) }
  }
}

@Observable private final class Listener: StackCoordinator {
  enum Route: NavigationRoute { case names }
  let start = Route.names
  var names: [String] = []
  init(_ session: ServiceHandle) {
    work { flow in
      for try await name in try await session.changes("user", as: String?.self) { flow.names.append(name ?? "nobody") }
    }
  }
  func destination(for route: Route) -> Destination { .screen { ListenerScreen(listener: self) } }
}

private struct ListenerScreen: Screen {
  let listener: Listener
  var body: some Content { Text(listener.names.joined(separator: ", ")) }
}
