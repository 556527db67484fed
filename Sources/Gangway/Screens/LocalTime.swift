#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A day and a time of day in the user's time zone, as inputs show them.
///
/// The form is `2026-11-22T09:30` (ISO 8601, section 5.4, without a zone). The C library knows the zone (`TZ`, else
/// `/etc/localtime`). A zone that does not exist is UTC.
struct LocalTime: Equatable {
  var year: Int
  var month: Int
  var day: Int
  var hour = 0
  var minute = 0

  /// The years that inputs can hold.
  static let years = 1...9999

  /// Creates the time in the user's zone; nil if inputs cannot hold the year.
  init?(_ date: Date) {
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite, abs(seconds) < 4e11 else { return nil }
    var moment = time_t(seconds.rounded(.down))
    var parts = tm()
    guard localtime_r(&moment, &parts) != nil, Self.years.contains(Int(parts.tm_year) + 1900) else { return nil }
    year = Int(parts.tm_year) + 1900
    month = Int(parts.tm_mon) + 1
    day = Int(parts.tm_mday)
    hour = Int(parts.tm_hour)
    minute = Int(parts.tm_min)
  }

  /// Parses a day, a time of day, or both; `other` supplies a missing part.
  ///
  /// - Throws: ``InputProblem``, which says that the text is not a date, or that the day does not exist.
  init(_ text: String, _ parts: DatePicker.Components, instead other: LocalTime?) throws {
    let other = other ?? LocalTime(year: 2001, month: 1, day: 1)
    self = other
    let wanted = parts == .date ? "2026-11-22" : parts == .time ? "09:30" : "2026-11-22 09:30"
    let halves = text.split { $0 == "T" || $0 == " " }.map(String.init)
    guard halves.count == (parts == [.date, .time] ? 2 : 1) else {
      throw InputProblem(
        description: text.isEmpty
          ? "Enter a value like \(wanted)." : "Enter a value like \(wanted), not '\(text.prefix(40))'.")
    }
    if parts.contains(.date) {
      let numbers = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
        halves[0].allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-") })
      else { throw InputProblem(description: "Enter a value like \(wanted), not '\(text.prefix(40))'.") }
      guard Self.years.contains(year) else {
        throw InputProblem(
          description: "The year \(year) is not between \(Self.years.lowerBound) and \(Self.years.upperBound).")
      }
      guard (1...12).contains(month), (1...Self.days(in: month, year)).contains(day) else {
        throw InputProblem(description: "There is no day \(text.prefix(40)).")
      }
      (self.year, self.month, self.day) = (year, month, day)
    }
    if parts.contains(.time) {
      let numbers = (halves.last ?? "").split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let hour = numbers[0], let minute = numbers[1], (0..<24).contains(hour),
        (0..<60).contains(minute)
      else { throw InputProblem(description: "There is no time \((halves.last ?? "").prefix(40)).") }
      (self.hour, self.minute) = (hour, minute)
    }
  }

  private init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  private static func days(in month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The moment of this time.
  ///
  /// A time that the zone skips in spring is counted from midnight.
  var date: Date {
    var parts = tm()
    parts.tm_year = Int32(year - 1900)
    parts.tm_mon = Int32(month - 1)
    parts.tm_mday = Int32(day)
    parts.tm_hour = Int32(hour)
    parts.tm_min = Int32(minute)
    parts.tm_isdst = -1
    return Date(timeIntervalSince1970: Double(mktime(&parts)))
  }

  /// Returns the text in an input.
  func text(_ parts: DatePicker.Components) -> String {
    let day = Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(self.day, 2)
    let time = Self.padded(hour, 2) + ":" + Self.padded(minute, 2)
    return parts == .date ? day : parts == .time ? time : day + "T" + time
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
