@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The user's input waits for its element, as long as the entry lives.
@MainActor @Suite struct StoredInputTests {
  /// A source that delivers a screen's data on request of the test.
  @MainActor final class Source {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isOpen = true

    func close() { isOpen = false }

    func open() {
      isOpen = true
      for continuation in waiting { continuation.resume() }
      waiting = []
    }

    func data() async -> [String] {
      if !isOpen { await withCheckedContinuation { waiting.append($0) } }
      return ["Ada", "Grace", "Edith"]
    }
  }

  @Observable @MainActor final class Model {
    var people: [String] = []
    var note = ""
    var person = "nobody"
    var selection: Set<String> = []
    var isUrgent = false
  }

  struct Person: Identifiable { let id: String }

  /// A screen whose content appears only after its data has loaded.
  struct Form: Screen {
    let source: Source
    @Bindable var model = Model()

    var body: some Content {
      Progress("Loading").task { model.people = await source.data() }
      List(model.people.map { Person(id: $0) }, selection: $model.selection) { Text($0.id) }
      Picker("Person", selection: $model.person, options: ["nobody"] + model.people)
      if !model.people.isEmpty {
        TextField("Note", text: $model.note).id("note")
        Toggle("Urgent", isOn: $model.isUrgent)
        Disclosure("More") { NumberField("Guests", value: .constant(1), in: 1...5) }
      }
    }
  }

  private static let filled = [
    "Loading …", "* Ada", "Grace", "* Edith", "Person: Grace", "Note: [Bring cake]", "Urgent: on", "- More",
    "Guests: [many] (problem: 'many' is not a number.)",
  ]

  private func filledFlow(_ source: Source) async throws -> FlowTester<ShownScreen<Form>> {
    let flow = try await FlowTester(ShownScreen { Form(source: source) })
    try await flow.type("Bring cake", into: "Note")
    try await flow.toggle("Urgent")
    try await flow.choose("Grace", in: "Person")
    try await flow.select("Ada", "Edith")
    try await flow.expand("More")
    try await flow.type("many", into: "Guests")
    let node = try #require(flow.presentation.top?.node)
    try await flow.send(.focus(node, "note"))
    try await flow.send(.scroll(node, lines: 3))
    #expect(flow.lines == Self.filled)
    return flow
  }

  /// A screen that loses input in a restart, which the step that enters it reports.
  struct Lossy: Screen {
    let isNamed: Bool
    @Bindable var model = Model()
    @MainActor static var loads = 0

    var title: String? { model.people.isEmpty ? "Loading" : "\(model.people.count) people" }

    var body: some Content {
      Progress("Loading").task {
        Self.loads += 1
        model.people = [1, 2, 3].map { "\($0).\(isNamed ? 0 : Self.loads)" }
      }
      for person in model.people { TextField("Note", text: $model.note).id("note \(person)") }
    }
  }

