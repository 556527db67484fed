@_spi(FrontEnd) import GangwayProtocol

/// The controller that turns keys into user actions.
///
/// It moves focus and edits text at once, and returns the events to send to the host.
struct Controller {
  typealias Outcome = KeyOutcome

  /// The time that users need to notice that something went wrong.
  static let readingTime: Duration = .seconds(2)

  var state = ViewState()
  /// The time of the last key.
  private(set) var keyTime = ContinuousClock.now - .seconds(10)
  /// The folder of the last file that the user chose; nil before.
  var fileFolder: String?
  /// Whether the next run restores the session, including the text of fields.
  let isStored: Bool
  /// The front screen of the last presentation.
  private(set) var front: NodeID?

  /// Handles a key; `view` is the screen that the user sees.
  mutating func handle(_ key: Key, _ view: TerminalView) -> Outcome {
    let node = view.presentation.top?.node
    let (before, wanted) = (node.flatMap { state.focus[$0] }, state.wantedRow)
    defer { keyTime = .now }
    let outcome = respond(to: key, view)
    // After moving elsewhere, the user no longer waits for a row.
    if let node, state.focus[node] != before, let wanted, state.wantedRow.map({ $0 == wanted }) == true {
      state.wantedRow = nil
    }
    if let top = view.presentation.top { noteRows(top.elements, top.node, state.focus[top.node]) }
    switch outcome {
    case .send(.tab(let node)):
      // The tab that the user leaves is a place to return to, too.
      let bar = view.presentation.tabBars.first { $0.contains { $0.node == node } }
      if let left = bar?.first(where: \.isSelected) { remember(.tab(left.node)) }
      remember(.tab(node))
    case .send(.open(let url)): remember(.link(url))
    default: break
    }
    return outcome
  }

  /// The most recent places to list.
  private static let maximumRecent = 9

  private mutating func remember(_ place: ViewState.RecentPlace) {
    state.recent.removeAll { $0 == place }
    state.recent = [place] + state.recent.prefix(Self.maximumRecent - 1)
  }

  private mutating func respond(to key: Key, _ view: TerminalView) -> Outcome {
    let presentation = view.presentation
    if state.overlay != nil { return handleOverlay(key, view) }
    if state.isFiltering, let outcome = handleFilter(key, view) { return outcome }
    if let outcome = handleFind(key, view) { return outcome }
    state.shown = state.status
    // A failure stays visible when the user was just typing a letter.
    if state.status?.kind == .information || ContinuousClock.now - state.statusTime > Self.readingTime {
      state.status = nil
      state.unseen = 0
    }
    state.followsFocus = true
    switch key {
    case .press(let row, let column): return press(view, row, column)
    case .doublePress(let row, let column): return press(view, row, column, isDouble: true)
    case .drag(let row, _): return drag(view, row)
    case .release:
      state.heldBar = nil
      return .nothing
    default: break
    }
    let focused = presentation.focused(state)
    if let outcome = instead(ofActingOn: focused, key, view) { return outcome }
    if let focused, let node = presentation.top?.node, focused.kind.isEdited { state.focus[node] = focused.id }
    // A text field keeps its editing keys, even if an element has one as a shortcut.
    let isEditing = focused?.kind.isEdited == true && key.edits
    if !isEditing, let outcome = pressByShortcut(key, presentation) { return outcome }
    if let focused, focused.kind.isEdited, focused.isEnabled, let outcome = edit(focused, key, view) {
      return outcome
    }
    if let command = state.keys.command(for: key) { return perform(command, view) }
    if let outcome = moveInLine(key, view) { return outcome }
    if let focused, let outcome = adjust(focused, key, view) {
      // The element that uses a key also gets focus.
      if let node = presentation.top?.node, state.focus[node] == nil { state.focus[node] = focused.id }
      return outcome
    }
    if let outcome = moveInRow(key, presentation) { return outcome }
    switch key {
    case .left: return movePane(-1, view)
    case .right: return movePane(1, view)
    case .nextPane: return movePane(1, view, wraps: true)
    default: break
    }
    if case .character(let letter) = key, !letter.isWholeNumber, let outcome = find(letter, view) { return outcome }
    return general(key, view)
  }

