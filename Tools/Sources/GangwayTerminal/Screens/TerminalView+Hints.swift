import GangwayProtocol

/// The key hints in the last line, for the focused element.
extension TerminalView {
  var hints: [(key: String, what: String)] {
    let focused = presentation.focused(state)
    let isEditing = focused?.kind.isEdited == true
    var hints: [(String, String)] = focused.map(own) ?? []
    if presentation.alert != nil { return hints + [("Esc", "cancel")] }
    if panes.count > 1 { hints.append(isEditing ? ("F6", "column") : ("← →", "columns")) }
    if presentation.focusable(state).count > 1 { hints.append(("Tab", "next")) }
    func add(_ command: Command, _ what: String) {
      if let name = state.keys.name(of: command, inField: isEditing) { hints.append((name, what)) }
    }
    if !isEditing, Self.hasRows(presentation.top?.elements ?? []) { add(.filter, "filter") }
    if presentation.canGoBack || presentation.layers.count > 1 {
      hints.append(("Esc", presentation.layers.count > 1 ? "close" : "back"))
    }
    add(.palette, "go to")
    add(.help, "keys")
    add(.quit, "quit")
    return hints
  }

  /// Returns whether elements contain a list or a table; the search stops at the first.
  private static func hasRows(_ elements: [Element]) -> Bool {
    elements.contains { $0.kind == .list || $0.kind == .table || hasRows($0.children) }
  }

  /// Returns the hints for the keys that the focused element uses.
  private func own(_ element: Element) -> [(String, String)] {
    switch element.kind {
    case .button: [("Enter", "press")]
    case .link: [("Enter", "open")]
    case .toggle: [("Space", element.value == "on" ? "turn off" : "turn on")]
    case .picker: [("← →", "choose")]
    case .tabs: [("← →", "choose")]
    case .grid: [("← ↑ ↓ →", "move"), ("Enter", "press")]
    case .table: [("↑ ↓", "move"), ("Enter", state.gridCells.isEmpty ? "sort" : "select")]
    case .disclosure: [("Enter", element.isExpanded == true ? "hide" : "show")]
    case .menu: [("Enter", "menu")]
    case .row:
      element.role == .button
        ? [("Enter", "open")]
        : element.isExpanded != nil
          ? [("← →", "hide, show")] : [("Space", "select")]
    case .number: [("+ -", "step"), ("Enter", "submit")]
    case .field where element.role == .multiline: [("Enter", "new line")]
    case .field: [("Enter", element.submits ? "submit" : "next")]
    default: []
    }
  }
}
