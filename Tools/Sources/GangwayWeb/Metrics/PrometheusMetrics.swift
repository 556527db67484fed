import CoreMetrics
import NIOConcurrencyHelpers

/// A swift-metrics backend whose text Prometheus scrapers can read.
///
/// Source: Prometheus, "Exposition formats", text format 0.0.4.
@_spi(FrontEnd) public final class PrometheusMetrics: MetricsFactory, Sendable {
  /// The media type of ``text``.
  static let type = "text/plain; version=0.0.4; charset=utf-8"
  /// The upper bounds of the duration buckets, in seconds.
  static let classes = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  /// The most series, because labels from outside must not fill the memory.
  static let maximumSeries = 1_000

  struct Key: Hashable {
    let name: String
    let labels: String
  }
  enum Series: Equatable {
    case counter(Double)
    case gauge(Double)
    /// The durations per bucket, not cumulative, with their number and their sum in seconds.
    case histogram(counts: [Int], count: Int, sum: Double)
    case summary(count: Int, sum: Double)

    fileprivate var type: String {
      switch self {
      case .counter: "counter"
      case .gauge: "gauge"
      case .histogram: "histogram"
      case .summary: "summary"
      }
    }
  }
  private let series = NIOLockedValueBox<[Key: Series]>([:])

  /// Creates a backend without any series.
  public init() {}

  /// All metrics, one value per line, sorted by name.
  public var text: String {
    let all = series.withLockedValue { $0 }.sorted { ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels) }
    var (text, name) = ("", "")
    for (key, value) in all {
      if key.name != name {
        name = key.name
        text += "# TYPE \(name) \(value.type)\n"
      }
      switch value {
      case .counter(let value), .gauge(let value): text += "\(name)\(Self.braced(key.labels)) \(Self.number(value))\n"
      case .histogram(let counts, let count, let sum):
        var total = 0
        for (limit, count) in zip(Self.classes, counts) {
          total += count
          text += "\(name)_bucket\(Self.braced(key.labels, "le=\"\(Self.number(limit))\"")) \(total)\n"
        }
        text += "\(name)_bucket\(Self.braced(key.labels, "le=\"+Inf\"")) \(count)\n"
        text += "\(name)_sum\(Self.braced(key.labels)) \(Self.number(sum))\n"
        text += "\(name)_count\(Self.braced(key.labels)) \(count)\n"
      case .summary(let count, let sum):
        text += "\(name)_sum\(Self.braced(key.labels)) \(Self.number(sum))\n"
        text += "\(name)_count\(Self.braced(key.labels)) \(count)\n"
      }
    }
    return text
  }

  private static func braced(_ labels: String, _ more: String = "") -> String {
    let all = [labels, more].filter { !$0.isEmpty }.joined(separator: ",")
    return all.isEmpty ? "" : "{\(all)}"
  }

  private static func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }

  /// Returns a name that the format allows: letters, digits and `_`, without a leading digit.
  private static func plain(_ name: String) -> String {
    let plain = String(name.unicodeScalars.map { $0.isASCII && Character($0).isLetterOrDigit ? Character($0) : "_" })
    return plain.first?.isNumber == false ? plain : "_" + plain
  }

  private static func key(_ label: String, _ dimensions: [(String, String)]) -> Key {
    let labels = dimensions.map { name, value in
      let value = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
      return "\(plain(name))=\"\(value)\""
    }
    return Key(name: plain(label), labels: labels.joined(separator: ","))
  }

  /// Changes a series; a new series beyond the limit is dropped.
  fileprivate func change(_ key: Key, from empty: Series, _ change: (inout Series) -> Void) {
    series.withLockedValue { series in
      guard series[key] != nil || series.count < Self.maximumSeries else { return }
      change(&series[key, default: empty])
    }
  }

  // MARK: swift-metrics

  private func handler(_ label: String, _ dimensions: [(String, String)], _ empty: Series) -> SeriesHandler {
    let handler = SeriesHandler(self, Self.key(label, dimensions), empty)
    // The series exists from the start, so that a scraper sees a zero.
    change(handler.key, from: empty) { _ in }
    return handler
  }
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    handler(label, dimensions, .counter(0))
  }
  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    handler(label, dimensions, .counter(0))
  }
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    handler(label, dimensions, .gauge(0))
  }
  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    handler(label, dimensions, aggregate ? .summary(count: 0, sum: 0) : .gauge(0))
  }
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    handler(label, dimensions, .histogram(counts: Self.classes.map { _ in 0 }, count: 0, sum: 0))
  }
  public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
  public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
  public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
  public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

  private func remove(_ handler: AnyObject) {
    guard let handler = handler as? SeriesHandler else { return }
    _ = series.withLockedValue { $0.removeValue(forKey: handler.key) }
  }
}

extension Character {
  fileprivate var isLetterOrDigit: Bool { isLetter || isNumber }
}

/// The handler that records values in a series.
private final class SeriesHandler: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler,
  TimerHandler
{
  let key: PrometheusMetrics.Key
  private let metrics: PrometheusMetrics
  private let empty: PrometheusMetrics.Series

  init(_ metrics: PrometheusMetrics, _ key: PrometheusMetrics.Key, _ empty: PrometheusMetrics.Series) {
    (self.metrics, self.key, self.empty) = (metrics, key, empty)
  }

  func reset() { metrics.change(key, from: empty) { $0 = empty } }

  func increment(by amount: Int64) { increment(by: Double(amount)) }
  func increment(by amount: Double) {
    metrics.change(key, from: empty) { series in
      switch series {
      case .counter(let value): series = .counter(value + amount)
      case .gauge(let value): series = .gauge(value + amount)
      case .histogram, .summary: break
      }
    }
  }
  func decrement(by amount: Double) { increment(by: -amount) }
  func set(_ value: Int64) { record(Double(value)) }
  func set(_ value: Double) { record(value) }
  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) {
    metrics.change(key, from: empty) { series in
      switch series {
      case .gauge: series = .gauge(value)
      case .histogram(var counts, let count, let sum):
        if let index = PrometheusMetrics.classes.firstIndex(where: { value <= $0 }) { counts[index] += 1 }
        series = .histogram(counts: counts, count: count + 1, sum: sum + value)
      case .summary(let count, let sum): series = .summary(count: count + 1, sum: sum + value)
      case .counter: break
      }
    }
  }
  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
