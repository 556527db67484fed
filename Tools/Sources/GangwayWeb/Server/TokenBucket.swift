/// How much of something may come: so many at once, and so many a second after that.
///
/// Source: RFC 2697, "A Single Rate Three Color Marker", its committed information rate and burst size.
struct TokenBucket {
  private let (burst, perSecond): (Double, Double)
  private var tokens: Double
  private var counted = ContinuousClock.now

  /// Makes one that is full.
  init(burst: Int, perSecond: Int) {
    (self.burst, self.perSecond) = (Double(burst), Double(perSecond))
    tokens = self.burst
  }

  /// Counts one.
  ///
  /// - Returns: whether it may come.
  mutating func take() -> Bool {
    fill()
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }

  /// Whether it is as if nothing had come.
  mutating func isFull() -> Bool {
    fill()
    return tokens == burst
  }

  private mutating func fill() {
    let now = ContinuousClock.now
    tokens = min(burst, tokens + (now - counted) / .seconds(1) * perSecond)
    counted = now
  }
}
