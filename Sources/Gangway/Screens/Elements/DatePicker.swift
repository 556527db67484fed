import GangwayProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A day, a time of day, or both, in the person's time zone.
public struct DatePicker: Content {
  /// What of a date a person sets.
  public struct Components: OptionSet, Hashable, Sendable {
    /// A bit for each.
    public let rawValue: Int
    /// Makes a set of its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The day.
    public static let date = Components(rawValue: 1)
    /// The time of day, in hours and minutes.
    public static let time = Components(rawValue: 2)
  }

  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let selection: Binding<Date>
  let range: ClosedRange<Date>?
  let components: Components

  /// Makes an input for a date.
  ///
  /// What is no date, is out of the range, or lies before the year 1 or after 9999 is kept in the input with the reason beside it,
  /// and not written to `selection`.
  ///
  /// - Parameters:
  ///   - label: what the date is of.
  ///   - selection: where it lives.
  ///   - range: what it may be; nil where it may be any. Where the day alone is set, all of the first and the last day is in it.
  ///   - components: what is set; the rest of the date stays what it was. An empty set stands for both.
  public init(
    _ label: String, selection: Binding<Date>, in range: ClosedRange<Date>? = nil,
    components: Components = [.date, .time]
  ) {
    self.label = label
    self.selection = selection
    self.range = range
    self.components = components.isEmpty ? [.date, .time] : components
  }

  /// What an input of such a role holds for a date; nil where it cannot hold it.
  package static func text(of date: Date, role: Element.Role?) -> String? {
    LocalTime(date)?.text(role == .day ? .date : role == .time ? .time : [.date, .time])
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    let (selection, range, components) = (selection, range, components)
    let now = LocalTime(selection.wrappedValue)
    renderer.addInput(
      .date, label, text: { LocalTime(selection.wrappedValue)?.text(components) ?? "" }, isWrittenAnew: true,
      configure: {
        $0.role = components == .date ? .day : components == .time ? .time : nil
        $0.minimum = range.flatMap { LocalTime($0.lowerBound) }?.text(components)
        $0.maximum = range.flatMap { LocalTime($0.upperBound) }?.text(components)
        if now == nil { $0.problem = "The date is not one of the years 1 to 9999." }
      },
      take: { text in
        let time = try LocalTime(text, components, instead: LocalTime(selection.wrappedValue))
        let date = time.date
        if let range, let least = LocalTime(range.lowerBound), let most = LocalTime(range.upperBound) {
          let isInside =
            components == .date
            ? (least.text(.date)...most.text(.date)).contains(time.text(.date)) : range.contains(date)
          guard isInside else {
            throw InputProblem(
              description: "\(text.prefix(40)) is not from \(least.text(components)) to \(most.text(components)).")
          }
        }
        try selection.set(date)
      })
  }
}
