@_spi(FrontEnd) import GangwayProtocol

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
    switch element.kind.traits.action {
    case .tap where element.kind == .row && element.role != .button:
      element.isExpanded != nil ? [("← →", "hide, show")] : [("Space", "select")]
    case .tap: [("Enter", element.kind == .button ? "press" : "open")]
    case .toggle: [("Space", element.value == "on" ? "turn off" : "turn on")]
    case .choose: [("← →", "choose")]
    case .cell: [("← ↑ ↓ →", "move"), ("Enter", "press")]
    case .window: [("↑ ↓", "move"), ("Enter", state.gridCells.isEmpty ? "sort" : "select")]
    case .expand: [("Enter", element.isExpanded == true ? "hide" : "show")]
    case .edit where element.kind == .number: [("+ -", "step"), ("Enter", "submit")]
    case .edit where element.kind == .date: []
    case .edit where element.role == .multiline: [("Enter", "new line")]
    case .edit: [("Enter", element.submits ? "submit" : "next")]
    case .submit: []
    case nil: element.kind == .menu ? [("Enter", "menu")] : []
    }
  }
}
