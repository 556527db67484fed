import GangwayProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a value of a chart stands on its horizontal axis: a category (`String`), a number, or a date.
public protocol ChartPlace: Hashable {
  /// What stands on the axis.
  var chartLabel: String { get }
  /// Where on the axis, in its units (seconds since 1970 for a date); nil for a category, which stand one after the other.
  var chartPosition: Double? { get }
}

extension String: ChartPlace {
  /// Itself.
  public var chartLabel: String { self }
  /// None.
  public var chartPosition: Double? { nil }
}

extension Int: ChartPlace {
  /// The number.
  public var chartLabel: String { "\(self)" }
  /// The number.
  public var chartPosition: Double? { Double(self) }
}

extension Double: ChartPlace {
  /// The number, with three digits after the point at the most.
  public var chartLabel: String { Element.ChartData.text(self) }
  /// The number.
  public var chartPosition: Double? { self }
}

extension Date: ChartPlace {
  /// The day and the time of day in the person's zone; the day alone at midnight.
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

  /// Makes a series.
  ///
  /// - Parameters:
  ///   - name: what the person reads.
  ///   - data: what the values are of.
  ///   - x: where a value stands on the horizontal axis.
  ///   - y: the value.
  public init<Item>(_ name: String, _ data: some Sequence<Item>, x: (Item) -> some ChartPlace, y: (Item) -> Double) {
    self.name = name
    points = data.map { item in
      let place = x(item)
      return (place.chartLabel, place.chartPosition, y(item))
    }
  }
}

/// Values as lines, bars, areas or a pie. Their table is part of it, for those who cannot see it.
public struct Chart: Content {
  /// How values are drawn.
  public struct Style: Hashable, Sendable {
    let wire: Element.ChartData.Style

    /// Points joined by a line.
    public static let line = Style(wire: .line)
    /// A bar for each value.
    public static let bar = Style(wire: .bar)
    /// A line, filled down to zero.
    public static let area = Style(wire: .area)
    /// Parts of a whole, of the first series; values below zero are left out.
    public static let pie = Style(wire: .pie)
  }

  /// How many values of a series are shown: what is more is left out, and said so.
  nonisolated public static let maximumValues = 2000

  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let title: String
  let style: Style
  let axis: String
  let series: [ChartSeries]

  /// Makes a chart.
  ///
  /// Values that are not finite are left out, which is said beside it.
  ///
  /// - Parameters:
  ///   - title: what it shows, in words.
  ///   - style: how it is drawn.
  ///   - axis: what the horizontal axis is of; may be empty.
  ///   - series: the values. Those of all series stand on one axis: numbers and dates in their order, categories in the order of
  ///     their first appearance.
  public init(_ title: String, style: Style = .line, axis: String = "", series: [ChartSeries]) {
    self.title = title
    self.style = style
    self.axis = axis
    self.series = series
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
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
    if strange > 0 { problems.append("\(strange) values that cannot be drawn are left out.") }
    if left > 0 { problems.append("\(left) values beyond \(Self.maximumValues) in a series are left out.") }
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
