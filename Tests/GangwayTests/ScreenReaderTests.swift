@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
import Testing

/// The front end for screen readers: its lines, their timing, and the numbers for actions.
@MainActor @Suite struct ScreenReaderTests {
  /// A session whose screens come from the test.
  final class Stage: SessionConnection {
    var presentation: Presentation
    var pending: [Update.Pending] = []
    var onUpdate: (Update) -> Void = { _ in }
    var sent: [Event.Action] = []
    /// The screens after the next actions.
    var next: [[Element]] = []

    init(_ elements: [Element]) {
      presentation = Presentation(
        revision: 1,
        tabBars: [[.init(node: 2, title: "One", isSelected: true), .init(node: 3, title: "Two", isSelected: false)]],
        path: [], canGoBack: false, layers: [.init(node: 4, style: .base, title: "Here", elements: elements)])
    }

    func send(_ action: Event.Action) async throws -> Update {
      sent.append(action)
      if !next.isEmpty { presentation.layers[0].elements = next.removeFirst() }
      return Update(event: 1, revision: 1, presentation: presentation, checkpoint: nil)
    }

    /// Shows elements and notices without an event.
    func show(_ elements: [Element], _ notices: [Update.Notice] = []) {
      presentation.layers[0].elements = elements
      onUpdate(Update(event: nil, revision: 2, presentation: presentation, checkpoint: nil, notices: notices))
    }

    func tree() async throws -> TreeNode { throw PlainFailure("none") }
    func history() async throws -> [String] { [] }
    func restart() async throws {}
    func reload(_ plugin: PluginID?) async throws -> String { "" }
  }

  /// A prompt that records its calls.
  final class Prompt: LinePrompt {
    var completions: (String) -> [String] = { _ in [] }
    var remembered: [String] = []
    var calls: [String] = []
    func ask() { calls.append("ask") }
    func pause() { calls.append("pause") }
    func remember(_ line: String) { remembered.append(line) }
  }

  private struct Run {
    let said: [String]
    let complaints: [String]
    let prompt: Prompt
    let frontEnd: PlainFrontEnd
  }

  /// Returns the output after each line.
  private func run(_ stage: Stage, _ typed: [String], speaks: Bool = true) async -> Run {
    let prompt = Prompt()
    var said = [""]
    var complaints: [String] = []
    let frontEnd = PlainFrontEnd(
      stage, isScript: false, prompt: prompt, speaks: speaks, write: { said[said.count - 1] += $0 },
      complain: { complaints.append($0) })
    let (lines, input) = AsyncStream.makeStream(of: String.self)
    let running = Task { await frontEnd.run(lines) }
    for line in typed {
      try? await yieldUntil(prompt.calls.filter({ $0 == "ask" }).count >= said.count)
      said.append("")
      input.yield(line)
    }
    input.finish()
    _ = await running.value
    return Run(said: said, complaints: complaints, prompt: prompt, frontEnd: frontEnd)
  }

  private static var form: [Element] {
    var name = Element(id: "name", kind: .field, label: "Name", value: "Ada")
    name.isRequired = true
    name.problem = "It is taken"
    var off = Element(id: "off", kind: .button, label: "Send", isEnabled: false)
    off.detail = "there is no connection"
    var color = Element(id: "color", kind: .picker, label: "Colour", value: "b")
    color.options = [.init(id: "a", title: "Red"), .init(id: "b", title: "Blue")]
    return [
      Element(id: "h", kind: .heading, label: "Guests"), name,
      Element(id: "secret", kind: .field, label: "Code", value: "12345", role: .secure),
      Element(id: "on", kind: .toggle, label: "Loud", value: "on"), color, off,
      Element(id: "go", kind: .button, label: "Add"), Element(id: "x", kind: .progress, label: "Copying", value: "0.5"),
      Element(id: "p", kind: .text, label: "Broken", role: .problem), Element(id: "d", kind: .divider),
    ]
  }

