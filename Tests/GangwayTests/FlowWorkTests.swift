@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) @testable import GangwayTesting
import Observation
import Testing

/// A flow's work starts with the flow, continues while the flow is covered, and ends with the flow.
@MainActor @Suite struct FlowWorkTests {
  private func flow(_ radio: Radio) async throws -> FlowTester<Listeners> { try await FlowTester(Listeners(radio)) }

  @Test func itBeginsWithTheFlowAndGoesOnWhileItIsCovered() async throws {
    let radio = Radio()
    let flow = try await flow(radio)
    #expect(radio.log == [])
    try await flow.tap("Listen")
    #expect(radio.log == ["begins"])
    try await flow.tap("Cover")
    #expect(flow.presentation.path.map(\.title) == ["Home", "Listening", "Cover"])
    radio.station = "two"
    try await flow.settle()
    #expect(radio.log == ["begins", "hears two"])
    try await flow.back()
    #expect(radio.log == ["begins", "hears two"])
    // Leaving the flow ends the work.
    try await flow.back()
    #expect(radio.log == ["begins", "hears two", "ends"])
    radio.station = "three"
    try await flow.settle()
    #expect(radio.log.count == 3)
    #expect(flow.notices.isEmpty)
  }

  @Test func itNavigates() async throws {
    let radio = Radio()
    let flow = try await flow(radio)
    try await flow.tap("Listen")
    radio.station = "news"
    try await flow.settle()
    #expect(flow.presentation.path.map(\.title) == ["Home", "Listening", "News"])
  }

  @Test func itMayEndItsOwnFlow() async throws {
    let radio = Radio()
    let flow = try await flow(radio)
    try await flow.tap("Listen")
    radio.station = "over"
    try await flow.settle()
    #expect(flow.presentation.path.map(\.title) == ["Home"])
    #expect(radio.log == ["begins", "finished", "ends"])
  }

  @Test func itBeginsAgainAfterARestart() async throws {
    let radio = Radio()
    let flow = try await flow(radio)
    try await flow.tap("Listen")
    try await flow.tap("Cover")
    radio.log = []
    try await flow.restart()
    #expect(radio.log.contains("begins"))
    radio.station = "two"
    try await flow.settle()
    #expect(radio.log.last == "hears two")
  }

  @Test func aFlowThatWasNotLetInDoesNothing() async throws {
    let radio = Radio()
    radio.isClosed = true
    let flow = try await flow(radio)
    try await flow.send(.tap(try reference("Listen", flow)), expecting: "closed")
    #expect(flow.presentation.path.map(\.title) == ["Home"])
    #expect(radio.log == [])
  }

  @Test func whatItThrowsIsTold() async throws {
    let radio = Radio()
    let flow = try await flow(radio)
    try await flow.tap("Listen")
    radio.station = "noise"
    await #expect(throws: FlowFailure.self) {
      try await flow.settle()
      try flow.checkNotices(SourcePlace(file: #fileID, line: #line))
    }
    #expect(flow.notices.map(\.text).first?.contains("Noise") == true, "\(flow.notices)")
  }

  @Test func workGivenLaterBeginsAtOnce() async throws {
    let radio = Radio()
    let flow = try await flow(radio)
    flow.coordinator?.work { _ in radio.log.append("later") }
    try await flow.settle()
    #expect(radio.log == ["later"])
    // A coordinator that is never shown does nothing.
    _ = Listener(radio)
    try await flow.settle()
    #expect(radio.log == ["later"])
  }

  private func reference(_ label: String, _ flow: FlowTester<Listeners>) throws -> Event.ElementReference {
    let top = try #require(flow.presentation.top)
    let element = try #require(top.elements.flattened.first { $0.label == label })
    return .init(node: top.node, element: element.id)
  }
}

extension FlowTester {
  /// Sends an action that must be refused.
  fileprivate func send(_ action: Event.Action, expecting text: String) async throws {
    let failure = await #expect(throws: FlowFailure.self) { try await self.send(action) }
    #expect(failure?.message.contains(text) == true, "\(failure?.message ?? "")")
  }
}

@MainActor @Observable private final class Radio {
  var station = "one"
  var isClosed = false
  @ObservationIgnored var log: [String] = []
}

private struct Noise: Error {}

private final class Listeners: StackCoordinator {
  enum Route: NavigationRoute { case home, listening }
  let start = Route.home
  private let radio: Radio
  init(_ radio: Radio) { self.radio = radio }

  func destination(for route: Route) -> Destination {
    switch route {
    case .home: .screen { router in ButtonScreen(label: "Listen") { try await router.show(.listening) } }
    case .listening: .flow { [radio] in Listener(radio) }
    }
  }

  func guards(for route: Route) -> [NavigationGuard] {
    guard route == .listening else { return [] }
    return [NavigationGuard("open") { [radio] _ in radio.isClosed ? .deny("The studio is closed.") : .allow }]
  }
}

private final class Listener: StackCoordinator {
  enum Route: NavigationRoute { case listening, cover, news }
  let start = Route.listening

  init(_ radio: Radio) {
    work { flow in
      radio.log.append("begins")
      defer { radio.log.append("ends") }
      var last = radio.station
      for await station in Observations({ radio.station }) where station != last {
        last = station
        switch station {
        case "news": try await flow.router.show(.news)
        case "noise": throw Noise()
        case "over":
          try await flow.router.finish()
          radio.log.append("finished")
        default: radio.log.append("hears \(station)")
        }
      }
    }
  }

  func destination(for route: Route) -> Destination {
    .screen { router in ButtonScreen(label: "Cover") { try await router.show(.cover) } }
  }
}

private struct ButtonScreen: Screen {
  let label: String
  let action: @MainActor () async throws -> Void
  var body: some Content { Button(label) { try await action() } }
}
