import GangwayProtocol

/// What the person was told: shown in the status line, listed on demand, and undone.
extension Controller {
  /// Takes note of what the person is told: what went wrong before what was done.
  mutating func tell(_ notices: [Update.Notice]) {
    state.told.add(notices)
    // The list begins with the newest: what is chosen in it stays chosen.
    if case .messages(let selected) = state.overlay {
      state.overlay = .messages(min(selected + notices.count, max(0, state.told.notices.count - 1)))
    }
    guard let notice = notices.last(where: { $0.kind != .information }) ?? notices.last else { return }
    state.status = notice
    state.unseen = notices.count - 1
  }

  /// Keys for messages; nil for others.
  mutating func handleMessageKey(_ key: Key) -> Outcome? {
    switch key {
    case .character("z"):
      // What is undone is what the person sees; otherwise they choose.
      if let id = state.shown?.undo { return undoNotice(id) }
      state.overlay = .messages(0)
      return .redraw
    case .character("m"):
      state.overlay = .messages(0)
      return .redraw
    default: return nil
    }
  }

  /// Keys while the messages are listed.
  mutating func handleMessages(_ key: Key, selected: Int) -> Outcome {
    let notices = Array(state.told.notices.reversed())
    switch key {
    case .down, .tab: state.overlay = .messages(min(selected + 1, max(0, notices.count - 1)))
    case .up, .backTab: state.overlay = .messages(max(0, selected - 1))
    case .enter, .character(" "):
      guard notices.indices.contains(selected), let id = notices[selected].undo else { break }
      state.overlay = nil
      return undoNotice(id)
    default: state.overlay = nil
    }
    return .redraw
  }

  private mutating func undoNotice(_ id: NoticeID) -> Outcome {
    state.told.noteUndone(id)
    return .send(.undoNotice(id))
  }
}
