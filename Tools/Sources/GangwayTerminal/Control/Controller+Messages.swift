@_spi(FrontEnd) import GangwayProtocol

/// Messages: the status line, the list of messages, and undo.
extension Controller {
  /// Adds messages, and shows one of them: the last failure or refusal, or else the last message.
  mutating func tell(_ notices: [Update.Notice]) {
    state.told.add(notices)
    // The list begins with the newest message, so the selected index moves by the number of new ones.
    if case .list(var list) = state.overlay, list.kind == .messages, list.query.isEmpty {
      list.selected = min(list.selected + notices.count, max(0, state.told.notices.count - 1))
      state.overlay = .list(list)
    }
    guard let notice = notices.last(where: { $0.kind != .information }) ?? notices.last else { return }
    state.status = notice
    state.statusTime = .now
    state.unseen = notices.count - 1
  }

  /// Undoes the action of the message in the status line; opens the list of messages if it has no undo.
  mutating func undoMessage() -> Outcome {
    state.shown?.undo.map { undoNotice($0) } ?? list(.messages)
  }

  mutating func undoNotice(_ id: NoticeID) -> Outcome {
    state.told.noteUndone(id)
    return .send(.undoNotice(id))
  }
}
