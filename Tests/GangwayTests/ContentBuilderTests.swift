@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// Every form of content, as SwiftUI authors know it.
@MainActor @Suite struct ContentBuilderTests {
  enum Weather: Hashable, Sendable, CaseIterable {
    case sun, cloud, rain(millimetres: Int), snow(centimetres: Int), fog, unknown
    static var allCases: [Weather] {
      [.sun, .cloud, .rain(millimetres: 3), .rain(millimetres: 30), .snow(centimetres: 5), .fog, .unknown]
    }
  }

  @Observable @MainActor final class Model {
    var number = 0
    var typed = ""
  }

  /// A flow that shows the content of a test.
  final class Flow: StackCoordinator {
    enum Route: NavigationRoute { case start }
    let start = Route.start
    private let content: @MainActor () -> ContentGroup
    init(@ContentBuilder _ content: @escaping @MainActor () -> ContentGroup) { self.content = content }
    func destination(for route: Route) -> Destination { .screen { [content] in Whole(content: content) } }
  }

  struct Whole: Screen {
    let content: @MainActor () -> ContentGroup
    var body: some Content { content() }
  }

  private let model = Model()

  /// Returns the lines of content.
  private func shown(@ContentBuilder _ content: @escaping @MainActor () -> ContentGroup) async throws -> [String] {
    try await FlowTester(Flow(content)).screen.split(separator: "\n").dropFirst().map(String.init)
  }

  // MARK: Conditions

  @Test(arguments: Weather.allCases) func aSwitchHasAnyNumberOfCases(_ weather: Weather) async throws {
    let lines = try await shown {
      switch weather {
      case .sun: Text("dry")
      case .cloud: Text("grey")
      case .rain(let millimetres) where millimetres > 10:
        Text("much rain")
        Text("\(millimetres) mm")
      case .rain(let millimetres): Text("rain, \(millimetres) mm")
      case .snow(centimetres: 0): Text("no snow")
      case .snow: Text("snow")
      case .fog: EmptyContent()
      default: Text("who knows")
      }
      Text("end")
    }
    let expected =
      switch weather {
      case .sun: ["dry"]
      case .cloud: ["grey"]
      case .rain(let millimetres): millimetres > 10 ? ["much rain", "30 mm"] : ["rain, 3 mm"]
      case .snow: ["snow"]
      case .fog: [String]()
      case .unknown: ["who knows"]
      }
    #expect(lines == expected + ["end"])
  }

  @Test(arguments: 0...5) func anElseIfMayFollowAnother(_ number: Int) async throws {
    let lines = try await shown {
      if number == 0 {
        Text("none")
      } else if number == 1 {
        Text("one")
      } else if number == 2, number < 3 {
        Text("two")
      } else if number == 3 {
        Text("three")
      } else {
        Text("many")
      }
    }
    #expect(lines == [["none", "one", "two", "three", "many", "many"][number]])
  }

  @Test(arguments: 0...3) func theLastElseMayBeAbsent(_ number: Int) async throws {
    let lines = try await shown {
      if number == 0 {
        Text("none")
      } else if number == 1 {
        Text("one")
      } else if number == 2 {
        Text("two")
      }
      Text("end")
    }
    #expect(lines == ["none", "one", "two"].dropFirst(number).prefix(1) + ["end"])
  }

