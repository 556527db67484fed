@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// Rows of lists, trees and tables: their text, selection and commands.
@MainActor @Suite struct RowTests {
  struct Item: Identifiable, Hashable {
    var id: Int
    var name: String
    var weight = 0.0
    var parts: [Item]?
  }

  @Observable @MainActor final class Model {
    var items = [
      Item(id: 1, name: "Milk", weight: 2), Item(id: 2, name: "Bread", weight: 10), Item(id: 3, name: "Tea"),
    ]
    var one: Int?
    var several: Set<Int> = []
    var done: [String] = []
    var word: String?
    var words: Set<String> = []
  }

  private let model = Model()

  @Test func aRowSaysMoreAndIsPressedAsAWhole() async throws {
    let flow = try await ShownContent.flow { [model] in
      List(model.items) { item in
        Row(item.name, detail: "\(item.weight)", action: { model.done.append("opened \(item.name)") })
          .badge(item.id).symbol("•")
          .actions {
            Button("Delete", role: .destructive) { model.items.removeAll { $0.id == item.id } }
          }
      }
    }
    #expect(flow.lines[0...2] == ["• Milk (1)", "2.0", "(menu) Actions: Delete"])
    let row = try #require(flow.presentation.reachable.first { $0.kind == .row })
    #expect(row.id == "0[1]" && row.key == "1" && row.role == .button)
    try await flow.tap("Milk")
    #expect(model.done == ["opened Milk"])
    try await flow.tap("Delete", inRow: "Bread")
    #expect(model.items.map(\.name) == ["Milk", "Tea"])
    try await flow.run(script: "action Tea = Delete\nrefuse Tea\ntap Milk")
    #expect(model.items.map(\.name) == ["Milk"])
    await #expect(throws: FlowFailure.self) { try await flow.tap("Delete", inRow: "Tea") }
    await #expect(throws: FlowFailure.self) { try await flow.tap("Burn", inRow: "Milk") }
  }

  @Test func aRowWithoutActionsHasNoMenu() async throws {
    let flow = try await ShownContent.flow { [model] in
      List(model.items) { item in
        Row(item.name).actions { if item.id == 2 { Button("Eat") {} } }
      }
    }
    #expect(flow.lines == ["Milk", "Bread", "(menu) Actions: Eat", "Tea"])
  }

  @Test func oneRowIsSelectedOrNone() async throws {
    let flow = try await ShownContent.flow { [model] in
      List(model.items, selection: Bindable(wrappedValue: model).one) { Text($0.name) }
    }
    #expect(flow.lines == ["Milk", "Bread", "Tea"])
    try await flow.select("Bread")
    #expect(model.one == 2 && flow.lines == ["Milk", "* Bread", "Tea"])
    model.one = nil
    try await flow.restart()
    #expect(model.one == 2, "a selection comes back")
    try await flow.select()
    #expect(model.one == nil)
    await #expect(throws: FlowFailure.self) { try await flow.select("Coffee") }
    try await flow.run(script: "select Tea\nexpect * Tea\nselect Tea\nrefuse * Tea")
  }

  @Test func rowsOfOnesOwnIDsAreSelected() async throws {
    let words = (0..<1_000).map { "word \($0)" }
    let flow = try await ShownContent.flow { [model] in
      List(["Milk", "Tea"], id: \.self, selection: Bindable(wrappedValue: model).word) { Text($0) }
      List(words, id: \.self, selection: Bindable(wrappedValue: model).words) { Text($0) }
    }
    try await flow.select("Tea")
    #expect(model.word == "Tea" && flow.lines[1] == "* Tea")
    try await flow.scroll(toRows: 500..<550)
    try await flow.select("word 501", "word 530")
    #expect(model.words == ["word 501", "word 530"])
    (model.word, model.words) = (nil, [])
    try await flow.restart()
    #expect(model.word == "Tea" && model.words == ["word 501", "word 530"], "both come back")
  }

  @Test func anyNumberOfRowsIsSelectedByTheirKeys() async throws {
    let flow = try await ShownContent.flow { [model] in
      List(model.items, selection: Bindable(wrappedValue: model).several) { Text($0.name) }
      Button("Turn") { model.items.reverse() }
    }
    try await flow.select("Milk", "3")
    #expect(model.several == [1, 3])
    try await flow.tap("Turn")
    #expect(flow.lines == ["* Tea", "Bread", "* Milk", "Turn"], "keys, not places, name rows")
    let list = try #require(flow.presentation.reachable.first { $0.kind == .list })
    let node = try #require(flow.presentation.top?.node)
    await #expect(throws: FlowFailure.self, "one that is not there") {
      try await flow.send(.select(.init(node: node, element: list.id), keys: ["1", "77"]))
    }
    #expect(model.several == [1, 3], "and nothing was changed")
  }

  @Test func aTreeIsExpandedRowByRowAndComesBack() async throws {
    let leaf = Item(id: 3, name: "Leaf")
    let tree = [
      Item(id: 1, name: "Root", parts: [Item(id: 2, name: "Twig", parts: [leaf])]), Item(id: 4, name: "Alone"),
    ]
    let flow = try await ShownContent.flow {
      List(tree, children: { $0.parts }) { Row($0.name) }
    }
    #expect(flow.lines == ["+ Root", "Alone"])
    try await flow.expand("Root")
    try await flow.expand("Twig")
    #expect(flow.lines == ["- Root", "  - Twig", "    Leaf", "Alone"])
    try await flow.restart()
    #expect(flow.lines == ["- Root", "  - Twig", "    Leaf", "Alone"])
    try await flow.expand("Root", false)
    #expect(flow.lines == ["+ Root", "Alone"])
    await #expect(throws: FlowFailure.self) { try await flow.expand("Alone") }
  }

  @Test func aTableIsSortedSelectedAndComesBack() async throws {
    let flow = try await ShownContent.flow { [model] in
      Table(
        "Goods", model.items, selection: Bindable(wrappedValue: model).several,
        columns: [
          TableColumn("Name") { $0.name }.sortable { $0.name },
          TableColumn("Weight") { "\($0.weight)" }.sortable { $0.weight }.trailing(),
          TableColumn("Number") { "\($0.id)" },
        ])
    }
    #expect(flow.lines == ["Goods", "Name | Weight | Number", "Milk | 2.0 | 1", "Bread | 10.0 | 2", "Tea | 0.0 | 3"])
    try await flow.select("Milk")
    try await flow.sort(by: "Weight", .descending)
    let sorted = ["Goods", "Name | Weight ▼ | Number", "Bread | 10.0 | 2", "* Milk | 2.0 | 1", "Tea | 0.0 | 3"]
    #expect(flow.lines == sorted)
    try await flow.restart()
    #expect(flow.lines == sorted)
    try await flow.run(script: "sort Name\nexpect Name ▲\nsort Name\nexpect Name ▼")
    await #expect(throws: FlowFailure.self, "it cannot be sorted by") { try await flow.sort(by: "Number") }
  }

  @Test func aKeyTwiceIsToldAndTheRestWorks() async throws {
    await #expect {
      _ = try await ShownContent.flow { Table("T", [Item(id: 1, name: "a"), Item(id: 1, name: "b")], columns: []) }
    } throws: { "\($0)".contains("Two rows of the table 'T' have the same id.") }
    await #expect {
      _ = try await ShownContent.flow { List([Item(id: 1, name: "a"), Item(id: 1, name: "b")]) { Text($0.name) } }
    } throws: { "\($0)".contains("Two elements have the id") }
  }
}
