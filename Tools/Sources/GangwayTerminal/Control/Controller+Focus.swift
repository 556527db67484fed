@_spi(FrontEnd) import GangwayProtocol

/// Focus movement with the arrows and Tab.
extension Controller {
  /// Moves focus to the next stop below or above; a row is one stop.
  mutating func moveStop(_ step: Int, _ view: TerminalView) -> Outcome {
    let presentation = view.presentation
    if waitsForRow(presentation) { return moveRow(view) { row, _ in row + step } ?? .nothing }
    let stops = presentation.stops(state)
    guard let top = presentation.top, !stops.isEmpty else { return scroll(step, view) }
    if let outcome = takeSight(step, view) { return outcome }
    let now = presentation.focused(state).flatMap { focused in stops.firstIndex { $0.contains(focused.id) } } ?? 0
    let step = distance(of: step, from: now, among: stops, view)
    let next = stops[(now + step + stops.count) % stops.count]
    // Before focus leaves the list, or begins again at its other end, it moves through the rows that are not loaded.
    let beginsAgain = !stops.indices.contains(now + step)
    if let list = presentation.list(stops[now].list), list.rowCount != nil, next.list != list.id || beginsAgain,
      step > 0 ? list.rowsBelow > 0 : list.rowsAbove > 0
    {
      return want(step > 0 ? list.rowsAbove + list.children.count : list.rowsAbove - 1, of: list, view)
    }
    // Focus enters a list at its real first or last row, which may not be loaded.
    if let list = presentation.list(next.list), list.id != stops[now].list, let rowCount = list.rowCount,
      step > 0 ? list.rowsAbove > 0 : list.rowsBelow > 0
    {
      return want(step > 0 ? 0 : rowCount - 1, of: list, view)
    }
    return focus(next.elements.first, top.node)
  }

  /// Returns the number of stops to the next line: left and right move among the buttons of one line.
  ///
  /// If the screen has no other line, it is the next stop.
  private func distance(of step: Int, from now: Int, among stops: [FocusStop], _ view: TerminalView) -> Int {
    // An open menu of a row is walked item by item.
    guard stops[now].row == nil,
      view.presentation.focused(state).map({ Self.inlineKinds.contains($0.kind) }) == true
    else { return step }
    return (1..<max(stops.count, 2)).map { $0 * step }.first { distance in
      let stop = stops[(now + distance + stops.count) % stops.count]
      return stop.elements.first.map { !view.lineMates.contains($0.id) } ?? true
    } ?? step
  }

  /// Moves focus from a search field to the first row that it found, or to the next control.
  mutating func moveToResults(_ view: TerminalView) -> Outcome {
    guard let node = view.presentation.top?.node, let row = view.focusable.first(where: { $0.kind == .row }) else {
      return moveControl(1, view)
    }
    return focus(row, node)
  }

  /// Moves focus to the next control: first within the row, then out of the list.
  ///
  /// Focus returns to a list at the row that it left. If the screen has only the list, focus moves to the next row.
  mutating func moveControl(_ step: Int, _ view: TerminalView) -> Outcome {
    let presentation = view.presentation
    if !waitsForRow(presentation), let outcome = takeSight(step, view) { return outcome }
    let places = presentation.stops(state).flatMap { stop in stop.elements.map { (element: $0, stop: stop) } }
    guard let top = presentation.top, !places.isEmpty else { return scroll(step, view) }
    let focused = presentation.focused(state)?.id
    let now = places.firstIndex { $0.element.id == focused } ?? 0
    let own = places[now].stop
    if own.row != nil, places.indices.contains(now + step), places[now + step].stop.row == own.row {
      return focus(places[now + step].element, top.node)
    }
    let order = (1..<max(places.count, 2)).map { places[(now + $0 * step + $0 * places.count) % places.count] }
    guard let next = order.first(where: { $0.stop.list == nil || $0.stop.list != own.list }) else {
      return moveStop(step, view)
    }
    guard let list = next.stop.list, list != own.list else { return focus(next.element, top.node) }
    // A list is one stop: the row that focus left, or the first row.
    let rows = places.filter { $0.stop.list == list }
    guard let whole = presentation.list(list) else { return focus(rows.first?.element, top.node) }
    let row = state.focusedRows[.init(node: top.node, element: list)]?.row ?? 0
    guard whole.children.indices.contains(row - whole.rowsAbove) else {
      return row < whole.rowCount ?? 0 ? want(row, of: whole, view) : focus(rows.last?.element, top.node)
    }
    let name = whole.children[row - whole.rowsAbove].id
    return focus((rows.first { $0.stop.row == name } ?? rows.first)?.element, top.node)
  }

  /// Moves focus left or right within a row; nil at the row's ends and outside of rows.
  mutating func moveInRow(_ key: Key, _ presentation: Presentation) -> Outcome? {
    guard key == .left || key == .right, let node = presentation.top?.node,
      let focused = presentation.focused(state),
      let own = presentation.stops(state).first(where: { $0.contains(focused.id) }), let row = own.row
    else { return nil }
    let inRow = presentation.stops(state).filter { $0.row == row && $0.list == own.list }.flatMap(\.elements)
    guard let now = inRow.firstIndex(where: { $0.id == focused.id }) else { return nil }
    let next = key == .left ? now - 1 : now + 1
    return inRow.indices.contains(next) ? focus(inRow[next], node) : nil
  }

