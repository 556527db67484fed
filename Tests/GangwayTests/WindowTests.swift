@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// Lists and tables of any length. Only rows near the visible ones are rendered, and every action works on all rows.
@MainActor @Suite struct WindowTests {
  struct Row: Identifiable { let id: Int }

  @Observable @MainActor final class Model {
    var rows = (0..<100_000).map { Row(id: $0) }
    var selection: Set<Int> = []
    var one: Int?
    var pressed: [Int] = []
    var rendered = 0
  }

  private let model = Model()

  private func flow() async throws -> FlowTester<ShownContent> {
    try await ShownContent.flow { [model] in
      List(model.rows, selection: Bindable(wrappedValue: model).selection) { row in
        Gangway.Row("Row \(row.id)") { model.pressed.append(row.id) }
      }
    }
  }

  private func list(_ flow: FlowTester<ShownContent>) throws -> Element {
    try #require(flow.presentation.reachable.first { $0.rowCount != nil })
  }

  @Test func onlyWhatIsNearIsRendered() async throws {
    let flow = try await flow()
    var list = try list(flow)
    #expect(list.rowCount == 100_000 && list.firstRow == 0 && list.children.count == 100)
    #expect(flow.lines.first == "Row 0" && flow.lines.last == "… 99,900 below")
    try await flow.scroll(toRows: 50_000..<50_040)
    list = try self.list(flow)
    #expect(list.firstRow == 50_000 && list.children.map(\.key).first == "50000" && list.children.count == 40)
    #expect(flow.lines.first == "… 50,000 above" && flow.lines.last == "… 49,960 below")
    try await flow.tap("Row 50010")
    #expect(model.pressed == [50_010])
  }

  @Test(arguments: [(-5, 10, 0, 10), (99_990, 100, 99_900, 100), (Int.max, Int.max, 99_500, 500), (7, 0, 7, 1)])
  func aWindowIsWhatCanBe(first: Int, count: Int, begins: Int, has: Int) async throws {
    let flow = try await flow()
    let node = try #require(flow.presentation.top?.node)
    let id = try list(flow).id
    try await flow.send(.window(.init(node: node, element: id), first: first, count: count))
    let list = try list(flow)
    #expect(list.firstRow == begins && list.children.count == has)
  }

  @Test func aShortListIsWhole() async throws {
    model.rows = Array(model.rows.prefix(200))
    let flow = try await flow()
    #expect(flow.lines.count == 200)
    #expect(flow.presentation.reachable.allSatisfy { $0.rowCount == nil && $0.firstRow == nil })
    await #expect(throws: FlowFailure.self) { try await flow.scroll(toRows: 0..<10) }
  }

