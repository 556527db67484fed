@_spi(FrontEnd) import GangwayProtocol

/// Filters for the rows of a screen.
extension Controller {
  /// Starts a filter, or moves focus to the screen's search field if it has one.
  mutating func beginFilter(_ presentation: Presentation) -> Outcome {
    guard let top = presentation.top, presentation.alert == nil else { return .nothing }
    if let field = top.elements.flattened.first(where: { $0.kind == .field && $0.role == .search }) {
      state.focus[top.node] = field.id
      return .send(.focus(top.node, field.id))
    }
    guard top.elements.flattened.contains(where: { $0.kind == .list || $0.kind == .table }) else {
      state.status = .init(.information, Words.Status.noRows)
      return .redraw
    }
    state.isFiltering = true
    state.filters[top.node] = ""
    return .redraw
  }

  /// Handles a key while a filter is typed; nil for keys that act on the rows.
  mutating func handleFilter(_ key: Key, _ view: TerminalView) -> Outcome? {
    guard let node = view.presentation.top?.node, let text = state.filters[node] else {
      state.isFiltering = false
      return nil
    }
    switch key {
    case .character(let character): state.filters[node] = text + String(character)
    case .paste(let pasted, _): state.filters[node] = text + pasted.filter { !$0.isNewline }.prefix(1_000)
    case .backspace where text.isEmpty, .escape:
      state.isFiltering = false
      state.filters[node] = nil
    case .backspace: state.filters[node] = String(text.dropLast())
    case .control("u"), .control("w"), .deleteWordBefore: state.filters[node] = ""
    case .enter: state.isFiltering = false
    default: return nil
    }
    // Focus moves to the first remaining row.
    state.focus[node] = nil
    state.gridCells = state.gridCells.filter { $0.key.node != node }
    for table in view.presentation.top?.elements.flattened ?? [] where table.kind == .table {
      state.gridCells[.init(node: node, element: table.id)] = (1, 0)
    }
    state.scroll[node] = 0
    return .redraw
  }

  /// Removes the filter; returns false if there is none.
  mutating func endFilter(_ presentation: Presentation) -> Bool {
    guard let node = presentation.top?.node else { return false }
    return state.filters.removeValue(forKey: node) != nil
  }
}

extension Presentation.Pane {
  /// Returns the screen with only the rows that contain a text, ignoring case.
  func filtered(_ text: String) -> Presentation.Pane {
    guard !text.isEmpty else { return self }
    var copy = self
    copy.elements = elements.map { $0.filtered(text.lowercased()) }
    return copy
  }
}

extension Element {
  fileprivate func filtered(_ text: String) -> Element {
    var copy = self
    // In a long list, the filter searches only the loaded rows, which then form a list of their own.
    if self.rowCount != nil { (copy.attributes.rowCount, copy.attributes.firstRow) = (nil, nil) }
    switch kind {
    case .list: copy.children = children.filter { $0.has(text) }
    case .table:
      let kept = cells.indices.dropFirst().filter { row in
        cells[row].contains { $0.text.lowercased().contains(text) }
      }
      copy.cells = Array(cells.prefix(1)) + kept.map { cells[$0] }
      if let keys = self.keys { copy.keys = kept.compactMap { keys.indices.contains($0 - 1) ? keys[$0 - 1] : nil } }
    case .section where children.contains(where: { $0.kind == .row }):
      copy.children = children.filter { $0.kind != .row || $0.has(text) }.map { $0.filtered(text) }
    default: copy.children = children.map { $0.filtered(text) }
    }
    return copy
  }

  private func has(_ text: String) -> Bool {
    label.lowercased().contains(text) || self.detail?.lowercased().contains(text) == true
      || value?.lowercased().contains(text) == true || children.contains { $0.has(text) }
  }
}