  @Test func theTestKitFindsWhatALoadedScreenLoses() async throws {
    let kept = try await FlowTester(ShownScreen { Lossy(isNamed: true) })
    #expect(kept.presentation.top?.title == "3 people", "a title made from what is loaded is not compared")
    try await kept.type("cake", into: "#note 1.0")
    try await kept.restart()
    #expect(kept.lines.last == "Note: [cake]")
    Lossy.loads = 0
    let lossy = try await FlowTester(ShownScreen { Lossy(isNamed: false) })
    await #expect {
      try await lossy.type("cake", into: "#note 1.1")
    } throws: { "\($0)".contains("after a restart, '3 people' has no element #note 1.1") }
  }

  @Test func whatAppearsAfterLoadingHoldsWhatWasEntered() async throws {
    let source = Source()
    let flow = try await filledFlow(source)
    try await flow.restart()
    #expect(flow.lines == Self.filled)
    #expect(flow.presentation.top?.focus == "note" && flow.presentation.top?.scroll == 3)
  }

  @Test func whatIsStoredOutlivesACrashBeforeItsElementIsThere() async throws {
    let source = Source()
    let flow = try await filledFlow(source)
    source.close()
    flow.quietLimit = .milliseconds(50)
    try await flow.restart()
    #expect(flow.lines == ["Loading …", "Person: nobody"], "nothing is there yet")
    try await flow.restart()
    try await flow.restart()
    source.open()
    try await flow.settle()
    #expect(flow.lines == Self.filled, "three hosts later")
  }

  @Test func whatThePersonEntersMeanwhileWins() async throws {
    let source = Source()
    let flow = try await filledFlow(source)
    try await flow.restart()
    try await flow.type("Bring tea", into: "Note")
    try await flow.choose("Ada", in: "Person")
    try await flow.select("Grace")
    try await flow.restart()
    #expect(flow.lines[1...5] == ["Ada", "* Grace", "Edith", "Person: Ada", "Note: [Bring tea]"])
  }

  @Test func whatIsChosenBeforeTheOldChoiceIsThereWins() async throws {
    let source = Source()
    let flow = try await filledFlow(source)
    source.close()
    flow.quietLimit = .milliseconds(50)
    try await flow.restart()
    try await flow.choose("nobody", in: "Person")
    try await flow.select()
    source.open()
    try await flow.settle()
    #expect(flow.lines[1...4] == ["Ada", "Grace", "Edith", "Person: nobody"])
  }

  /// A screen with inputs that follow or bound each other. The order of their restoration makes no difference.
  struct Stay: Screen {
    @Observable @MainActor final class Model {
      var first = Date(timeIntervalSince1970: 1_795_000_000)
      var last = Date(timeIntervalSince1970: 1_795_000_000)
      var guests = 2
    }

    @Bindable var model = Model()

    var body: some Content {
      let end = model.first.addingTimeInterval(864_000)
      DatePicker("Leaving", selection: $model.last, in: model.first...end, components: .date)
      DatePicker("Coming", selection: $model.first, components: .date)
      DatePicker("At", selection: $model.first, components: .time)
      DatePicker("In all", selection: $model.first)
      NumberField("Guests", value: $model.guests, in: 1...9)
      Text("\(model.guests) beds")
    }
  }

  @Test func aRefusalStaysWhereAnotherInputSetsTheSameValue() async throws {
    let flow = try await FlowTester(ShownScreen { Stay() })
    try await flow.type("09:30", into: "At")
    try await flow.type("soon", into: "In all")
    let before = flow.lines
    #expect(before[3].hasPrefix("In all: [soon] (problem: "))
    try await flow.restart()
    #expect(flow.lines == before)
    try await flow.restart()
    #expect(flow.lines == before)
  }

  @Test func whatAnotherInputBoundsIsNotRefusedForTheOrder() async throws {
    let flow = try await FlowTester(ShownScreen { Stay() })
    try await flow.type("2030-01-01", into: "Coming")
    try await flow.type("2030-01-05", into: "Leaving")
    let before = flow.lines
    #expect(before[0] == "Leaving: [2030-01-05]")
    try await flow.restart()
    #expect(flow.lines == before)
  }

  @Test func whatWasTakenBeforeARefusalComesBackUnderIt() async throws {
    let flow = try await FlowTester(ShownScreen { Stay() })
    try await flow.type("5", into: "Guests")
    try await flow.type("many", into: "Guests")
    let before = flow.lines
    #expect(before[4...] == ["Guests: [many] (problem: 'many' is not a number.)", "5 beds"])
    try await flow.restart()
    #expect(flow.lines == before)
    try await flow.type("7", into: "Guests")
    try await flow.restart()
    #expect(flow.lines[4...] == ["Guests: [7]", "7 beds"])
  }

  /// A screen with a choice that refuses one option, and a button that sets the value.
  struct Meal: Screen {
    struct SoldOut: Error, CustomStringConvertible { let description = "Fish is sold out." }

    @Observable @MainActor final class Model { var dish = "soup" }

    let model = Model()

    var body: some Content {
      let dish = Binding {
        model.dish
      } set: {
        guard $0 != "fish" else { throw SoldOut() }
        model.dish = $0
      }
      Picker("Dish", selection: dish, options: ["soup", "salad", "fish"])
      Button("The usual") { model.dish = "soup" }
    }
  }

  @Test func whyAChoiceWasRefusedStaysUntilTheValueIsAnother() async throws {
    let flow = try await FlowTester(ShownScreen { Meal() })
    try await flow.choose("salad", in: "Dish")
    try await flow.choose("fish", in: "Dish")
    #expect(flow.lines[0] == "Dish: salad (problem: Fish is sold out.)")
    try await flow.restart()
    #expect(flow.lines[0] == "Dish: salad (problem: Fish is sold out.)")
    try await flow.tap("The usual")
    #expect(flow.lines[0] == "Dish: soup")
  }

  /// A flow whose screens all have a switch for one value of its state.
  @Observable final class Lamp: StackCoordinator {
    enum Route: NavigationRoute { case room(Int) }
    let start = Route.room(1)
    var state = false

    func destination(for route: Route) -> Destination {
      switch route {
      case .room(let number): .screen { router in Room(number: number, lamp: self, router: router) }
      }
    }
  }

  struct Room: Screen {
    let number: Int
    @Bindable var lamp: Lamp
    let router: Router<Lamp>
    var title: String? { "Room \(number)" }
    var body: some Content {
      Toggle("Light", isOn: $lamp.state)
      Button("Next room") { try await router.show(.room(number + 1)) }
    }
  }

  /// Otherwise, the older value of a covered screen replaces the newer one as soon as the user goes back.
  @Test func aCoveredScreenDoesNotBringBackAnOlderValue() async throws {
    let flow = try await FlowTester(Lamp())
    try await flow.toggle("Light")
    try await flow.tap("Next room")
    try await flow.toggle("Light")
    try await flow.restart()
    #expect(flow.lines[0] == "Light: off")
    try await flow.back()
    #expect(flow.lines[0] == "Light: off", "the screen below showed on, before the light was switched off")
    #expect(flow.coordinator?.state == false)
  }

  @Test func norDoesOneThatIsShownForTheFirstTimeSinceARestart() async throws {
    let flow = try await FlowTester(Lamp())
    try await flow.toggle("Light")
    try await flow.tap("Next room")
    try await flow.restart()
    try await flow.toggle("Light")
    try await flow.back()
    #expect(flow.lines[0] == "Light: off")
    try await flow.restart()
    #expect(flow.lines[0] == "Light: off")
  }

  /// A flow whose screens read something before they show a switch and a text, and count the user's changes.
  @Observable final class Hall: StackCoordinator {
    enum Route: NavigationRoute { case room(Int) }
    struct State: Codable {
      var isLit = false
      var edits = 0
    }
    let start = Route.room(1)
    var state = State()

    func destination(for route: Route) -> Destination {
      switch route {
      case .room(let number):
        .screen { router in HallRoom(number: number, hall: self, router: router, contents: .init(self)) }
      }
    }
  }

  struct HallRoom: Screen {
    @Observable @MainActor final class Contents {
      var isRead = false
      var note = "" {
        didSet { hall.state.edits += 1 }
      }
      private let hall: Hall

      init(_ hall: Hall) { self.hall = hall }
    }

    let number: Int
    @Bindable var hall: Hall
    let router: Router<Hall>
    @Bindable var contents: Contents
    var title: String? { "Room \(number)" }
    var body: some Content {
      if contents.isRead {
        Toggle("Light", isOn: $hall.state.isLit)
        TextField("Note", text: $contents.note)
      }
      Button("Next room") { try await router.show(.room(number + 1)) }
        .task { contents.isRead = true }
    }
  }

  /// The switch of the screen below appears late, with the value that the user chose meanwhile.
  @Test func norDoesOneThatReadsSomethingFirst() async throws {
    let flow = try await FlowTester(Hall())
    try await flow.toggle("Light")
    try await flow.tap("Next room")
    try await flow.restart()
    #expect(flow.lines[0] == "Light: on")
    try await flow.toggle("Light")
    try await flow.back()
    #expect(flow.lines[0] == "Light: off", "the screen below showed on, before the light was switched off")
    #expect(flow.coordinator?.state.isLit == false)
    try await flow.restart()
    #expect(flow.lines[0] == "Light: off")
  }

  /// A text comes back even if its change also changes the state of the flow, which was restored by itself.
  @Test func aTextThatChangesTheStateOfItsFlowComesBack() async throws {
    let flow = try await FlowTester(Hall())
    try await flow.type("lamp oil", into: "Note")
    let edits = flow.coordinator?.state.edits
    try await flow.restart()
    #expect(flow.lines[1] == "Note: [lamp oil]")
    #expect(flow.coordinator?.state.edits == edits)
  }
}
