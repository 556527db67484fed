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
    case .character("z"), .alt("z"):
      // What is undone is what the person sees; otherwise they choose.
      if let id = state.shown?.undo { return undoNotice(id) }
      state.overlay = .messages(0)
      return .redraw
    case .character("m"), .alt("m"):
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

  /// The keys that a person pressed, where a terminal sends the same for Alt with a letter and for Escape and the letter after it.
  func keys(of key: Key, _ view: TerminalView) -> [Key] {
    guard case .alt(let letter) = key, !letter.isWholeNumber else { return [key] }
    // What covers the app takes no shortcuts.
    if state.overlay == nil {
      let word = Shortcut.word(for: key)
      let isShortcut = view.presentation.reachable.contains { $0.shortcut == word && $0.isEnabled }
      if isShortcut || letter == "m" || letter == "z" { return [key] }
    }
    return [.escape, .character(letter)]
  }
}