  /// Updates the state for a new presentation from the host.
  mutating func update(_ presentation: Presentation) {
    // A refusal belongs to its screen. The refusal that comes with a new screen is added after this.
    if let top = presentation.top?.node, top != front {
      if state.status?.kind == .refusal, front != nil { state.status = nil }
      front = top
    }
    if presentation.alert?.id != state.alert.id || presentation.alertNode != state.alert.node {
      change(alertOf: presentation)
    }
    for pane in presentation.top?.columns ?? [] { update(pane) }
  }

  /// Keeps the focus of the screen while an alert has the keyboard.
  private mutating func change(alertOf presentation: Presentation) {
    if let below = state.alert.focusBelow { state.focus[below.node] = below.element }
    let below = presentation.alert == nil ? nil : presentation.alertNode.map { ($0, state.focus[$0]) }
    state.alert = .init(id: presentation.alert?.id, node: presentation.alertNode, focusBelow: below)
  }

  private mutating func update(_ pane: Presentation.Pane) {
    followWindows(of: pane)
    replaceGoneRows(of: pane)
    noteRows(pane.elements, pane.node, state.focus[pane.node] ?? pane.focus)
    let values = Dictionary(
      pane.elements.flattened.filter { $0.kind.isEdited }.map { ($0.id, $0.value ?? "") }, uniquingKeysWith: { $1 })
    for (target, edit) in state.edits where target.node == pane.node && edit.unanswered == 0 {
      guard let value = values[target.element] else {
        // The field of a held text may come back, for example when its plugin has loaded.
        if !edit.isHeld { state.edits[target] = nil }
        continue
      }
      if value == edit.text {
        state.edits[target]?.isHeld = false
      } else if !edit.isHeld {
        state.edits[target]?.replace(value)
      }
    }
  }

  // MARK: Keys that work everywhere

  private mutating func general(_ key: Key, _ view: TerminalView) -> Outcome {
    let presentation = view.presentation
    switch key {
    case .tab: return moveControl(1, view)
    case .backTab: return moveControl(-1, view)
    case .down: return moveStop(1, view)
    case .up: return moveStop(-1, view)
    case .escape where endFilter(presentation): return .redraw
    case .escape, .backspace: return .send(.back)
    case .pageDown: return moveRow(view) { row, _ in row + view.visibleRows } ?? scroll(view.visibleRows, view)
    case .pageUp: return moveRow(view) { row, _ in row - view.visibleRows } ?? scroll(-view.visibleRows, view)
    case .wheelDown: return scroll(3, view)
    case .wheelUp: return scroll(-3, view)
    case .home: return moveRow(view) { _, _ in 0 } ?? scroll(-1_000_000, view)
    case .end: return moveRow(view) { _, count in count - 1 } ?? scroll(1_000_000, view)
    // With Alt, a digit selects a tab even from a text field.
    case .character(let character), .alt(let character):
      return character.isWholeNumber ? selectTab(character, presentation) : .nothing
    case .paste:
      state.status = .init(.refusal, Words.Status.noFieldToPasteInto)
      return .redraw
    default: return .nothing
    }
  }

  /// Performs the command of a key.
  mutating func perform(_ command: Command, _ view: TerminalView) -> Outcome {
    let presentation = view.presentation
    switch command {
    case .palette: return list(.palette)
    case .help: return list(.help)
    case .messages: return list(.messages)
    case .back: return general(.escape, view)
    case .filter: return beginFilter(presentation)
    case .find: return beginFind()
    case .previousTab: return moveTab(-1, presentation.tabBars.last)
    case .nextTab: return moveTab(1, presentation.tabBars.last)
    case .previousOuterTab: return moveTab(-1, presentation.tabBars.first)
    case .nextOuterTab: return moveTab(1, presentation.tabBars.first)
    case .undo: return .send(.undo)
    case .redo: return .send(.redo)
    case .copy: return presentation.alert == nil ? copy(presentation) : .nothing
    case .undoMessage: return undoMessage()
    case .report: return .showReport(nil)
    case .reload: return .reload
    case .restart: return restart(presentation)
    case .quit: return quit(presentation)
    case .up, .down, .left, .right, .pageUp, .pageDown, .first, .last, .nextColumn:
      return command.fixedKey.map { handle($0, view) } ?? .nothing
    }
  }

