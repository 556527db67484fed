import GangwayProtocol

/// What the person was told: shown in the status line, listed on demand, and undone.
extension Controller {
  /// Takes note of what the person is told: what went wrong before what was done.
  mutating func tell(_ notices: [Update.Notice]) {
    state.told.add(notices)
    // The list begins with the newest: what is chosen in it stays chosen.
    if case .list(var list) = state.overlay, list.kind == .messages, list.query.isEmpty {
      list.selected = min(list.selected + notices.count, max(0, state.told.notices.count - 1))
      state.overlay = .list(list)
    }
    guard let notice = notices.last(where: { $0.kind != .information }) ?? notices.last else { return }
    state.status = notice
    state.statusTime = .now
    state.unseen = notices.count - 1
  }

  /// Undoes what the message tells of that the person sees; otherwise they choose one.
  mutating func undoMessage() -> Outcome {
    state.shown?.undo.map { undoNotice($0) } ?? list(.messages)
  }

  mutating func undoNotice(_ id: NoticeID) -> Outcome {
    state.told.noteUndone(id)
    return .send(.undoNotice(id))
  }
}
