import CoreMetrics

/// The metrics of a site.
struct SiteMetrics {
  /// The running sessions.
  let sessions: Meter
  /// The connected pages.
  let pages: Meter
  /// The handled events.
  let events: Counter
  /// The time from the arrival of an event to its answer.
  let latency: Timer
  /// The refused requests.
  let refusals: Counter

  init(_ factory: any MetricsFactory) {
    sessions = Meter(label: "gangway_sessions", factory: factory)
    pages = Meter(label: "gangway_pages", factory: factory)
    events = Counter(label: "gangway_events_total", factory: factory)
    latency = Timer(label: "gangway_event_seconds", factory: factory)
    refusals = Counter(label: "gangway_refusals_total", factory: factory)
  }

  /// Counts an event, and records the time that its answer took.
  func note(_ time: Duration) {
    events.increment()
    latency.recordNanoseconds(Int64(time / .nanoseconds(1)))
  }
}
