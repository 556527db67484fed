@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

@_spi(FrontEnd) @testable import Gangway

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Dates in the user's time zone, whichever zone the tests run in.
@MainActor @Suite struct DatePickerTests {
  @Observable @MainActor final class Model {
    var due: Date
    init() throws { due = try LocalTime("2026-11-22T09:30", [.date, .time], instead: nil).date }
  }

  @Test func aDateIsSetInPartsAndComesBack() async throws {
    let model = try Model()
    let bound = Bindable(wrappedValue: model).due
    let flow = try await ShownContent.flow {
      DatePicker("Due", selection: bound)
      DatePicker("Day", selection: bound, components: .date)
      DatePicker("Time", selection: bound, components: .time)
    }
    #expect(flow.lines == ["Due: [2026-11-22T09:30]", "Day: [2026-11-22]", "Time: [09:30]"])
    #expect(flow.presentation.reachable.map(\.role) == [nil, .day, .time])
    try await flow.type("2027-01-02", into: "Day")
    try await flow.type("23:59", into: "Time")
    #expect(flow.lines[0] == "Due: [2027-01-02T23:59]")
    let other = try LocalTime("2030-02-28T06:15", [.date, .time], instead: nil).date
    try await flow.choose(other, in: "Due")
    #expect(model.due == other)
    model.due = Date(timeIntervalSince1970: 0)
    try await flow.restart()
    #expect(flow.lines == ["Due: [2030-02-28T06:15]", "Day: [2030-02-28]", "Time: [06:15]"])
  }

  @Test(arguments: [
    ("", "Enter a value like 2026-11-22 09:30."), ("tomorrow", "Enter a value like 2026-11-22 09:30, not 'tomorrow'."),
    ("2026-02-30 10:00", "There is no day 2026-02-30 10:00."),
    ("2026-13-01 10:00", "There is no day 2026-13-01 10:00."),
    ("0000-01-01 10:00", "The year 0 is not between 1 and 9999."),
    ("10000-01-01 10:00", "The year 10000 is not between 1 and 9999."),
    ("2026-01-01 24:00", "There is no time 24:00."), ("2026-01-01 9", "There is no time 9."),
    ("2020-01-01 10:00", "2020-01-01 10:00 is not between 2026-01-01T00:00 and 2027-01-01T00:00."),
  ]) func whatIsNoDateStaysWithTheReason(_ text: String, _ reason: String) async throws {
    let model = try Model()
    let before = model.due
    let first = try LocalTime("2026-01-01 00:00", [.date, .time], instead: nil).date
    let last = try LocalTime("2027-01-01 00:00", [.date, .time], instead: nil).date
    let flow = try await ShownContent.flow {
      DatePicker("Due", selection: Bindable(wrappedValue: model).due, in: first...last)
    }
    try await flow.type(text, into: "Due")
    #expect(flow.lines == ["Due: [\(text)] (problem: \(reason))"])
    #expect(model.due == before)
    try await flow.type("2026-05-06 07:08", into: "Due")
    #expect(flow.lines == ["Due: [2026-05-06 07:08]"])
  }

  @Test(arguments: [64_092_211_200, -63_114_076_800, .nan, .infinity, 1e300, -1e12, 1e12, 3e11])
  func aDateThatCannotBeShownIsToldOf(_ seconds: Double) async throws {
    let date = Date(timeIntervalSince1970: seconds)
    let flow = try await ShownContent.flow { DatePicker("When", selection: .constant(date)) }
    let input = try #require(flow.presentation.reachable.first)
    #expect(input.problem == "The year is not between 1 and 9999." || LocalTime(date) != nil)
  }

  @Test func everyDayOfFourCenturiesIsRead() throws {
    var time = try LocalTime("1900-01-01", .date, instead: nil)
    for _ in 0..<2000 {
      time = try #require(LocalTime(time.date.addingTimeInterval(86_400 * 73 + 43_200)))
      #expect(try LocalTime(time.text([.date, .time]), [.date, .time], instead: nil) == time)
      #expect(LocalTime(time.date) == time)
    }
  }
}
