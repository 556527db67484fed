import Foundation
import Gangway
import GangwayTesting
import Testing

@testable import Account
@testable import Blither
@testable import Todos

/// The way from Blither through Account to Todos and back, in one process.
@MainActor @Suite struct RematchTests {
  private let script: [Substring]

  init() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    script = try String(contentsOf: folder.appending(path: "rematch.script"), encoding: .utf8).split(separator: "\n")
  }

  private func makeFlow(_ plugins: [any Plugin.Type]) async throws -> FlowTester<RootCoordinator> {
    try await FlowTester(plugins: plugins)
  }

  private let all: [any Plugin.Type] = [AccountPlugin.self, BlitherPlugin.self, TodosPlugin.self]

  @Test func theJourneyIsMade() async throws {
    try await makeFlow(all).run(script: script.joined(separator: "\n"))
  }

  /// Checkpoints contain no secrets, so the user types them again after a restart. The lines that type them are one
  /// step.
  @Test func theHostMayEndAfterEveryStep() async throws {
    var lines: [Substring] = []
    var isSecret = false
    for line in script {
      lines.append(line)
      if line.hasPrefix("set Password") { isSecret = true }
      // The code cannot be shown again, and the input that made it is gone too.
      if line == "tap Sign in" { isSecret = false }
      if !isSecret, !line.hasPrefix("#") { lines.append("restart") }
    }
    #expect(lines.count > 45)
    try await makeFlow(all).run(script: lines.joined(separator: "\n"))
  }

  @Test func withoutTodosTheButtonSaysWhy() async throws {
    let won = script.prefix { $0 != "tap Remind me about a rematch" }.joined(separator: "\n")
    let flow = try await makeFlow([AccountPlugin.self, BlitherPlugin.self])
    try await flow.run(script: won)
    #expect(flow.screen.contains("about a rematch (unavailable: This needs a feature that is not installed.)"))
  }

  @Test func whoGivesTheSignInUpIsWhereTheyWere() async throws {
    let asked = script.prefix { $0 != "tap Register" }.joined(separator: "\n")
    let flow = try await makeFlow(all)
    try await flow.run(script: asked)
    let path = flow.presentation.path.dropLast().map(\.title)
    try? await flow.dismiss()
    #expect(flow.presentation.path.map(\.title) == path)
    #expect(flow.screen.contains("Winner: Red") && flow.screen.contains("Remind me about a rematch"))
  }
}
