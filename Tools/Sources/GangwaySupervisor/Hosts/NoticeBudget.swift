@_spi(FrontEnd) import GangwayProtocol

/// The number of notifications that a host may still show in this second.
///
/// A feature that shows notifications in a loop must not take over the screen or the memory of the other features.
struct NoticeBudget {
  /// The most notifications a second.
  static let limit = 20
  /// The longest text, in characters.
  static let maximumText = 4_000

  private var second: ContinuousClock.Instant
  private var count = 0
  /// The number of dropped notifications that the user has not heard of yet, by session; nil stands for all sessions.
  private(set) var leftOut: [SessionID?: Int] = [:]

  /// Begins a second.
  init(at moment: ContinuousClock.Instant) { second = moment }

  /// Takes notifications from the budget.
  ///
  /// - Returns: the notifications to show, with long texts cut.
  mutating func take(
    _ notices: [Update.Notice], for session: SessionID?, at moment: ContinuousClock.Instant
  ) -> [Update.Notice] {
    guard !notices.isEmpty else { return [] }
    if moment - second >= .seconds(1) { (second, count) = (moment, 0) }
    let taken = notices.prefix(max(0, Self.limit - count))
    count += taken.count
    if taken.count < notices.count { leftOut[session, default: 0] += notices.count - taken.count }
    return taken.map { notice in
      guard notice.text.utf8.count > Self.maximumText else { return notice }
      var notice = notice
      notice.text = String(notice.text.prefix(Self.maximumText)) + "…"
      return notice
    }
  }

  /// Returns the numbers of dropped notifications and resets them.
  mutating func takeLeftOut() -> [SessionID?: Int] {
    defer { leftOut = [:] }
    return leftOut
  }
}
