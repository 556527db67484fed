/// What one plugin offers and another asks for. Both are built against this; neither against the other.
@MainActor open class ForecastService {
  /// Makes a service; for the plugin that offers it.
  public init() {}
  /// What the weather will be on a day, counted from today.
  open func forecast(day: Int) -> String { "unknown" }
}