  @Test(arguments: [nil, "Ann"]) func whatIsThereIsBound(_ name: String?) async throws {
    let number: Any = 7
    let lines = try await shown {
      if let name { Text("Hello \(name)") } else { Text("Who is it?") }
      if let name, name.count > 2, case let first? = name.first { Text("It begins with \(first)") }
      if case .some(let name) = name { Text("Some \(name)") }
      if let number = number as? Int { Text("It is \(number)") }
    }
    #expect(
      lines == (name == nil ? ["Who is it?"] : ["Hello Ann", "It begins with A", "Some Ann"]) + ["It is 7"])
  }

  @Test(arguments: [nil, "Ann"]) func contentMayBeAbsent(_ name: String?) async throws {
    let erased: (any Content)? = name.map { Text("Erased \($0)") }
    let lines = try await shown {
      name.map { Text("Hello \($0)") }
      erased
      name.map { name in
        Section("About \(name)") { Text("\(name.count) letters") }
      }
      Text("end")
    }
    #expect(lines == (name == nil ? [] : ["Hello Ann", "Erased Ann", "About Ann", "3 letters"]) + ["end"])
  }

  @Test func whatSomeSystemsHaveIsAskedFor() async throws {
    let lines = try await shown {
      if #available(macOS 999, *) { Text("everywhere else") } else { Text("old") }
      if #available(macOS 13, *) { Text("new enough") }
      if #unavailable(macOS 13) { Text("too old") }
      #if os(Linux)
        Text("on Linux")
      #else
        Text("elsewhere")
      #endif
    }
    #expect(lines.contains("new enough") && !lines.contains("too old"), "\(lines)")
  }

  // MARK: Loops

  @Test func loopsHoldAnything() async throws {
    let table = ["b": 2, "a": 1]
    let lines = try await shown {
      for number in 0..<3 where number != 1 { Text("row \(number)") }
      for (index, name) in ["x", "y"].enumerated() {
        for mark in ["!", "?"] {
          if index == 0 {
            Text("\(name)\(mark)")
          } else if mark == "!" {
            Text("\(name) once")
          }
        }
      }
      for (key, value) in table.sorted(by: { $0.key < $1.key }) { Text("\(key)=\(value)") }
      for case let name? in ["n", nil, "m"] { Text(name) }
      for _ in 0..<0 { Text("never") }
    }
    #expect(lines == ["row 0", "row 2", "x!", "x?", "y once", "a=1", "b=2", "n", "m"])
  }

  @Test func aSwitchStandsInALoopInASwitch() async throws {
    let lines = try await shown {
      switch Weather.allCases.count {
      case 0: Text("none")
      default:
        for weather in Weather.allCases {
          switch weather {
          case .sun, .cloud: Text("dry")
          case .rain(let amount):
            switch amount {
            case ..<10: Text("a little")
            case 10..<20: Text("some")
            default:
              if amount > 100 { Text("a flood") } else if amount > 50 { Text("a storm") } else { Text("a lot") }
            }
          case .snow: Text("white")
          case .fog: EmptyContent()
          default: Text("?")
          }
        }
      }
    }
    #expect(lines == ["dry", "dry", "a little", "a lot", "white", "?"])
  }

  // MARK: Declarations and parts

  @Test func declarationsStandBetween() async throws {
    let lines = try await shown {
      let sum = (1...4).reduce(0, +)
      var words = ["sum"]
      let _ = words.append("is")
      let (left, right) = (words.joined(separator: " "), "\(sum)")
      Text("\(left) \(right)")
      do {
        let inner = "inner"
        Text(inner)
      }
    }
    #expect(lines == ["sum is 10", "inner"])
  }

  @ContentBuilder private func part(_ number: Int) -> some Content {
    switch number {
    case 0: Text("zero")
    case 1: Text("one")
    default: Text("more")
    }
  }

  @ContentBuilder private var parts: some Content {
    part(0)
    part(1)
    part(2)
  }

  private func erased(_ number: Int) -> any Content {
    if number == 0 { return Text("erased zero") }
    return Heading("erased")
  }

  @Test func partsAreOfTheirOwn() async throws {
    let number = Int("3") ?? 0
    let lines = try await shown {
      parts
      erased(0)
      erased(1)
      Section("A section") {
        switch number {
        case 1: Text("one")
        case 2: Text("two")
        default: parts
        }
      }
    }
    #expect(
      lines == ["zero", "one", "more", "erased zero", "erased", "A section", "zero", "one", "more"])
  }

  @Test func moreThanTenPiecesStandInOneBlock() async throws {
    let lines = try await shown {
      Text("1")
      Text("2")
      Text("3")
      Text("4")
      Text("5")
      Text("6")
      Text("7")
      Text("8")
      Text("9")
      Text("10")
      Text("11")
      Text("12")
    }
    #expect(lines == (1...12).map(String.init))
  }

  // MARK: Ids

  /// Stored text, focus and presses belong to an id. Two branches must not share one, and later elements keep theirs.
  @Test func everyCaseHasIdsOfItsOwnAndWhatFollowsKeepsItsIds() async throws {
    let model = model
    let flow = try await FlowTester(
      Flow {
        switch model.number {
        case 0: Text("zero")
        case 1: Text("one")
        case 2: Text("two")
        case 3: Text("three")
        default: Text("more")
        }
        if model.number == 1 { Text("only then") }
        TextField(
          "Name",
          text: Binding {
            model.typed
          } set: {
            model.typed = $0
          })
      })
    var ids: Set<ElementID> = []
    var fields: Set<ElementID> = []
    for number in 0...4 {
      model.number = number
      try await flow.settle()
      let elements = try #require(flow.presentation.top).elements
      ids.insert(try #require(elements.first).id)
      fields.insert(try #require(elements.first { $0.kind == .field }).id)
    }
    #expect(ids.count == 5, "\(ids)")
    #expect(fields.count == 1, "\(fields)")
  }
}
