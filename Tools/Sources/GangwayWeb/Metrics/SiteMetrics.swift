import CoreMetrics

/// What a site counts.
struct SiteMetrics {
  /// Sessions that run.
  let sessions: Meter
  /// Pages that follow one.
  let pages: Meter
  /// What people did.
  let events: Counter
  /// From an event's coming to its answer's going.
  let latency: Timer
  /// Requests that were not answered as asked.
  let refusals: Counter

  init(_ factory: any MetricsFactory) {
    sessions = Meter(label: "gangway_sessions", factory: factory)
    pages = Meter(label: "gangway_pages", factory: factory)
    events = Counter(label: "gangway_events_total", factory: factory)
    latency = Timer(label: "gangway_event_seconds", factory: factory)
    refusals = Counter(label: "gangway_refusals_total", factory: factory)
  }

  /// Counts an event and how long its answer took.
  func note(_ time: Duration) {
    events.increment()
    latency.recordNanoseconds(Int64(time / .nanoseconds(1)))
  }
}
