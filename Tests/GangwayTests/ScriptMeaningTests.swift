@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) @testable import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Foundation
import Observation
import Testing

@_spi(FrontEnd) @testable import Gangway

/// One script has one meaning: in a test's flow, and in a session of a host.
@MainActor @Suite(.serialized) struct ScriptMeaningTests {
  /// The runner of a script, which returns the complaints.
  enum Runner: CaseIterable, Sendable { case flow, host, pipe }

  /// Runs a script. It returns the exit code, the complaints, and the screen at the end.
  private func run(_ script: String, _ runner: Runner) async throws -> (code: Int32, complaints: [String]) {
    var complaints: [String] = []
    guard runner != .flow else {
      let flow = try await FlowTester(Office())
      do {
        try await flow.run(script: script)
        return (0, [])
      } catch let failure as FlowFailure {
        return (1, [failure.message])
      }
    }
    let none = URL(filePath: "/dev/null")
    let session = Session(
      registry: Registry(), folders: PluginFolders(data: none, cache: none, log: { _ in }), root: { _ in Office() })
    let connection = try await LocalConnection(session)
    let frontEnd = PlainFrontEnd(
      connection, isScript: runner == .host, prompt: nil, write: { _ in }, complain: { complaints.append($0) })
    let (lines, input) = AsyncStream.makeStream(of: String.self)
    for line in script.split(separator: "\n") { input.yield(String(line)) }
    input.finish()
    let code = await frontEnd.run(lines)
    session.close()
    return (code, complaints)
  }

  @Test(arguments: Runner.allCases) func aDenialIsTheOutcomeOfItsStep(_ runner: Runner) async throws {
    let result = try await run(
      """
      tap Write
      set Letter = Dear
      back
      expect Leave?
      tap Keep editing
      expect Letter: [Dear]
      back
      tap Leave
      expect Write
      """, runner)
    #expect(result.code == 0, "\(result.complaints)")
  }

  @Test(arguments: Runner.allCases) func aStepThatIsDeniedAtOnceFailsWithTheReason(_ runner: Runner) async throws {
    let result = try await run("tap Vault\nrefuse gold", runner)
    #expect(result.code == 1)
    #expect(result.complaints.joined().contains("the vault is shut"), "\(result.complaints)")
  }

  @Test(arguments: Runner.allCases) func aScriptExpectsARefusal(_ runner: Runner) async throws {
    for script in [
      "fails tap Vault\nexpect the vault is shut\nrefuse gold\ntap Write", "fails tap Break\nexpect the bell broke",
      "fails back",
    ] {
      let result = try await run(script, runner)
      #expect(result.code == 0, "\(script): \(result.complaints)")
    }
    for (script, reason) in [
      ("fails tap Write", "'tap Write' must fail, but it succeeded."),
      ("fails tap Nix", "There is no 'Nix' on the screen."), ("fails screen", "'fails' needs a command that acts"),
      ("fails", "'fails' needs a command that acts"),
    ] {
      let result = try await run(script, runner)
      #expect(result.code == 1, "\(script)")
      #expect(result.complaints.joined().contains(reason), "\(script): \(result.complaints)")
    }
  }

  /// Otherwise, a script takes failed work for done if it looks between the end of the work and the message.
  @Test func workIsPendingUntilItsFailureIsReported() async throws {
    let none = URL(filePath: "/dev/null")
    let session = Session(
      registry: Registry(), folders: PluginFolders(data: none, cache: none, log: { _ in }), root: { _ in Office() })
    let connection = try await LocalConnection(session)
    var failures: [String] = []
    connection.onUpdate = { failures += $0.notices.map(\.text) }
    let desk = try #require(connection.presentation.top)
    let button = try #require(connection.presentation.reachable.first { $0.label == "Break" })
    _ = try await connection.send(.tap(.init(node: desk.node, element: button.id)))
    #expect(!connection.pending.isEmpty)
    try await yieldUntil(connection.pending.isEmpty)
    #expect(failures == ["the bell broke"])
    session.close()
    #expect(connection.pending.isEmpty)
  }

  @Test(arguments: Runner.allCases) func expectWaitsNoLongerThanNeeded(_ runner: Runner) async throws {
    let begin = ContinuousClock.now
    let result = try await run("start Ring\nexpect rings: 1", runner)
    let time = ContinuousClock.now - begin
    #expect(result.code == 0, "\(result.complaints)")
    #expect(time > .milliseconds(900) && time < .seconds(5), "\(time)")
  }

