@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Testing

/// The line-based front end with a session whose screen is loading.
@MainActor @Suite struct PlainFrontEndTests {
  final class Loading: SessionConnection {
    var presentation = Presentation(
      revision: 1, tabBars: [], path: [], canGoBack: false,
      layers: [.init(node: 1, style: .base, title: "List", elements: [])])
    var pending = [Update.Pending(event: nil, plugin: nil)]
    var onUpdate: (Update) -> Void = { _ in }
    var sent: [Event.Action] = []
    /// A failure of the action's work, which arrives after the answer but before the sender reads the answer.
    var failure: Update.Notice?

    func send(_ action: Event.Action) async throws -> Update {
      sent.append(action)
      if let failure {
        onUpdate(Update(event: nil, revision: 1, presentation: nil, checkpoint: nil, notices: [failure]))
      }
      return Update(event: 1, revision: 1, presentation: nil, checkpoint: nil)
    }

    /// Ends the load, with or without content.
    func finish(_ elements: [Element]) {
      presentation.layers[0].elements = elements
      pending = []
      onUpdate(Update(event: nil, revision: 2, presentation: presentation, checkpoint: nil))
    }

    func tree() async throws -> TreeNode { throw PlainFailure("none") }
    func history() async throws -> [String] { [] }
    func restart() async throws {}
    func reload(_ plugin: PluginID?) async throws -> String { "" }
  }

  private func run(_ script: String, finishing elements: [Element]) async -> (code: Int32, Loading, [String]) {
    let session = Loading()
    var complaints: [String] = []
    let frontEnd = PlainFrontEnd(session, isScript: true, write: { _ in }, complain: { complaints.append($0) })
    let (lines, input) = AsyncStream.makeStream(of: String.self)
    for line in script.split(separator: "\n") { input.yield(String(line)) }
    input.finish()
    let loading = Task {
      try await Task.sleep(for: .milliseconds(50))
      session.finish(elements)
    }
    let code = await frontEnd.run(lines)
    loading.cancel()
    return (code, session, complaints)
  }

  @Test(arguments: ["tap Invite", "set Name = Ada", "submit", "select Row", "action Row = Remove"])
  func aScriptWaitsForWhatIsBeingLoaded(_ command: String) async {
    var list = Element(id: "l", kind: .list)
    list.selects = .one
    var row = Element(id: "l[1]", kind: .row, label: "Row", children: [.init(id: "r", kind: .button, label: "Remove")])
    row.key = "1"
    list.children = [row]
    let (code, session, complaints) = await run(
      command,
      finishing: [
        Element(id: "b", kind: .button, label: "Invite"), list,
        Element(id: "f", kind: .form, children: [Element(id: "n", kind: .field, label: "Name")]),
      ])
    #expect(code == 0 && session.sent.count == 1, "\(complaints)")
  }

  @Test func whatDoesNotComeIsSaidOnceNothingIsAtWork() async {
    let (code, _, complaints) = await run("tap Invite", finishing: [Element(id: "t", kind: .text, label: "Nothing")])
    #expect(code == 1 && complaints.first?.contains("There is no 'Invite' on the screen") == true)
  }

  @Test func messagesAreListedAndUndoneOnce() async {
    let session = Loading()
    session.pending = []
    var printed = ""
    var complaints: [String] = []
    let frontEnd = PlainFrontEnd(
      session, isScript: true, write: { printed += $0 }, complain: { complaints.append($0) })
    var notice = Update.Notice(.information, "Removed.")
    notice.undo = 7
    let (lines, input) = AsyncStream.makeStream(of: String.self)
    let running = Task { await frontEnd.run(lines) }
    await Task.yield()
    session.onUpdate(Update(event: nil, revision: 1, presentation: nil, checkpoint: nil, notices: [notice]))
    for line in ["messages", "undo Removed.", "messages", "undo Removed."] { input.yield(line) }
    input.finish()
    #expect(await running.value == 1)
    #expect(session.sent == [.undoNotice(7)] && printed == "Removed. (undo)\nRemoved.\n")
    #expect(complaints.last?.contains("No message 'Removed.' has an undo action") == true)
  }

  @Test func workThatFailsBeforeItsAnswerIsReadIsARefusal() async {
    let session = Loading()
    session.pending = []
    session.failure = Update.Notice(.failure, "the bell broke")
    var complaints: [String] = []
    let frontEnd = PlainFrontEnd(session, isScript: true, write: { _ in }, complain: { complaints.append($0) })
    let (lines, input) = AsyncStream.makeStream(of: String.self)
    for line in ["fails back", "expect the bell broke"] { input.yield(line) }
    input.finish()
    #expect(await frontEnd.run(lines) == 0, "\(complaints)")
    #expect(session.sent == [.back])
  }
}
