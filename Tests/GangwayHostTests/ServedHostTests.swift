import Foundation
@_spi(FrontEnd) import GangwayProtocol
import Testing

/// The presentation protocol with the real host.
@Suite struct ServedHostTests {
  private func serve(_ lines: [String], _ plugins: [String] = ["scenes"]) throws -> (Int32, [HostMessage]) {
    let result = try BuiltHost.run(
      ["--serve"] + plugins.flatMap { ["--plugin", $0] }, input: lines.joined(separator: "\n") + "\n")
    let messages = try result.lines.map { try Line.decode(HostMessage.self, from: $0.utf8) }
    // Files are probed only if no other host on this machine has cached their results.
    return (result.status, messages.filter { if case .probing = $0 { false } else { true } })
  }

  private let hello = #"{"type":"hello","protocol":{"major":1,"minor":0}}"#
  private let open = #"{"type":"open","session":"s"}"#

  @Test func aSessionIsOpenedAndAnswersEvents() throws {
    let (status, messages) = try serve([
      hello, open,
      #"{"type":"event","session":"s","event":{"id":5,"revision":1,"action":"edit","node":3,"element":"text","text":"x"}}"#,
      #"{"type":"tree","session":"s"}"#, #"{"type":"close","session":"s"}"#,
    ])
    #expect(status == 0)
    let kinds = messages.map { "\($0)".prefix { $0 != "(" } }
    // `restoring` appears only if the plugin took longer than a moment to load.
    #expect(
      kinds.filter { $0 != "restoring" && $0 != "ready" }
        == ["hello", "loading", "plugin", "update", "update", "tree", "closed"])
    #expect(kinds.count { $0 == "ready" } == 1)
    let updates = messages.compactMap { if case .update(_, let update) = $0 { update } else { nil } }
    guard let update = updates.last else { return }
    #expect(update.event == 5)
    #expect(update.presentation?.plainText.contains("Text: [x]") == true)
    #expect(update.checkpoint?.changed.map(\.id) == [3])
  }

  private func updates(_ messages: [HostMessage]) -> [Update] {
    messages.compactMap { if case .update(_, let update) = $0 { update } else { nil } }
  }

  @Test func aClientThatTakesPatchesIsSentWhatChanged() throws {
    let edits = (1...3).map { number in
      #"{"type":"event","session":"s","event":{"id":\#(number),"revision":1,"action":"edit","node":3,"element":"text","text":"\#(number)"}}"#
    }
    let resync = #"{"type":"resync","session":"s"}"#
    let patching = #"{"type":"hello","protocol":{"major":1,"minor":0},"patches":true}"#
    let whole = updates(try serve([hello, open] + edits).1)
    let patched = updates(try serve([patching, open] + edits + [resync, edits[0]]).1)
    #expect(whole.allSatisfy { $0.presentation != nil && $0.patch == nil })
    #expect(
      patched.map { $0.presentation != nil } == [true, false, false, false, true, false],
      "the first, and what was asked for")
    var held = try #require(patched.first?.presentation)
    for (number, update) in patched.dropFirst().enumerated() {
      held = try update.presentation ?? held.applying(#require(update.patch))
      if number < 3 { #expect(held == whole[number + 1].presentation) }
    }
    #expect(held.plainText.contains("Text: [1]"))
    let length = try Line.encode(#require(patched[1].patch)).count
    #expect(length < 200, "\(length) bytes")
  }

  @Test(arguments: [
    ("nonsense", "malformed", "not a JSON object"), (#"{"type":"dance"}"#, "malformed", "no message type 'dance'"),
    (#"{"type":"tree","session":"t"}"#, "session", "There is no session 't'. Open it first."),
    (#"{"type":"open","session":"s"}"#, "session", "There is a session 's' already."),
    (#"{"type":"hello","protocol":{"major":9,"minor":1}}"#, "version", "uses protocol 9.1, and this host uses 1.0"),
    (
      #"{"type":"open","session":"t","checkpoint":{"format":7,"nextNode":1,"records":[]}}"#, "checkpoint",
      "its format is 7, but this version reads format 1"
    ),
  ])
  func aBadMessageIsAnsweredAndChangesNothing(_ line: String, _ code: String, _ reason: String) throws {
    let (status, messages) = try serve([hello, open, line, #"{"type":"tree","session":"s"}"#])
    #expect(status == 0)
    let failures = messages.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
    let trees = messages.compactMap { if case .tree(_, let tree) = $0 { tree } else { nil } }
    guard failures.count == 1, let failure = failures.first, let tree = trees.last else {
      Issue.record("\(messages)")
      return
    }
    #expect(failure.code == code)
    #expect(failure.line == 3)
    #expect(failure.message.contains(reason), "\(failure.message)")
    #expect(tree.children.count == 1)
  }

  @Test func anOversizedLineIsAnswered() throws {
    let (status, messages) = try serve([hello, String(repeating: "x", count: Line.maximumLength + 5), open])
    #expect(status == 0)
    let failures = messages.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
    #expect(failures.map(\.code) == ["oversized"])
    guard messages.contains(where: { if case .update = $0 { true } else { false } }) else {
      Issue.record("no session after it: \(messages.count) messages")
      return
    }
  }

  @Test func theHandshakeComesFirst() throws {
    let (_, messages) = try serve([open, hello, open])
    let failures = messages.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
    #expect(failures.map(\.code) == ["handshake"])
  }

  @Test func manySessionsKeepTheirOwnState() throws {
    let opens = (1...50).map { #"{"type":"open","session":"\#($0)"}"# }
    let edit =
      #"{"type":"event","session":"7","event":{"id":1,"revision":1,"action":"edit","node":3,"element":"text","text":"x"}}"#
    let (status, messages) = try serve([hello] + opens + [edit])
    #expect(status == 0)
    let changed = messages.compactMap { message -> SessionID? in
      if case .update(let session, let update) = message, update.event == 1 { session } else { nil }
    }
    #expect(changed == ["7"])
    let updates = messages.count { if case .update = $0 { true } else { false } }
    // One for each session, and one for the event. A session that waits for the plugin gets no update before the load.
    #expect(updates == 50 + 1)
  }

  @Test func aDyingHostSaysSoWithOneByte() throws {
    let scratch = try Scratch()
    // The plugin behaves well during its probe.
    let path = try Zoo.chameleon("bomb", in: scratch)
    let result = try BuiltHost.run(["--serve", "--eager", "--plugin", path], input: hello + "\n")
    #expect(result.status == -4)
    #expect(result.output.contains(#""type":"loading""#))
    #expect(result.output.utf8.last == Line.crashByte)
  }

  @Test func refusalsAreReported() throws {
    let scratch = try Scratch()
    try scratch.file("libBad.so", Data("x".utf8))
    let (_, messages) = try serve([hello, open], [scratch.path("libBad.so"), "scenes"])
    let ready = messages.compactMap { if case .ready(let plugins) = $0 { plugins } else { nil } }.first
    #expect(ready?.map(\.cause) == ["not-elf", nil])
    #expect(ready?.map(\.id) == [nil, "scenes"])
  }
}
