@_spi(FrontEnd) import GangwayProtocol

/// Keys and presses while a view covers the app.
extension Controller {
  mutating func handleOverlay(_ key: Key, _ view: TerminalView) -> Outcome {
    switch state.overlay {
    case nil: return .nothing
    case .question(let question): return handle(question, key, view)
    case .text(let text, let title, let scroll): return handle(text, title, scroll, key, view)
    case .list(let list): return handle(list, key, view)
    }
  }

  private mutating func handle(_ question: Question, _ key: Key, _ view: TerminalView) -> Outcome {
    var question = question
    switch key {
    case .left, .right, .tab, .backTab, .up, .down: question.isConfirmChosen.toggle()
    case .character("y"), .character("Y"):
      state.overlay = nil
      return question.outcome
    case .enter, .character(" "):
      state.overlay = nil
      return question.isConfirmChosen ? question.outcome : .redraw
    case .escape, .character("n"), .character("N"), .character("q"):
      state.overlay = nil
      return .redraw
    case .press(let row, let column):
      switch view.hit(row: row, column: column) {
      case .listed(1):
        state.overlay = nil
        return question.outcome
      case .listed, .closeOverlay: state.overlay = nil
      default: break
      }
      return .redraw
    // Other keys and pastes were meant for the app, so they do not answer the question.
    default: return .nothing
    }
    state.overlay = .question(question)
    return .redraw
  }

  private mutating func handle(
    _ text: String, _ title: String, _ scroll: Int, _ key: Key, _ view: TerminalView
  ) -> Outcome {
    let page = max(1, view.overlayRows - 1)
    let last = max(0, view.overlayLineCount - view.overlayRows)
    let moved: Int
    switch key {
    case .down, .tab: moved = scroll + 1
    case .up, .backTab: moved = scroll - 1
    case .wheelDown: moved = scroll + 3
    case .wheelUp: moved = scroll - 3
    case .pageDown, .character(" "): moved = scroll + page
    case .pageUp: moved = scroll - page
    case .home: moved = 0
    case .end: moved = last
    case .character("y"): return .copy(text)
    case .press(let row, let column):
      guard view.hit(row: row, column: column) == .closeOverlay else { return .nothing }
      state.overlay = nil
      return .redraw
    case .escape, .enter, .character("q"), .character("!"), .backspace:
      state.overlay = nil
      return .redraw
    default: return .nothing
    }
    state.overlay = .text(text, title: title, scroll: min(max(moved, 0), last))
    return .redraw
  }

  private mutating func handle(_ list: ListOverlay, _ key: Key, _ view: TerminalView) -> Outcome {
    var list = list
    let items = view.listed
    let last = max(0, items.count - 1)
    let page = max(1, view.overlayRows - 1)
    switch key {
    case .down, .tab, .control("n"), .control("j"): list.selected += 1
    case .up, .backTab, .control("p"): list.selected -= 1
    case .wheelDown: list.selected += 3
    case .wheelUp: list.selected -= 3
    case .pageDown: list.selected += page
    case .pageUp: list.selected -= page
    case .home: list.selected = 0
    case .end: list.selected = last
    // The help key also closes the list of keys.
    case .character("?") where list.kind == .help && list.query.isEmpty:
      state.overlay = nil
      return .redraw
    case .character(let character): (list.query, list.selected) = (list.query + String(character), 0)
    case .paste(let text, _):
      (list.query, list.selected) = (list.query + text.filter { !$0.isNewline }.prefix(1_000), 0)
    case .control("u"): (list.query, list.selected) = ("", 0)
    case .deleteWordBefore, .control("w"):
      var edit = TextEdit(text: list.query, cursor: list.query.count)
      _ = Self.change(&edit, .deleteWordBefore)
      (list.query, list.selected) = (edit.text, 0)
    case .backspace:
      guard !list.query.isEmpty else {
        state.overlay = nil
        return .redraw
      }
      list.query.removeLast()
      list.selected = 0
    case .escape:
      state.overlay = nil
      return .redraw
    case .enter:
      guard items.indices.contains(list.selected) else { return .redraw }
      return choose(items[list.selected], list, view)
    case .press(let row, let column):
      switch view.hit(row: row, column: column) {
      case .listed(let number) where items.indices.contains(number): return choose(items[number], list, view)
      case .closeOverlay: state.overlay = nil
      default: return .nothing
      }
      return .redraw
    default: return .nothing
    }
    list.selected = min(max(list.selected, 0), last)
    state.overlay = .list(list)
    return .redraw
  }

  private mutating func choose(_ item: ListedItem, _ list: ListOverlay, _ view: TerminalView) -> Outcome {
    guard let action = item.action else { return .redraw }
    state.overlay = nil
    switch action {
    case .outcome(let outcome): return outcome
    case .command(let command): return perform(command, view)
    case .undo(let id): return undoNotice(id)
    case .path(let typed):
      guard case .files(let choice) = list.kind else { return .redraw }
      let path = FileChoice.expanded(typed)
      guard !FileChoice.isFolder(path) else {
        state.overlay = .list(.init(kind: .files(choice.inFolder(path))))
        return .redraw
      }
      fileFolder = choice.folder
      return .sendFile(choice.target, path: path, limit: choice.maximumBytes)
    case .read(let text):
      state.overlay = .text(text, title: Words.Report.messageTitle, scroll: 0)
      return .redraw
    case .query(let text):
      state.overlay = .list(.init(kind: list.kind, query: text))
      return .redraw
    case .press(let node, let id):
      let presentation = view.presentation(of: node)
      guard let element = presentation.reachable.first(where: { $0.id == id }) else { return .redraw }
      if element.isFocusable(inSelectableList: true) { state.focus[node] = id }
      if let top = view.panes.last, node != view.presentation.top?.node { state.pane = (node, top.node) }
      return activate(element, node, presentation) ?? .send(.focus(node, id))
    }
  }
}