  @Test(arguments: Runner.allCases) func aTapWaitsForItsWork(_ runner: Runner) async throws {
    let result = try await run("tap Ring\nrefuse rings: 0\nexpect rings: 1", runner)
    #expect(result.code == 0, "\(result.complaints)")
  }

  @Test(arguments: Runner.allCases) func workThatGoesOnIsStarted(_ runner: Runner) async throws {
    let result = try await run("start Listen\ntap Write\nexpect Letter\nback\nexpect listens: 1", runner)
    #expect(result.code == 0, "\(result.complaints)")
  }

  /// A message stays beside the screen until the next action, and the user reads it there.
  @Test(arguments: Runner.allCases) func expectReadsMessagesOfTheLastAction(_ runner: Runner) async throws {
    let result = try await run("tap Greet\nexpect Good morning.\nexpect Good morning.", runner)
    #expect(result.code == 0, "\(result.complaints)")
    let later = try await run("tap Greet\ntap Write\nexpect Good morning.", runner)
    #expect(later.code == 1)
  }

  /// Work that was started and fails later fails the script, also if no later command needs it.
  @Test(arguments: Runner.allCases) func workThatFailsLaterFailsTheScript(_ runner: Runner) async throws {
    let later = try await run("start Break\nwait 1\nexpect rings: 0", runner)
    #expect(later.code == 1)
    #expect(later.complaints.filter { $0.contains("the bell broke") }.count == 1, "\(later.complaints)")
  }

  @Test(arguments: Runner.allCases) func loadingIsAwaitedBeforeTheNextStep(_ runner: Runner) async throws {
    let result = try await run("tap Slow\ntap Row one", runner)
    #expect(result.code == 0, "\(result.complaints)")
  }
}

// MARK: The flow

@Observable private final class Office: StackCoordinator {
  enum Route: NavigationRoute { case desk, letter, vault, slow }
  let start = Route.desk
  @ObservationIgnored let bell = Bell()

  func destination(for route: Route) -> Destination {
    switch route {
    case .desk: .screen { [bell] in BellDesk(bell: bell, router: $0) }
    case .letter: .screen { LetterForm() }
    case .vault: .screen { Vault() }
    case .slow: .screen { [bell] _ in SlowRows(bell: bell) }
    }
  }

  func guards(for route: Route) -> [NavigationGuard] {
    route == .vault ? [NavigationGuard("shut") { _ in .deny("the vault is shut") }] : []
  }
}

private struct BrokenBell: Error, CustomStringConvertible { let description = "the bell broke" }

@MainActor @Observable private final class Bell {
  var rings = 0
  var listens = 0
  let rows = Loadable { try await Bell.read() }

  private static func read() async throws -> [String] {
    try await Task.sleep(for: .milliseconds(200))
    return ["Row one"]
  }
}

private struct BellDesk: Screen {
  let bell: Bell, router: Router<Office>
  var body: some Content {
    Text("rings: \(bell.rings)")
    Text("listens: \(bell.listens)")
    Button("Write") { try await router.show(.letter) }
    Button("Vault") { try await router.show(.vault) }
    Button("Slow") { try await router.show(.slow) }
    Button("Ring") {
      try await Task.sleep(for: .seconds(1))
      bell.rings += 1
    }
    Button("Greet") { router.tell("Good morning.") }
    Button("Break") {
      try await Task.sleep(for: .milliseconds(300))
      throw BrokenBell()
    }
    Button("Listen") {
      bell.listens += 1
      try await Task.sleep(for: .seconds(3600))
    }
  }
}

private struct SlowRows: Screen {
  let bell: Bell
  var body: some Content {
    Loading("Loading", bell.rows) { rows in
      for row in rows { Button(row) {} }
    }
  }
}

private struct Vault: Screen { var body: some Content { Text("gold") } }

@MainActor @Observable private final class LetterDraft {
  var text = ""
  var question: PendingAnswer<GuardVerdict>?
}

private struct LetterForm: Screen {
  @Bindable var draft = LetterDraft()
  var leaveGuard: NavigationGuard? {
    guard !draft.text.isEmpty else { return nil }
    return NavigationGuard("unsaved", timeout: nil) { [draft] _ in
      let question = PendingAnswer<GuardVerdict>()
      draft.question = question
      defer { draft.question = nil }
      return try await question.value()
    }
  }
  var body: some Content {
    TextField("Letter", text: $draft.text)
    if let question = draft.question {
      Alert("Leave?", isPresented: .constant(true)) {
        Button("Leave", role: .destructive) { question.give(.allow) }
        Button("Keep editing", role: .cancel) { question.give(.deny("The letter is not finished.")) }
      }
    }
  }
}
