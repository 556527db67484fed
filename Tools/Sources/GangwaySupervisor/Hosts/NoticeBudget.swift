import GangwayProtocol

/// How many messages a host may still show in the present second: a feature that shows them without end must not take the
/// screen, or the memory, of the others.
struct NoticeBudget {
  /// How many messages a second.
  static let limit = 20
  /// The longest text, in characters.
  static let maximumText = 4_000

  private var second = ContinuousClock.now
  private var count = 0
  /// How many were left out and not counted for the user yet, by session; nil stands for all sessions.
  private(set) var leftOut: [SessionID?: Int] = [:]

  /// Takes what may be shown.
  ///
  /// - Returns: the messages that may be shown, long texts cut.
  mutating func take(
    _ notices: [Update.Notice], for session: SessionID?, at moment: ContinuousClock.Instant = .now
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

  /// Takes the numbers of what was left out.
  mutating func takeLeftOut() -> [SessionID?: Int] {
    defer { leftOut = [:] }
    return leftOut
  }
}
