@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An input for a day, a time of day, or both, in the user's time zone.
public struct DatePicker: PrimitiveContent {
  /// The parts of a date that the user sets.
  public struct Components: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: Int
    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The day.
    public static let date = Components(rawValue: 1)
    /// The time of day, in hours and minutes.
    public static let time = Components(rawValue: 2)
  }

  let label: String
  let selection: Binding<Date>
  let range: ClosedRange<Date>?
  let components: Components

  /// Creates an input for a date.
  ///
  /// Text that is not a date, is out of range, or lies outside the years 1 to 9999 is not written to `selection`. The
  /// input keeps the text, with the reason beside it.
  ///
  /// - Parameters:
  ///   - label: the label of the date.
  ///   - selection: the date.
  ///   - range: the valid dates; nil for all dates. If only the day is set, the whole first and last day are valid.
  ///   - components: the parts that the user sets; the other parts stay unchanged. An empty set stands for both parts.
  public init(
    _ label: String, selection: Binding<Date>, in range: ClosedRange<Date>? = nil,
    components: Components = [.date, .time]
  ) {
    self.label = label
    self.selection = selection
    self.range = range
    self.components = components.isEmpty ? [.date, .time] : components
  }

  /// Returns the text of an input with a role for a date; nil if the input cannot hold the date.
  package static func text(of date: Date, role: Element.Role?) -> String? {
    LocalTime(date)?.text(role == .day ? .date : role == .time ? .time : [.date, .time])
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    let (selection, range, components) = (selection, range, components)
    let now = LocalTime(selection.wrappedValue)
    renderer.addInput(
      .date, label, text: { LocalTime(selection.wrappedValue)?.text(components) ?? "" }, isWrittenAnew: true,
      configure: {
        $0.role = components == .date ? .day : components == .time ? .time : nil
        $0.minimum = range.flatMap { LocalTime($0.lowerBound) }?.text(components)
        $0.maximum = range.flatMap { LocalTime($0.upperBound) }?.text(components)
        if now == nil { $0.problem = "The year is not between 1 and 9999." }
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
              description: "\(text.prefix(40)) is not between \(least.text(components)) and \(most.text(components)).")
          }
        }
        try selection.set(date)
      })
  }
}
