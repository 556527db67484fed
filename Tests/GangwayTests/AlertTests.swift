@_spi(FrontEnd) @_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// The user leaves an alert only by answering it.
@MainActor @Suite struct AlertTests {
  @Test func oneWithoutAButtonHasAWayOut() async throws {
    let flow = try await FlowTester(Alarms())
    try await flow.tap("Mute")
    #expect(flow.presentation.alert?.children.map(\.label) == ["OK"])
    try await flow.tap("OK")
    #expect(flow.presentation.alert == nil)
    try await flow.tap("Mute")
    try await flow.back()
    #expect(flow.presentation.alert == nil)
    // The same is true if none of its buttons can be pressed.
    try await flow.tap("Disabled")
    try await flow.tap("OK")
    #expect(flow.presentation.alert == nil)
  }

  @Test func oneThatStaysHoldsNobody() async throws {
    let flow = try await FlowTester(Alarms())
    try await flow.tap("Next")
    try await flow.tap("Stuck")
    try await flow.tap("Stop")
    #expect(flow.presentation.alert != nil)
    try await flow.tap("Stop")
    #expect(flow.presentation.alert == nil)
    // The text stays readable.
    #expect(flow.screen.contains("It rings\nfor ever\nStop"))
    try await flow.back()
    #expect(flow.path == [.all])
  }

  @Test func oneThatComesBackIsAnAlertAgain() async throws {
    let flow = try await FlowTester(Alarms())
    for _ in 0..<5 {
      try await flow.tap("Mute")
      #expect(flow.presentation.alert != nil)
      try await flow.tap("OK")
      #expect(flow.presentation.alert == nil)
    }
  }
}

/// An alert that its own answer shows again stays an alert, however often.
extension AlertTests {
  @Test func oneThatItsAnswerShowsAgainStaysAnAlert() async throws {
    let flow = try await FlowTester(Alarms())
    try await flow.tap("Guess")
    for _ in 0..<4 {
      try await flow.tap("Wrong")
      #expect(flow.presentation.alert?.label == "Try again")
    }
    try await flow.tap("Right")
    #expect(flow.presentation.alert == nil)
  }
}

@MainActor @Observable private final class Bell {
  var isGuessing = false
  var isMuted = false
  var isDisabled = false
  var isStuck = false
}

private final class Alarms: StackCoordinator {
  enum Route: NavigationRoute { case all, next }
  let start = Route.all
  private let bell = Bell()
  func destination(for route: Route) -> Destination {
    .screen { [bell] router in AlarmScreen(bell: bell, router: router) }
  }
}

private struct AlarmScreen: Screen {
  @Bindable var bell: Bell
  let router: Router<Alarms>
  var body: some Content {
    Button("Next") { try await router.show(.next) }
    Button("Mute") { bell.isMuted = true }
    Button("Disabled") { bell.isDisabled = true }
    Button("Stuck") { bell.isStuck = true }
    Alert("Muted", isPresented: $bell.isMuted) {}
    Alert("Off", isPresented: $bell.isDisabled) { Button("Never") {}.disabled(true) }
    Button("Guess") { bell.isGuessing = true }
    Alert("Try again", isPresented: $bell.isGuessing) {
      Button("Wrong") { bell.isGuessing = true }
      Button("Right") {}
    }
    if bell.isStuck {
      Alert("It rings", message: "for ever", isPresented: .constant(true)) { Button("Stop", role: .cancel) {} }
    }
  }
}
