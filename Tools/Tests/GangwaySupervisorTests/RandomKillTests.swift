import Foundation
import GangwayHost
import GangwayProtocol
import TestSupport
import Testing

@testable import GangwaySupervisor

/// The host is killed at any moment, and what the person had last is there again.
@MainActor @Suite struct RandomKillTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// A tree as lines that say who stands where: number, depth, style, plugin, coordinator, route.
  private static func lines(_ tree: TreeNode, _ depth: Int = 0) -> [String] {
    [
      "\(String(repeating: " ", count: depth))\(tree.id) \(tree.style) \(tree.plugin ?? "-") \(tree.route ?? "-")"
    ] + tree.children.flatMap { lines($0, depth + 1) }
  }

  private static func lines(_ checkpoint: Checkpoint, _ parent: NodeID?, _ depth: Int = 0) -> [String] {
    (checkpoint.children[parent] ?? []).flatMap { record in
      let style = record.style.replacingOccurrences(of: "-fixed", with: "")
      return [
        "\(String(repeating: " ", count: depth))\(record.id) \(style) \(record.plugin ?? "-") \(record.routeText ?? "-")"
      ] + lines(checkpoint, record.id, depth + 1)
    }
  }

  /// The tabs that are shown, and what stands in fields.
  private static func values(_ checkpoint: Checkpoint) -> [String] {
    checkpoint.records.values.sorted { $0.id < $1.id }.map { record in
      let values = (record.values ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return "\(record.id) \(record.selection ?? 0) \(values)"
    }
  }

  @Test func twoHundredKillsAtRandomMomentsMoveNothing() async throws {
    let supervisor = try workshop.supervisor([]) {
      $0.environment["XDG_DATA_HOME"] = workshop.path("data")
      $0.pluginFolders = [Workshop.built]
    }
    _ = try await supervisor.start()
    var walk = PersonWalk(seed: 200)
    var random = SystemRandomNumberGenerator()
    var deepest = 0
    for number in 1...200 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        guard let action = walk.next(on: supervisor.presentation) else { break }
        _ = try await supervisor.send(action)
      }
      // In the middle of something, mostly.
      let last = walk.next(on: supervisor.presentation)
      let step = Task.immediate { if let last { _ = try await supervisor.send(last) } }
      let delay = Double.random(in: 0...3, using: &random)
      let host = try #require(supervisor.hostProcessID)
      await supervisor.nextStart {
        Task {
          try? await Task.sleep(for: .milliseconds(delay))
          kill(host, SIGKILL)
        }
      }
      _ = try? await step.value
      let tree = try await supervisor.tree()
      let expected = Self.lines(supervisor.restored, nil)
      try #require(Self.lines(tree) == expected, "kill \(number) after \(delay) ms: \(Self.lines(tree)) \(expected)")
      let before = Self.values(supervisor.restored)
      let now = Self.values(supervisor.checkpoint)
      try #require(before == now, "kill \(number): \(before) \(now)")
      deepest = max(deepest, expected.count)
    }
    // Otherwise it would have shown little.
    #expect(deepest > 8)
    await supervisor.stop()
  }
}