  private mutating func quit(_ presentation: Presentation) -> Outcome {
    let fields = presentation.layers.flatMap { $0.columns.flatMap(\.elements.flattened) }.filter {
      $0.kind == .field && !($0.value ?? "").isEmpty
    }
    guard fields.contains(where: { !isStored || $0.role == .secure }) else { return .quit }
    state.overlay = .question(.quit)
    return .redraw
  }

  /// Restarts the features, but asks first if that loses passwords or unfinished work.
  private mutating func restart(_ presentation: Presentation) -> Outcome {
    let hasSecrets = presentation.layers.contains { layer in
      layer.columns.contains { $0.elements.flattened.contains { $0.role == .secure && $0.value?.isEmpty == false } }
    }
    guard hasSecrets || state.isWorking else { return .restart }
    state.overlay = .question(.restart)
    return .redraw
  }

  /// Shows a list over the app.
  mutating func list(_ kind: ListOverlay.Kind) -> Outcome {
    state.overlay = .list(.init(kind: kind))
    return .redraw
  }

  /// Switches to the tab before or after the selected one; the first follows the last.
  private func moveTab(_ step: Int, _ bar: [Presentation.Tab]?) -> Outcome {
    guard let bar, bar.count > 1, let now = bar.firstIndex(where: \.isSelected) else { return .nothing }
    return .send(.tab(bar[(now + step + bar.count) % bar.count].node))
  }

  /// The kinds of elements among which left and right move.
  static let inlineKinds: [Element.Kind] = [.button, .link, .file]

  /// Moves focus left or right among elements on the same line.
  private mutating func moveInLine(_ key: Key, _ view: TerminalView) -> Outcome? {
    guard key == .left || key == .right, let node = view.presentation.top?.node,
      let focused = view.presentation.focused(state), Self.inlineKinds.contains(focused.kind),
      let now = view.lineMates.firstIndex(of: focused.id)
    else { return nil }
    let next = key == .left ? now - 1 : now + 1
    guard view.lineMates.indices.contains(next) else { return nil }
    return move(to: view.lineMates[next], node)
  }

  private func selectTab(_ digit: Character, _ presentation: Presentation) -> Outcome {
    guard let number = digit.wholeNumberValue, let bar = presentation.tabBars.first, bar.indices.contains(number - 1)
    else { return .nothing }
    return .send(.tab(bar[number - 1].node))
  }

  /// Moves focus to a neighboring pane.
  private mutating func movePane(_ step: Int, _ view: TerminalView, wraps: Bool = false) -> Outcome {
    guard view.panes.count > 1, view.presentation.alert == nil,
      let now = view.panes.firstIndex(where: { $0.node == view.presentation.top?.node })
    else { return .nothing }
    let next = wraps ? (now + step) % view.panes.count : now + step
    guard view.panes.indices.contains(next) else { return .nothing }
    return take(view.panes[next].node, view)
  }

  /// Moves focus to a pane.
  mutating func take(_ node: NodeID, _ view: TerminalView) -> Outcome {
    guard let top = view.panes.last else { return .nothing }
    state.pane = (node, top.node)
    return .send(.focus(node, view.presentation(of: node).focused(state)?.id))
  }

  mutating func scroll(_ lines: Int, _ view: TerminalView) -> Outcome {
    let presentation = view.presentation
    guard let top = presentation.top else { return .nothing }
    if presentation.alert != nil {
      state.alert.scroll = min(max(0, state.alert.scroll + lines), Int(Int32.max))
      return .redraw
    }
    let shown = min(state.scroll(of: top.node, top.scroll), view.scrollLimit)
    state.scroll[top.node] = min(max(0, shown + lines), view.scrollLimit)
    state.followsFocus = false
    return .redraw
  }

  // MARK: Elements

  /// Presses the element that has a key as its shortcut, unless the front end reserves the key.
  private mutating func pressByShortcut(_ key: Key, _ presentation: Presentation) -> Outcome? {
    guard let shortcut = Shortcut(key), FrontEndKey.owner(of: shortcut) == nil, let top = presentation.top else {
      return nil
    }
    // In a text field, letters are text.
    if case .character = key, presentation.focused(state)?.kind.isEdited == true { return nil }
    let meant = presentation.reachable.filter { $0.shortcut.map(Shortcut.init) == shortcut }
    guard let element = meant.first(where: \.isEnabled) else {
      // The shortcut belongs to the screen even while its element is disabled, so no front-end command takes its place.
      guard let element = meant.first else { return nil }
      state.status = .init(.information, Words.Status.disabled(element.label, reason: element.detail))
      return .redraw
    }
    return activate(element, top.node, presentation)
  }