  @Test func everythingIsSaidWithWhatItIsAndANumberToActBy() async {
    let run = await run(Stage(Self.form), [])
    #expect(
      run.said[0] == """
        Tabs: One (selected), Two
        Screen: Here
        Heading: Guests
        1. Text field: Name, 'Ada', required. Problem: It is taken
        2. Password field: Code, 5 characters
        3. Switch: Loud, on
        4. Choice: Colour, Blue, 2 of 2. Options: Red, Blue
        Button: Send, unavailable: there is no connection
        5. Button: Add
        Progress: Copying, 50 percent
        Problem: Broken

        """)
  }

  @Test func rowsAndCellsAreCounted() async {
    var list = Element(id: "l", kind: .list, label: "Guests")
    list.selects = .several
    list.selection = ["2"]
    list.children = ["Ada", "Bob"].enumerated().map { number, name in
      var row = Element(id: "l[\(number + 1)]", kind: .row, label: name)
      row.key = "\(number + 1)"
      return row
    }
    var table = Element(
      id: "t", kind: .table, label: "Prices",
      cells: [["what", "cost"], ["tea", "2"]].map { $0.map { .init(text: $0) } })
    table.rowCount = 9
    table.firstRow = 4
    let run = await run(Stage([list, table]), [])
    let expected = """
      List Guests, 2 rows
      Row 1: Ada
      Row 2: Bob, selected
      Table Prices, 9 rows
      … 4 above
      Row 5: what tea, cost 2
      … 4 below

      """
    #expect(run.said[0].hasSuffix(expected), "\(run.said[0])")
  }

  @Test func afterACommandWhatChangedIsSaidAndNumbersStay() async {
    let stage = Stage(Self.form)
    var second = Self.form
    second[1].value = "Adam"
    second[1].problem = nil
    second.insert(Element(id: "new", kind: .button, label: "Undo"), at: 1)
    second.removeAll { $0.id == "p" }
    stage.next = [second, second]
    let run = await run(stage, ["set 1 = Adam", "5", "6", "9", "screen"])
    #expect(run.said[1] == "6. Button: Undo\n1. Text field: Name, 'Adam', required\nGone: Problem: Broken\n")
    #expect(run.said[2] == "Nothing has changed on the screen.\n")
    #expect(
      stage.sent == [
        .edit(.init(node: 4, element: "name"), text: "Adam"), .tap(.init(node: 4, element: "go")),
        .tap(.init(node: 4, element: "new")),
      ])
    #expect(run.complaints == ["No element has the number 9. Enter 'screen' to read the screen again."])
    #expect(run.said[5].hasPrefix("Tabs: One (selected), Two\nScreen: Here\n"))
  }

  @Test func whatComesByItselfIsSaidIfItIsNew() async {
    let stage = Stage([Element(id: "clock", kind: .text, label: "12:00")])
    let prompt = Prompt()
    var said = ""
    let frontEnd = PlainFrontEnd(
      stage, isScript: false, prompt: prompt, speaks: true, write: { said += $0 }, complain: { said += "(\($0))" })
    let (lines, input) = AsyncStream.makeStream(of: String.self)
    let running = Task { await frontEnd.run(lines) }
    try? await yieldUntil(!prompt.calls.isEmpty)
    said = ""
    // The tick of a clock is silent. A message and a new element are spoken, and the line being typed makes room for
    // them.
    stage.show([Element(id: "clock", kind: .text, label: "12:01")])
    #expect(said.isEmpty && prompt.calls == ["ask"])
    stage.show(
      [Element(id: "clock", kind: .text, label: "12:02"), Element(id: "b", kind: .button, label: "Snooze")],
      [.init(.information, "It rings.")])
    #expect(said == "(It rings.)1. Button: Snooze\n")
    #expect(prompt.calls == ["ask", "pause", "ask", "pause", "ask"])
    input.finish()
    _ = await running.value
  }

  @Test func linesAreRememberedAndCompletedButNoSecrets() async {
    // A user who mistypes a name may have typed a secret after it.
    let run = await run(
      Stage(Self.form), ["set Name = Eve", "set Code = 99", "set 2 = 98", "set Cod = 97", "set Loud = off", "screen"])
    #expect(run.prompt.remembered == ["set Name = Eve", "set Loud = off", "screen"])
    #expect(run.prompt.completions("tap A") == ["tap Add"])
    #expect(run.prompt.completions("set Co") == ["set Code = ", "set Colour = "])
    #expect(run.prompt.completions("tab T") == ["tab Two"])
    #expect(run.prompt.completions("me") == ["messages"])
  }
}