  @Test func rowsAreFoundAndSelectedWhereverTheyAre() async throws {
    model.rows = Array(model.rows.prefix(3_000))
    let flow = try await flow()
    try await flow.scroll(to: "Row 2777")
    try await flow.select("Row 2777")
    #expect(model.selection == [2_777])
    let node = try #require(flow.presentation.top?.node)
    let target = Event.ElementReference(node: node, element: try list(flow).id)
    // A row that is not visible is selected by its key.
    try await flow.send(.select(target, keys: ["2777", "3", "2999"]))
    #expect(model.selection == [3, 2_777, 2_999])
    try await flow.scroll(toRows: 0..<10)
    #expect(flow.lines[3] == "* Row 3")
    await #expect {
      try await flow.scroll(to: "Row 3000")
    } throws: { "\($0)".contains("Of 3,000 rows, 1 to 10 are visible") }
    #expect(try list(flow).firstRow == 0, "and it stands where it stood")
  }

  @Test func aPersonIsAtTheSameRowsAfterACrash() async throws {
    let flow = try await flow()
    try await flow.scroll(toRows: 40_000..<40_050)
    let node = try #require(flow.presentation.top?.node)
    try await flow.send(.focus(node, try #require(try list(flow).children.last?.id)))
    try await flow.restart()
    #expect(try list(flow).firstRow == 40_000)
    #expect(flow.presentation.top?.focus == "0[40049]")
    // With fewer rows than before, the last ones are visible.
    model.rows = Array(model.rows.prefix(1_000))
    try await flow.settle()
    #expect(try list(flow).firstRow == 950)
    model.rows = []
    try await flow.settle()
    #expect(flow.lines == [""] || flow.lines.isEmpty)
  }

  @Test func aTreeIsRenderedByWhatIsExpanded() async throws {
    struct Item: Identifiable {
      let id: String
      var below: [Item]?
    }
    let items = (0..<300).map { number in
      Item(id: "\(number)", below: (0..<300).map { Item(id: "\(number).\($0)") })
    }
    let flow = try await ShownContent.flow {
      List(items, children: \.below) { Gangway.Row($0.id) }
    }
    #expect(try list(flow).rowCount == 300)
    try await flow.expand("50")
    #expect(try list(flow).rowCount == 600)
    try await flow.scroll(toRows: 340..<360)
    #expect(flow.lines[10...12] == ["  50.298", "  50.299", "+ 51"])
    try await flow.scroll(toRows: 50..<60)
    try await flow.expand("50", false)
    #expect(try list(flow).rowCount == 300)
  }

  @Test func aTableIsRenderedInPartAndSortedWhole() async throws {
    model.rows = Array(model.rows.prefix(3_000))
    let flow = try await ShownContent.flow { [model] in
      Table(
        "Numbers", model.rows, selection: Bindable(wrappedValue: model).one,
        columns: [TableColumn("Number") { "\($0.id)" }.sortable(by: \.id)])
    }
    var table = try list(flow)
    #expect(table.rowCount == 3_000 && table.keys?.count == 100 && table.cells.count == 101)
    try await flow.sort(by: "Number", .descending)
    #expect(try list(flow).keys?.first == "2999")
    try await flow.scroll(to: "500")
    table = try list(flow)
    #expect(table.keys?.contains("500") == true)
    try await flow.select("500")
    #expect(model.one == 500)
    let texts = try await ShownContent.flow { Table(columns: ["N"], data: 0..<1_000) { ["\($0)"] } }
    try await texts.scroll(toRows: 500..<502)
    #expect(texts.lines == ["N", "… 500 above", "500", "501", "… 498 below"])
  }

  @Test func anUnavailableListCanBeLookedThrough() async throws {
    let flow = try await ShownContent.flow { [model] in
      List(model.rows) { Text("\($0.id)") }.disabled(because: "closed")
    }
    try await flow.scroll(toRows: 500..<510)
    #expect(flow.lines[1] == "500")
  }

  @Test func workOfRowsRunsWhileTheyAreNear() async throws {
    let flow = try await ShownContent.flow { [model] in
      List(model.rows) { row in Text("\(row.id)").task { model.rendered += 1 } }
    }
    #expect(model.rendered == 100)
    try await flow.scroll(toRows: 500..<600)
    #expect(model.rendered == 200)
  }

  @Observable @MainActor final class Entry: Identifiable {
    nonisolated let id: Int
    var weight: Int
    init(_ id: Int) { (self.id, weight) = (id, id) }
  }

  @MainActor final class Compared: Comparable {
    static var count = 0
    let value: Int
    init(_ value: Int) { self.value = value }
    nonisolated static func < (first: Compared, second: Compared) -> Bool {
      MainActor.assumeIsolated {
        count += 1
        return first.value < second.value
      }
    }
    nonisolated static func == (first: Compared, second: Compared) -> Bool { first === second }
  }

  @Observable @MainActor final class Entries {
    var all = (0..<300).map { Entry($0) }
    var note = ""
  }

  @Test func aTableIsSortedAgainOnlyWhenSomethingInItIsAnother() async throws {
    let entries = Entries()
    let flow = try await ShownContent.flow {
      Text(entries.note)
      Table(
        "", entries.all,
        columns: [TableColumn<Entry>("Weight") { "\($0.weight)" }.sortable { Compared($0.weight) }])
    }
    flow.checksRestoration = false
    try await flow.sort(by: "Weight", .descending)
    #expect(try list(flow).keys?.first == "299")
    let once = Compared.count
    entries.note = "a"
    try await flow.settle()
    try await flow.scroll(toRows: 200..<210)
    #expect(Compared.count == once, "nothing in it is another")
    // Change a row that is not rendered and was only compared.
    entries.all[0].weight = 1_000
    try await flow.settle()
    try await flow.scroll(toRows: 0..<10)
    #expect(try list(flow).keys?.first == "0")
    entries.all.removeFirst()
    try await flow.settle()
    #expect(try list(flow).keys?.first == "299")
  }

  @Test func aScriptScrollsToo() async throws {
    model.rows = Array(model.rows.prefix(3_000))
    let flow = try await flow()
    let output = try await flow.run(
      script: """
        scroll Row 2500
        tap Row 2500
        rows 1001
        screen
        """)
    #expect(model.pressed == [2_500])
    let lines = output.split(separator: "\n")
    #expect(lines[1...2] == ["… 1,000 above", "Row 1000"] && lines.last == "… 1,980 below")
    await #expect {
      try await flow.run(script: "scroll Row 3000")
    } throws: { "\($0)".contains("There is no row 'Row 3000'.") }
  }

  @Test func aScreenWithTooMuchInItIsRefusedInItsPlace() async throws {
    await #expect {
      _ = try await ShownContent.flow {
        Text("Before")
        Section("Outer") {
          Section("Much") { for number in 0..<20_000 { Text("What stands in the line \(number)").id("\(number)") } }
        }
      }
    } throws: {
      let text = "\($0)"
      return text.contains("'Much' (section #1.0)") && text.contains("the maximum is 1048576")
        && text.contains("This screen is too large to show.") && !text.contains("Before")
    }
  }

  @Test func whatAPersonTypedIsShownHoweverLongItIs() async throws {
    let model = SampleText()
    let flow = try await ShownContent.flow { TextField("Notes", text: Bindable(wrappedValue: model).text) }
    try await flow.type(String(repeating: "x", count: 3_000_000), into: "Notes")
    #expect(model.text.count == 3_000_000)
    try await flow.type("short", into: "Notes")
    #expect(flow.lines == ["Notes: [short]"])
  }

  @Observable @MainActor final class SampleText { var text = "" }
}
