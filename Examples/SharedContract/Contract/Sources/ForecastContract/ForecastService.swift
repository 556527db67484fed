/// A service that one plugin offers and another one uses. Both are built against it, and neither against the other.
@MainActor open class ForecastService {
  /// Makes a service, in the plugin that offers it.
  public init() {}
  /// Returns the weather of a day, counted from today.
  open func forecast(day: Int) -> String { "unknown" }
}
