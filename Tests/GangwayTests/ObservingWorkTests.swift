@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) @testable import GangwayTesting
import Observation
import Testing

/// Screen work that observes and never ends is normal. The test kit waits for other work.
@MainActor @Suite struct ObservingWorkTests {
  @Test func workThatObservesForEverFailsNoStep() async throws {
    let weather = Weather()
    let flow = try await FlowTester(ObservingFlow(weather))
    #expect(flow.screen.contains("It is sunny, heard 1"))
    // The work is known to wait, so later steps do not find that out again.
    let waiting = flow.session.work.items.filter(\.isObserving)
    #expect(waiting.count == 1)
    try await flow.tap("Rain")
    #expect(flow.screen.contains("It is rainy, heard 2"))
    try await flow.tap("Sun")
    #expect(flow.screen.contains("It is sunny, heard 3"))
    #expect(flow.session.work.items.filter(\.isObserving).elementsEqual(waiting) { $0 === $1 })
    try await flow.restart()
    #expect(flow.screen.contains("It is sunny"))
  }

  /// Other computations may occupy the threads on which work receives a change.
  @Test func observersAreWaitedForWhereTheirThreadsAreTaken() async throws {
    let weather = Weather()
    weather.isHeardElsewhere = true
    let flow = try await FlowTester(ObservingFlow(weather))
    let others = (0..<6).map { _ in
      Task.detached(priority: .low) {
        while !Task.isCancelled {
          let end = ContinuousClock.now + .milliseconds(5)
          while ContinuousClock.now < end {}
          await Task.yield()
        }
      }
    }
    defer { for other in others { other.cancel() } }
    for count in 1...5 {
      let (button, name) = count.isMultiple(of: 2) ? ("Sun", "sunny") : ("Rain", "rainy")
      try await flow.tap(button)
      #expect(flow.screen.contains("It is \(name), heard \(count + 1)"))
    }
  }

  @Test func workThatDoesSomethingIsWaitedFor() async throws {
    let weather = Weather()
    weather.delay = .milliseconds(120)
    let flow = try await FlowTester(ObservingFlow(weather))
    #expect(flow.screen.contains("Loaded 3"))
  }

  /// The user started the work of a button, so the test kit waits for it, even if nothing is visible.
  @Test func workOfATapIsBusyAsLongAsItRuns() async throws {
    let flow = try await FlowTester(ObservingFlow(Weather()))
    flow.timeLimit = .milliseconds(900)
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Wait long") }
    #expect(failure?.message.contains("did not end within") == true)
  }
}

@MainActor @Observable private final class Weather {
  var now = "sunny"
  var heard = 0
  var loaded = 0
  var delay: Duration = .zero
  /// Whether work receives a change only after all other low-priority work.
  var isHeardElsewhere = false

  func hear() async {
    if isHeardElsewhere {
      await withCheckedContinuation { turn in Task.detached(priority: .low) { turn.resume() } }
    }
    heard += 1
  }
}

private final class ObservingFlow: StackCoordinator {
  enum Route: NavigationRoute { case home }
  let start = Route.home
  let weather: Weather
  init(_ weather: Weather) { self.weather = weather }
  func destination(for route: Route) -> Destination { .screen { [weather] in ObservingScreen(weather: weather) } }
}

private struct ObservingScreen: Screen {
  let weather: Weather
  var body: some Content {
    Text("It is \(weather.now), heard \(weather.heard)").task {
      // The standard way to follow a value forever.
      for await _ in Observations({ weather.now }) { await weather.hear() }
    }
    Text("Loaded \(weather.loaded)").task {
      for _ in 0..<3 {
        try? await Task.sleep(for: weather.delay)
        weather.loaded += 1
      }
    }
    Button("Rain") { weather.now = "rainy" }
    Button("Sun") { weather.now = "sunny" }
    Button("Wait long") { try await Task.sleep(for: .seconds(120)) }
  }
}
