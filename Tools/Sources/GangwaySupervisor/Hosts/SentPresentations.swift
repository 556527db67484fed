@_spi(FrontEnd) import GangwayProtocol

/// The presentations that a host has sent, to which its patches apply.
struct SentPresentations {
  private var held: [SessionID: Presentation] = [:]
  /// The sessions whose whole presentation has been requested.
  private var lost: Set<SessionID> = []

  /// Applies an update's patch, so that the update has a whole presentation.
  ///
  /// - Returns: whether the whole presentation must be requested; the update then has no presentation.
  mutating func complete(_ update: inout Update, of session: SessionID) -> Bool {
    if let presentation = update.presentation {
      held[session] = presentation
      lost.remove(session)
      return false
    }
    guard let patch = update.patch else { return false }
    update.patch = nil
    if let presentation = try? held[session]?.applying(patch) {
      held[session] = presentation
      update.presentation = presentation
      return false
    }
    held[session] = nil
    return lost.insert(session).inserted
  }

  /// Forgets a session that has ended.
  mutating func forget(_ session: SessionID) {
    held[session] = nil
    lost.remove(session)
  }
}