  mutating func activate(_ element: Element, _ node: NodeID, _ presentation: Presentation) -> Outcome? {
    let target = Event.ElementReference(node: node, element: element.id)
    switch element.kind.traits.action {
    case .tap where element.kind == .row && element.role != .button:
      if let outcome = select(element, node, presentation) { return outcome }
      if let isExpanded = element.isExpanded { return .send(.expand(target, isExpanded: !isExpanded)) }
      return element.commands.flatMap { activate($0, node, presentation) }
    case .tap:
      // A command closes its menu, which would otherwise be open if its row comes back.
      if let menu = presentation.container(of: element.id, .menu) {
        state.openMenus.remove(.init(node: node, element: menu.id))
      }
      return .send(.tap(target))
    case .toggle: return .send(.toggle(target, isOn: element.value != "on"))
    case .choose: return choose(element, target, 1)
    case .expand: return .send(.expand(target, isExpanded: element.isExpanded != true))
    case .file:
      let folder = fileFolder ?? FileChoice.firstFolder
      state.overlay = .list(.init(kind: .files(FileChoice(element, of: node, in: folder))))
      return .redraw
    case .edit, .submit, .cell, .window: return nil
    case nil:
      guard element.kind == .menu else { return nil }
      if state.openMenus.remove(target) == nil { state.openMenus.insert(target) }
      return .redraw
    @unknown default: return nil
    }
  }

  private func choose(_ element: Element, _ target: Event.ElementReference, _ step: Int) -> Outcome? {
    guard !element.options.isEmpty else { return nil }
    let now = element.options.firstIndex { $0.id == element.value } ?? 0
    let next = (now + step + element.options.count) % element.options.count
    return .send(.choose(target, option: element.options[next].id))
  }

  /// Handles a key that the focused element uses; nil for other keys.
  private mutating func adjust(_ element: Element, _ key: Key, _ view: TerminalView) -> Outcome? {
    let presentation = view.presentation
    guard let node = presentation.top?.node else { return nil }
    let target = Event.ElementReference(node: node, element: element.id)
    switch (element.kind, key) {
    case (.grid, _): return moveInGrid(element, target, key)
    case (.table, _): return moveInTable(element, target, key, view)
    case (.row, .character(" ")):
      return select(element, node, presentation) ?? activate(element, node, presentation)
    case (.row, .left) where element.isExpanded == true, (.disclosure, .left) where element.isExpanded == true:
      return .send(.expand(target, isExpanded: false))
    case (.row, .right) where element.isExpanded == false, (.disclosure, .right) where element.isExpanded == false:
      return .send(.expand(target, isExpanded: true))
    case (_, .enter), (_, .character(" ")): return activate(element, node, presentation)
    case (_, .left) where element.kind.traits.action == .choose: return choose(element, target, -1)
    case (_, .right) where element.kind.traits.action == .choose: return choose(element, target, 1)
    default: return nil
    }
  }

  private mutating func moveInGrid(_ element: Element, _ target: Event.ElementReference, _ key: Key) -> Outcome? {
    let rows = element.cells.count
    let columns = element.cells.first?.count ?? 0
    guard rows > 0, columns > 0 else { return nil }
    var cell = state.gridCells[target] ?? (0, 0)
    cell = (min(cell.row, rows - 1), min(cell.column, columns - 1))
    if key == .enter || key == .character(" ") { return .send(.cell(target, row: cell.row, column: cell.column)) }
    guard let next = Self.neighbour(of: cell, key, rows: rows, columns: columns) else { return nil }
    state.gridCells[target] = next
    return .redraw
  }

  /// Returns the next cell in the direction of an arrow; nil at the edge, and for other keys.
  static func neighbour(of cell: (row: Int, column: Int), _ key: Key, rows: Int, columns: Int) -> (
    row: Int, column: Int
  )? {
    switch key {
    case .left where cell.column > 0: (cell.row, cell.column - 1)
    case .right where cell.column < columns - 1: (cell.row, cell.column + 1)
    case .up where cell.row > 0: (cell.row - 1, cell.column)
    case .down where cell.row < rows - 1: (cell.row + 1, cell.column)
    default: nil
    }
  }
}
