@_spi(FrontEnd) import GangwayProtocol
import Testing

@Suite struct MessageTests {
  static let target = Event.ElementReference(node: 4, element: "save")

  @Test(arguments: [
    Event.Action.tap(target), .edit(target, text: "a \"b\"\n"), .toggle(target, isOn: false),
    .choose(target, option: "x"), .cell(target, row: 2, column: 0), .tab(3), .back, .dismiss, .focus(4, nil),
    .focus(4, "name"), .scroll(4, lines: 12), .window(target, first: 4_000, count: 200), .submit(target),
    .expand(target, isExpanded: true), .select(target, keys: ["a", "b"]),
    .sort(target, column: "n", order: .descending),
  ])
  func everyEventSurvivesTheWire(_ action: Event.Action) throws {
    let message = ClientMessage.event(session: "s", Event(id: 7, revision: 3, action: action))
    #expect(try Line.decode(ClientMessage.self, from: Line.encode(message)) == message)
  }

  @Test(arguments: [
    ClientMessage.hello(.current), .hello(.current, takesPatches: true), .resync(session: "s"),
    .open(session: "s", checkpoint: nil), .open(session: "s", checkpoint: sample),
    .tree(session: "s"), .close(session: "s"), .quit,
    .records(session: "s", [Checkpoint.Record(id: 3, parent: 1, position: 0, style: "push")]),
  ])
  func everyClientMessageSurvivesTheWire(_ message: ClientMessage) throws {
    #expect(try Line.decode(ClientMessage.self, from: Line.encode(message)) == message)
  }

  @Test(arguments: [
    HostMessage.hello(.current, processID: 12), .loading(file: "/a/b.so"),
    .restoring(session: "s", node: 3, plugin: nil), .restoring(session: "s", node: 3, plugin: "p"),
    .ready([
      .init(.registered, id: "a", version: "1.0.0", file: "f"),
      .init(.refused, file: "g", refusal: "no", cause: "not-elf", step: "file"),
    ]),
    .plugin(.init(.active, id: "a", version: "1.0.0", file: "f", contributions: ["tab a.b"])), .probing(file: "/c.so"),
    .records(session: "s", [Checkpoint.Record(id: 3, parent: 1, position: 0, style: "push")]),
    .update(session: "s", update), .tree(session: "s", tree), .closed(session: "s"),
    .failure(.init(code: "malformed", message: "m", line: 3, session: "s")),
  ])
  func everyHostMessageSurvivesTheWire(_ message: HostMessage) throws {
    #expect(try Line.decode(HostMessage.self, from: Line.encode(message)) == message)
  }

  @Test func recordsAreDividedAndWhatIsTooLongIsCut() throws {
    func record(_ id: NodeID, _ bytes: Int) -> Checkpoint.Record {
      var record = Checkpoint.Record(id: id, parent: 1, position: 0, style: "push")
      record.route = "{}"
      record.values = ["a": String(repeating: "x", count: bytes)]
      return record
    }
    let records = [record(2, 300), record(3, 300), record(4, 5_000), record(5, 10)]
    let (groups, cut) = Line.groups(records, limit: 1_000)
    #expect(groups.joined().map(\.id) == [2, 3, 4, 5])
    #expect(try groups.allSatisfy { try Line.encode($0).count <= 1_100 })
    #expect(cut.map(\.record.id) == [4])
    #expect(cut.first?.record.values == nil)
    #expect(cut.first.map { $0.length > 5_000 } == true)
    #expect(cut.first?.record.route == "{}")
  }

  @Test func aMessageIsOneLineWithoutTheCrashByte() throws {
    let message = ClientMessage.event(
      session: "s", Event(id: 1, revision: 1, action: .edit(Self.target, text: "a\nb\u{18}c")))
    let line = try Line.encode(message)
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(!line.contains(Line.crashByte))
  }

  @Test func unknownFieldsAreIgnored() throws {
    let text = #"{"type":"tree","session":"s","colour":"red"}"#
    #expect(try Line.decode(ClientMessage.self, from: text.utf8) == .tree(session: "s"))
  }

  @Test(arguments: [
    ("", "not a JSON object"), ("nonsense", "not a JSON object"), ("[]", "the message is not of type"),
    ("{}", "'type' is missing"),
    (#"{"type":"dance"}"#, "there is no message type 'dance'; the types are hello, records, open, event"),
    (#"{"type":"tree"}"#, "'session' is missing"),
    (#"{"type":"event","session":"s","event":{"id":1,"revision":1,"action":"jump"}}"#, "no action 'jump'"),
    (#"{"type":"event","session":"s","event":{"id":1,"revision":1,"action":"tap","node":"x"}}"#, "'event.node'"),
  ])
  func aMistakeIsNamed(_ text: String, _ reason: String) {
    let failure = #expect(throws: HostMessage.Failure.self) {
      _ = try Line.decode(ClientMessage.self, from: text.utf8)
    }
    #expect(failure?.code == "malformed")
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
  }

  static let sample: Checkpoint = {
    var checkpoint = Checkpoint(nextNode: 9)
    var root = Checkpoint.Record(id: 1, parent: nil, position: 0, style: "root")
    root.selection = 2
    var tab = Checkpoint.Record(id: 2, parent: 1, position: 0, style: "tab")
    tab.route = #"{"a":{}}"#
    tab.values = ["x": "y"]
    checkpoint.records = [1: root, 2: tab]
    return checkpoint
  }()

  static let tree = TreeNode(
    id: 1, style: "root", title: "Root", route: nil, coordinator: "C", plugin: nil,
    children: [TreeNode(id: 2, style: "tab", title: "T", route: "r", coordinator: nil, plugin: "p", children: [])])

  static let update = Update(
    event: 3, revision: 2,
    presentation: Presentation(
      revision: 2, tabBars: [[.init(node: 2, title: "T", isSelected: true)]], path: [.init(node: 3, title: "P")],
      canGoBack: true,
      layers: [
        .init(
          node: 3, style: .base, title: "P",
          elements: [
            Element(
              id: "e", kind: .picker, label: "L", value: "v", role: .problem, isEnabled: false, detail: "d",
              options: [.init(id: "o", title: "O")], children: [Element(id: "f", kind: .text)],
              cells: [[.init(text: "c", isEnabled: false, tint: "red")]])
          ])
      ]),
    checkpoint: .init(changed: [.init(id: 3, parent: 2, position: 0, style: "push")], removed: [4], nextNode: 5),
    pending: [.init(event: 3, plugin: "p")], notices: [.init(.failure, "n", plugin: "p")])

  @Test func aTreeIsANodeALine() {
    #expect(Self.tree.lines == [#"root  "Root"  -  C  -"#, #"  tab  "T"  r  -  p"#])
  }
}
