import Gangway
@_spi(FrontEnd) import GangwayProtocol
import GangwayTesting
import Testing

@testable import Clock

@MainActor @Suite struct ClockFlowTests {
  @Test(arguments: [
    ("gangway://clock", "tab clock.time"), ("gangway://clock/zones", "tab clock.time → zones"),
  ])
  func eachLinkLeadsWhereItSaysAndBack(_ url: String, _ plan: String) throws {
    let registry = try Registry(plugins: [ClockPlugin.self])
    let link = try #require(try registry.links.resolve(url))
    #expect(link.plan.description == plan)
    #expect(registry.links.url(for: link.plan) == url)
  }

  private let time = TestTimeSource(start: 13 * 3600 + 59 * 60 + 58)

  private func makeFlow() async throws -> FlowTester<ClockCoordinator> {
    let time = time
    return try await FlowTester(ClockCoordinator(source: time))
  }

  @Test func theTimeTicksByItself() async throws {
    let flow = try await makeFlow()
    #expect(flow.screen.contains("13:59:58"))
    try await flow.advance(time.clock, by: .seconds(2))
    #expect(flow.screen.contains("14:00:00"))
    #expect(flow.presentation.revision == 3)
  }

  @Test func theToggleSurvivesARestart() async throws {
    let flow = try await makeFlow()
    try await flow.toggle("24 hours")
    #expect(flow.screen == "Time\n1:59:58 pm\nin UTC\n24 hours: off\nTime zones")
    let before = (flow.screen, flow.tree)
    try await flow.restart()
    #expect((flow.screen, flow.tree) == before)
  }

  @Test func aZoneIsChosenFromAPushedList() async throws {
    let flow = try await makeFlow()
    try await flow.tap("Time zones")
    #expect(flow.path == [.time, .zones])
    try await flow.tap("Kathmandu")
    #expect(flow.path == [.time])
    #expect(flow.screen.contains("19:44:58\nin Kathmandu"))
  }

  @Test func theClockGoesOnBesideTheListOfZones() async throws {
    let flow = try await makeFlow()
    try await flow.tap("Time zones")
    try await flow.advance(time.clock, by: .seconds(5))
    #expect(flow.panes.count == 2)
    #expect(flow.panes.first?.hasPrefix("14:00:03") == true)
    // The user can also set it there.
    try await flow.toggle("24 hours")
    #expect(flow.panes.first?.contains("2:00:03 pm") == true)
    try await flow.back()
    #expect(flow.presentation.top?.panes == nil)
  }
}

@Suite struct TimeZoneChoiceTests {
  @Test(arguments: [
    (TimeZoneChoice.utc, 0, true, "00:00:00"), (.utc, 0, false, "12:00:00 am"), (.utc, 43_200, false, "12:00:00 pm"),
    (.phoenix, 0, true, "17:00:00"), (.tokyo, 86_399, true, "08:59:59"),
  ])
  func theTimeOfDayIsThatOfThePlace(_ zone: TimeZoneChoice, _ seconds: Int, _ is24Hours: Bool, _ text: String) {
    #expect(zone.text(at: seconds, is24Hours: is24Hours) == text)
  }
}

/// A time that stands still until the test advances its clock.
@MainActor final class TestTimeSource: TimeSource {
  let clock = TestClock()
  private let start: Int

  nonisolated init(start: Int) { self.start = start }

  var now: Int { start + Int(clock.now.offset.components.seconds) }

  func nextSecond() async throws { try await clock.sleep(for: .seconds(1)) }
}
