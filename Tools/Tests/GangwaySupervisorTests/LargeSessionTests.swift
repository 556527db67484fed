import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
@_spi(FrontEnd) import TestSupport
import Testing

/// Sessions of any size, sent to a host and received from one.
///
/// A debug build is slow with megabytes, and other tests run at the same time.
@MainActor @Suite(.serialized) struct LargeSessionTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func supervisor(from checkpoint: Checkpoint? = nil) throws -> Supervisor {
    try workshop.supervisor(["scenes"]) {
      $0.checkpoint = checkpoint
      $0.patience = .seconds(120)
      $0.startPatience = .seconds(120)
    }
  }

  /// Returns a session with a number of screens on top of each other.
  private func session(of screens: Int) async throws -> Checkpoint {
    let supervisor = try supervisor()
    _ = try await supervisor.start()
    var checkpoint = supervisor.checkpoint
    let entry = try #require(checkpoint.records.values.first { $0.route != nil && $0.style == "push" })
    await supervisor.stop()
    for position in 1..<max(screens, 2) {
      var copy = entry
      copy.id = checkpoint.nextNode
      copy.position = position
      checkpoint.records[copy.id] = copy
      checkpoint.nextNode = checkpoint.nextNode + 1
    }
    return checkpoint
  }

  /// The pipe to a host buffers 64 KB, so neither side may block until the other reads.
  @Test(arguments: [1_000, 60_000, 70_000, 1_000_000])
  func aCheckpointOfAnySizeIsRecovered(_ bytes: Int) async throws {
    let supervisor = try supervisor()
    _ = try await supervisor.start()
    let text = String(repeating: "x", count: bytes)
    try await supervisor.type(text, into: "Text")
    let host = try #require(supervisor.hostProcessID)
    _ = await supervisor.notice { kill(host, SIGKILL) }
    try await supervisor.shows("Text: [")
    let field = try #require(supervisor.presentation.top?.elements.flattened.first { $0.label == "Text" })
    #expect(field.value?.utf8.count == bytes)
    await supervisor.stop()
  }

  @Test(arguments: [100, 2_000])
  func aSessionOfManyScreensIsRestored(_ screens: Int) async throws {
    let checkpoint = try await session(of: screens)
    let supervisor = try supervisor(from: checkpoint)
    _ = try await supervisor.start()
    // The screens of a stored session pass their guards one after the other.
    try await eventually { supervisor.presentation.path.count == screens }
    let host = try #require(supervisor.hostProcessID)
    _ = await supervisor.notice { kill(host, SIGKILL) }
    #expect(supervisor.presentation.path.count == screens)
    await supervisor.stop()
  }

  /// Together, the records are too large for one message.
  @Test func aSessionLongerThanALineGoesOnWhole() async throws {
    var checkpoint = try await session(of: 18)
    for id in checkpoint.records.keys where checkpoint.records[id]?.style == "push" {
      checkpoint.records[id]?.values = ["text": String(repeating: "x", count: 1_000_000)]
    }
    let supervisor = try supervisor(from: checkpoint)
    _ = try await supervisor.start()
    try await eventually { supervisor.presentation.path.count == 18 }
    let host = try #require(supervisor.hostProcessID)
    _ = await supervisor.notice { kill(host, SIGKILL) }
    #expect(supervisor.presentation.path.count == 18)
    let held = supervisor.checkpoint.records.values.filter { $0.values?["text"]?.utf8.count == 1_000_000 }
    #expect(held.count == 18)
    await supervisor.stop()
  }

  /// A record that does not fit by itself is lost alone.
  @Test func whatDoesNotFitIsToldAndTheRestIsKept() async throws {
    let supervisor = try supervisor()
    _ = try await supervisor.start()
    let top = try #require(supervisor.presentation.top)
    let field = try #require(top.elements.flattened.first { $0.label == "Text" })
    let update = try await supervisor.send(
      .edit(.init(node: top.node, element: field.id), text: String(repeating: "x", count: 9_000_000)))
    #expect(
      update.notices.map(\.text) == [
        "'Scene 1' is too large to be stored, so it will be lost after a restart."
      ])
    let tree = try await supervisor.tree()
    let host = try #require(supervisor.hostProcessID)
    let notice = await supervisor.notice { kill(host, SIGKILL) }
    #expect(notice.hasPrefix("Another process, or the system, killed the host"), "\(notice)")
    #expect(try await supervisor.tree() == tree)
    try await supervisor.shows("Text: []")
    // A text that cannot even be sent is refused.
    let answer = try await supervisor.send(
      .edit(
        .init(node: supervisor.presentation.top?.node ?? 0, element: "text"),
        text: String(repeating: "x", count: 17_000_000)))
    #expect(answer.notices.first?.developerText.contains("the maximum is 16777216") == true)
    try await supervisor.tap("Go to Scene 2")
    await supervisor.stop()
  }
}