  /// Moves focus from an element that is out of view to one in view or beyond; nil if the focused element is in view.
  private mutating func takeSight(_ step: Int, _ view: TerminalView) -> Outcome? {
    let presentation = view.presentation
    guard !view.showsFocus, presentation.alert == nil, let node = presentation.top?.node else { return nil }
    let stops = presentation.stops(state)
    let order =
      step > 0 ? view.positions.here + view.positions.below : (view.positions.above + view.positions.here).reversed()
    for id in order {
      guard let stop = stops.first(where: { $0.contains(id) }) else { continue }
      // If a row starts above the visible part, its first control is out of view.
      let seen = stop.elements.first { view.positions.here.contains($0.id) }
      return focus(seen ?? stop.elements.first, node)
    }
    return returnToRow(view) ?? scroll(step, view)
  }

  private mutating func focus(_ element: Element?, _ node: NodeID) -> Outcome {
    guard let element else { return .nothing }
    return move(to: element.id, node)
  }

  /// Moves focus to an element. The host stores the focus of a screen, and not of an alert over it.
  mutating func move(to element: ElementID, _ node: NodeID) -> Outcome {
    state.focus[node] = element
    return state.alert.id == nil ? .send(.focus(node, element)) : .redraw
  }

  /// Moves focus where the feature wants it, such as to the first field with a problem.
  mutating func follow(_ focus: Event.ElementReference) {
    state.focus[focus.node] = focus.element
    state.followsFocus = true
  }

  // MARK: Rows that are not here

  /// Returns whether focus is moving to a row of this screen that is not loaded yet.
  private func waitsForRow(_ presentation: Presentation) -> Bool {
    guard let target = state.wantedRow?.target, presentation.alert == nil else { return false }
    return target.node == presentation.top?.node && presentation.list(target.element)?.kind == .list
  }

  /// Requests a row that is not loaded; it gets focus once the host has sent it.
  mutating func want(_ row: Int, of list: Element, _ view: TerminalView) -> Outcome {
    guard let node = view.presentation.top?.node else { return .nothing }
    let target = Event.ElementReference(node: node, element: list.id)
    state.wantedRow = (target, row)
    return .send(Self.window(around: row, of: target, visibleRows: view.visibleRows))
  }

  /// Goes back to the focused row if it is not loaded; nil if there is no such row.
  mutating func returnToRow(_ view: TerminalView) -> Outcome? {
    guard let (list, row) = view.presentation.awayRow(state) else { return nil }
    return want(row, of: list, view)
  }

  /// Remembers the row of each list that had focus last.
  mutating func noteRows(_ elements: [Element], _ node: NodeID, _ focus: ElementID?) {
    guard let focus else { return }
    for list in elements.flattened where list.kind == .list {
      guard let row = list.row(of: focus) else { continue }
      state.focusedRows[.init(node: node, element: list.id)] = (focus, row)
    }
  }

  /// The time after the focused element went in which Enter and Space press nothing.
  private static let graceTime: Duration = .milliseconds(700)

  /// Notes what has focus on the drawn screen, and when the element that had it before went by itself.
  mutating func noteDrawnFocus(_ view: TerminalView) {
    guard view.presentation.alert == nil, let node = view.presentation.top?.node else { return }
    var drawn = ViewState.DrawnFocus(node: node, element: view.focused?.id)
    if let last = state.drawnFocus, last.node == node {
      let isGone = last.element.map { id in !view.focusable.contains { $0.id == id } } ?? false
      if last.element == drawn.element {
        drawn.loss = last.loss
      } else if isGone, ContinuousClock.now - keyTime > .seconds(1) {
        // After a key, the user expects a change.
        drawn.loss = .now
      }
    }
    state.drawnFocus = drawn
  }

  /// Returns what Enter or Space does if it must not act on the focused element; nil if it may.
  mutating func instead(ofActingOn focused: Element?, _ key: Key, _ view: TerminalView) -> Outcome? {
    guard key == .enter || key == .character(" ") && focused?.kind.isEdited != true else { return nil }
    // The key was meant for the element that has just gone.
    if let drawn = state.drawnFocus, drawn.node == view.presentation.top?.node, drawn.element == focused?.id,
      let loss = drawn.loss, ContinuousClock.now - loss < Self.graceTime
    {
      return .redraw
    }
    if focused == nil { return returnToRow(view) }
    guard !view.showsFocus, let focused, let node = view.presentation.top?.node else { return nil }
    state.focus[node] = focused.id
    return .redraw
  }

  /// Moves focus from a removed row to the row that took its place.
  mutating func replaceGoneRows(of pane: Presentation.Pane) {
    guard let id = state.focus[pane.node] ?? pane.focus else { return }
    for list in pane.elements.flattened where list.kind == .list {
      let target = Event.ElementReference(node: pane.node, element: list.id)
      guard let last = state.focusedRows[target], last.element == id, list.row(of: id) == nil, !list.children.isEmpty
      else { continue }
      let count = list.rowCount ?? list.children.count
      let shown = min(last.row, count - 1) - list.rowsAbove
      guard list.children.indices.contains(shown) else { continue }
      let row = list.children[shown]
      let next = [row].flattened.first {
        $0.isFocusable(inSelectableList: list.selects != nil && $0.id == row.id)
      }
      if let next { state.focus[pane.node] = next.id }
    }
  }
}
