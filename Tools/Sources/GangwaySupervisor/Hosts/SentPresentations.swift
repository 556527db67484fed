import GangwayProtocol

/// The presentations that a host has sent, which its patches are based on.
struct SentPresentations {
  private var held: [SessionID: Presentation] = [:]
  /// Sessions whose whole presentation has been asked for.
  private var lost: Set<SessionID> = []

  /// Makes the presentation of an update whole.
  ///
  /// - Returns: whether the whole has to be asked for: the update then says nothing of the screen.
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
