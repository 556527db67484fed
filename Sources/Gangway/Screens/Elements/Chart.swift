@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A position on the horizontal axis of a chart: a category (`String`), a number, or a date.
public protocol ChartPlace: Hashable {
  /// The label on the axis.
  var chartLabel: String { get }
  /// The position on the axis, in its units (seconds since 1970 for a date); nil for categories, which follow one
  /// another.
  var chartPosition: Double? { get }
}

extension String: ChartPlace {
  /// The text itself.
  public var chartLabel: String { self }
  /// Nil, because the text is a category.
  public var chartPosition: Double? { nil }
}

extension Int: ChartPlace {
  /// The number.
  public var chartLabel: String { "\(self)" }
  /// The number.
  public var chartPosition: Double? { Double(self) }
}

extension Double: ChartPlace {
  /// The number, with at most three decimal digits.
  public var chartLabel: String { Element.ChartData.text(self) }
  /// The number.
  public var chartPosition: Double? { self }
}

extension Date: ChartPlace {
  /// The day and time in the user's time zone; at midnight, only the day.
  public var chartLabel: String {
    guard let time = LocalTime(self) else { return "" }
    return time.hour == 0 && time.minute == 0
      ? time.text(.date) : "\(time.text(.date)) \(time.text(.time))"
  }
  /// Seconds since 1970.
  public var chartPosition: Double? { timeIntervalSince1970 }
}

/// Values of one kind in a ``Chart``.
public struct ChartSeries {
  let name: String
  let points: [(label: String, position: Double?, value: Double)]

  /// Creates a series.
  ///
  /// - Parameters:
  ///   - name: the name for the user.
  ///   - data: the items of the series.
  ///   - x: returns the position of an item on the horizontal axis.
  ///   - y: returns the value of an item.
  public init<Item>(_ name: String, _ data: some Sequence<Item>, x: (Item) -> some ChartPlace, y: (Item) -> Double) {
    self.name = name
    points = data.map { item in
      let place = x(item)
      return (place.chartLabel, place.chartPosition, y(item))
    }
  }
}

/// Values as lines, bars, areas or a pie.
///
/// For screen readers, a chart includes a table of its values.
public struct Chart: PrimitiveContent {
  /// The style of a chart.
  public enum Style: Hashable, Sendable {
    /// Points joined by a line.
    case line
    /// A bar for each value.
    case bar
    /// A line with a filled area down to zero.
    case area
    /// Slices of a whole, from the first series, without values below zero.
    case pie

    var wire: Element.ChartData.Style {
      switch self {
      case .line: .line
      case .bar: .bar
      case .area: .area
      case .pie: .pie
      }
    }
  }

  /// The maximum number of values in a series.
  ///
  /// The chart leaves out further values and says so.
  nonisolated public static let maximumValues = 2000

  let title: String
  let style: Style
  let axis: String
  let series: [ChartSeries]

  /// Creates a chart.
  ///
  /// The chart leaves out values that are not finite, and says so beside it.
  ///
  /// - Parameters:
  ///   - title: the subject of the chart.
  ///   - style: the style of the chart.
  ///   - axis: the title of the horizontal axis; may be empty.
  ///   - series: the series, which share one axis: numbers and dates in their order, categories in the order of their
  ///     first appearance.
  public init(_ title: String, style: Style = .line, axis: String = "", series: [ChartSeries]) {
    self.title = title
    self.style = style
    self.axis = axis
    self.series = series
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    var problems: [String] = []
    var places: [String: (order: Int, position: Double?)] = [:]
    var values: [[String: Double]] = []
    var (strange, left) = (0, 0)
    for series in series {
      var own: [String: Double] = [:]
      for point in series.points {
        guard point.value.isFinite, point.position?.isFinite ?? true, style != .pie || point.value >= 0 else {
          strange += 1
          continue
        }
        guard own.count < Self.maximumValues || own[point.label] != nil else {
          left += 1
          continue
        }
        if places[point.label] == nil { places[point.label] = (places.count, point.position) }
        own[point.label] = point.value
      }
      values.append(own)
    }
    if strange > 0 { problems.append("Values that cannot be drawn: \(strange).") }
    if left > 0 { problems.append("Values left out: \(left). The maximum in a series is \(Self.maximumValues).") }
    let hasPositions = !places.isEmpty && places.values.allSatisfy { $0.position != nil }
    let labels = places.keys.sorted { first, second in
      guard let first = places[first], let second = places[second] else { return false }
      guard hasPositions, let one = first.position, let other = second.position, one != other else {
        return first.order < second.order
      }
      return one < other
    }
    let data = Element.ChartData(
      style: style.wire, title: axis, labels: labels,
      positions: hasPositions ? labels.compactMap { places[$0]?.position } : nil,
      series: zip(series, values).map { series, values in
        Element.ChartData.Series(name: series.name, values: labels.map { values[$0] })
      })
    renderer.add(.chart, title) {
      $0.chart = data
      $0.problem = problems.isEmpty ? nil : problems.joined(separator: " ")
    }
  }
}
