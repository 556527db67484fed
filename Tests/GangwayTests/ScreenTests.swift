@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

@MainActor @Suite struct ScreenTests {
  @Test func everyElementIsText() async throws {
    let flow = try await FlowTester(Gallery())
    #expect(
      flow.screen == """
        Everything
        Pictures
        Some text
        Name: []
        Notes: [one⏎two]
        Secret: [•••]
        Night: off
        Size: Medium
        A thing (unavailable: sold out)
        Another (unavailable)
        a1
        b2
        Extras
        inside
        Prices
        what | how much
        tea | 2
        Loading: 40%
        Waiting …
        ---
        Board
        . x
        . .
        Print
        """)
  }

  @Test func inputsWriteToTheirModel() async throws {
    let flow = try await FlowTester(Gallery())
    let model = try #require(flow.coordinator).model
    try await flow.type("Ann\nB", into: "Name")
    try await flow.type("pass", into: "Secret")
    try await flow.toggle("Night")
    try await flow.choose("Large", in: "Size")
    try await flow.tapCell(row: 1, column: 0, in: "Board")
    #expect(model.name == "Ann\nB")
    #expect(model.secret == "pass")
    #expect(model.isNight)
    #expect(model.size == .large)
    #expect(model.cell == "1 0")
  }

  @Test func inputsComeBackButSecretsDoNot() async throws {
    let flow = try await FlowTester(Gallery())
    try await flow.type("Ann", into: "Name")
    try await flow.type("pass", into: "Secret")
    try await flow.choose("Large", in: "Size")
    #expect(!"\(flow.checkpoint)".contains("pass"))
    try await flow.restart()
    let model = try #require(flow.coordinator).model
    #expect((model.name, model.secret, model.size) == ("Ann", "abc", .large))
  }

  @Test func anOptionOrCellThatIsNotThereIsRefused() async throws {
    let flow = try await FlowTester(Gallery())
    let node = try #require(flow.presentation.top?.node)
    let failure = await #expect(throws: FlowFailure.self) { try await flow.choose("Huge", in: "Size") }
    #expect(failure?.message == "'Size' has no option 'Huge'. It has 'Small', 'Medium', 'Large'.")
    await #expect(throws: FlowFailure.self) {
      try await flow.send(.choose(.init(node: node, element: "size"), option: "huge"))
    }
    await #expect(throws: FlowFailure.self) { try await flow.tapCell(row: 2, column: 0, in: "Board") }
    let disabled = await #expect(throws: FlowFailure.self) { try await flow.tapCell(row: 0, column: 1, in: "Board") }
    #expect(disabled?.message.hasPrefix("The cell in row 1, column 2 cannot be tapped now.") == true)
  }

  @Test func aDisabledButtonIsRefusedWithItsReason() async throws {
    let flow = try await FlowTester(Gallery())
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("A thing") }
    #expect(failure?.message.hasPrefix("'A thing' is not available: sold out.") == true)
  }

  @Test func aWrongActionSaysWhatTheElementIs() async throws {
    let flow = try await FlowTester(Gallery())
    let node = try #require(flow.presentation.top?.node)
    let failure = await #expect(throws: FlowFailure.self) {
      try await flow.send(.edit(.init(node: node, element: "size"), text: "x"))
    }
    #expect(failure?.message.hasPrefix("'Size' is not a text field: its kind is now picker.") == true)
  }

  @Test func anAlertMustBeAnsweredFirst() async throws {
    let flow = try await FlowTester(Gallery())
    let model = try #require(flow.coordinator).model
    try await flow.tap("Print")
    #expect(flow.screen == "Everything\n(alert) Print it?\nOn paper\nGo\nCancel")
    let node = try #require(flow.presentation.top?.node)
    let failure = await #expect(throws: FlowFailure.self) {
      try await flow.send(.edit(.init(node: node, element: "name"), text: "x"))
    }
    #expect(failure?.message.hasPrefix("Answer 'Print it?' first.") == true)
    try await flow.back()
    #expect(!model.isAsking)
    try await flow.tap("Print")
    try await flow.tap("Go")
    #expect(model.printed == 1)
    #expect(!model.isAsking)
  }

  @Test func twoElementsOfOneIDAreAnError() async throws {
    let failure = await #expect(throws: FlowFailure.self) { _ = try await FlowTester(Twins()) }
    #expect(failure?.message.contains("Two elements have the id 'same'.") == true)
  }

  @Test func aRowKeepsItsIDWhenOthersCome() async throws {
    let store = TodoStore(["b"])
    let flow = try await FlowTester(TodosCoordinator(store: store))
    let before = flow.presentation.reachable.first { $0.label == "b" }?.id
    store.add("c")
    try await flow.settle()
    #expect(flow.presentation.reachable.first { $0.label == "b" }?.id == before)
    #expect(flow.screen.contains("b\nc"))
  }
}

enum Size: String, CaseIterable, CustomStringConvertible {
  case small, medium, large
  var description: String { rawValue }
}

@MainActor @Observable final class GalleryModel {
  var name = ""
  var notes = "one\ntwo"
  var secret = "abc"
  var isNight = false
  var size = Size.medium
  var cell = ""
  var isAsking = false
  var printed = 0
}

@MainActor final class Gallery: StackCoordinator {
  enum Route: NavigationRoute { case everything }
  let start = Route.everything
  let model = GalleryModel()
  func destination(for route: Route) -> Destination { .screen { GalleryScreen(model: self.model) } }
}

struct GalleryScreen: Screen {
  @Bindable var model: GalleryModel
  var body: some Content {
    Heading("Pictures")
    Text("Some text")
    TextField("Name", text: $model.name).id("name")
    TextField("Notes", text: $model.notes, style: .multiline)
    TextField("Secret", text: $model.secret, style: .secure)
    Toggle("Night", isOn: $model.isNight)
    Picker("Size", selection: $model.size, options: Size.allCases) { $0.rawValue.capitalized }.id("size")
    Button("A thing") {}.disabled(because: "sold out")
    Button("Another") {}.disabled(true)
    List([Named(id: "a", number: 1), Named(id: "b", number: 2)]) { Text("\($0.id)\($0.number)") }
    Section("Extras") { Text("inside") }
    Table("Prices", columns: ["what", "how much"], data: [("tea", 2)]) { [$0.0, "\($0.1)"] }
    Progress("Loading", fraction: 0.4)
    Progress("Waiting")
    Divider()
    Grid("Board", rows: 2, columns: 2) { row, column in
      row == 0 && column == 1 ? GridCell("x", isEnabled: false) : GridCell(".")
    } action: { row, column in
      model.cell = "\(row) \(column)"
    }
    Toolbar { Button("Print") { model.isAsking = true } }
    Confirmation("Print it?", message: "On paper", isPresented: $model.isAsking, button: "Go") { model.printed += 1 }
  }
}

struct Named: Identifiable {
  let id: String
  let number: Int
}

@MainActor final class Twins: StackCoordinator {
  enum Route: NavigationRoute { case twins }
  let start = Route.twins
  func destination(for route: Route) -> Destination { .screen { TwinsScreen() } }
}

struct TwinsScreen: Screen {
  var body: some Content {
    Text("one").id("same")
    Text("two").id("same")
  }
}
