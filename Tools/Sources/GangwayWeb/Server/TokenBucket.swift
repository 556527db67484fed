/// A rate limit: a burst at once, and a number of tokens per second after that.
///
/// Source: RFC 2697, "A Single Rate Three Color Marker", its committed information rate and burst size.
struct TokenBucket {
  private let (burst, perSecond): (Double, Double)
  private var tokens: Double
  private var counted = ContinuousClock.now

  /// Creates a full bucket.
  init(burst: Int, perSecond: Int) {
    (self.burst, self.perSecond) = (Double(burst), Double(perSecond))
    tokens = self.burst
  }

  /// Takes a token.
  ///
  /// - Returns: whether there was a token, so that the event is allowed.
  mutating func take() -> Bool {
    fill()
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }

  /// Returns whether the bucket is full, as if no token had been taken.
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
