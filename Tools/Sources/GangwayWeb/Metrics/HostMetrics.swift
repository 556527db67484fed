import CoreMetrics

/// The server's metrics of its hosts; a supervisor calls these functions.
extension PrometheusMetrics {
  /// Counts a host that was started.
  @_spi(FrontEnd) public func hostStarted() { Counter(label: "gangway_hosts_started_total", factory: self).increment() }

  /// Counts a host that ended by itself.
  ///
  /// - Parameters:
  ///   - plugin: the plugin that was running; empty if it is not known.
  ///   - cause: the cause of the end, in one word.
  @_spi(FrontEnd) public func hostEnded(plugin: String, cause: String) {
    Counter(label: "gangway_host_restarts_total", dimensions: [("plugin", plugin), ("cause", cause)], factory: self)
      .increment()
  }
}
