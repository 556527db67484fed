@_spi(FrontEnd) import GangwayProtocol

/// The key hints in the last line: first those of the focused element and of the screen, then those of the app.
extension TerminalView {
  typealias KeyHint = (key: String, what: String)

  /// The hints for the focused element, and for the keys that the screen's author chose.
  var screenHints: [KeyHint] {
    focusHints + screenKeys.prefix(3).map { ($0.shortcut.name, $0.element.label) }
  }

  /// The hints for the keys that the focused element uses.
  var focusHints: [KeyHint] { focused.map(own) ?? [] }

  /// The enabled elements in front that have a key, without keys that the front end or the focused text field uses.
  var screenKeys: [(shortcut: Shortcut, element: Element)] {
    let isEditing = focused?.kind.isEdited == true
    var known: Set<Shortcut> = []
    return presentation.reachable.compactMap { element in
      guard let shortcut = element.shortcut.map(Shortcut.init), let key = Key(shortcut),
        FrontEndKey.owner(of: shortcut) == nil
      else { return nil }
      if isEditing {
        if case .character = key { return nil }
        if key.edits { return nil }
      }
      // The key presses the first enabled element that has it.
      guard element.isEnabled, !element.label.isEmpty, known.insert(shortcut).inserted else { return nil }
      return (shortcut, element)
    }
  }

  /// The hints for keys that work on every screen.
  var appHints: [KeyHint] {
    let isEditing = focused?.kind.isEdited == true
    var hints: [KeyHint] = []
    if presentation.alert != nil { return [(Words.KeyName.escape, Words.Hint.cancel)] }
    // The first are left out first where there is little room.
    let tabs = presentation.layers.count == 1 ? presentation.tabBars.first { $0.count > 1 } : nil
    if let tabs {
      let keys = Words.KeyName.tabs(min(tabs.count, 9))
      hints.append((isEditing ? Words.KeyName.alt(keys) : keys, Words.Hint.tabs))
    }
    if focusable.count > 1 { hints.append((Words.KeyName.tab, Words.Hint.next)) }
    func add(_ command: Command, _ what: String) {
      if let name = state.keys.name(of: command, inField: isEditing) { hints.append((name, what)) }
    }
    if !isEditing, Self.hasRows(presentation.top?.elements ?? []) { add(.filter, Words.Hint.filter) }
    if panes.count > 1 {
      hints.append(isEditing ? (Words.KeyName.nextPane, Words.Hint.column) : ("← →", Words.Hint.columns))
    }
    add(.palette, Words.Hint.goTo)
    if presentation.canGoBack || presentation.layers.count > 1 {
      hints.append((Words.KeyName.escape, closesSheet ? Words.Hint.close : Words.Hint.back))
    }
    add(.help, Words.Hint.keys)
    add(.quit, Words.Hint.quit)
    return hints
  }

  /// Whether the way back leads out of a sheet, and not to an earlier screen within it.
  private var closesSheet: Bool {
    guard let below = presentation.layers.dropLast().last?.node else { return false }
    let first = presentation.path.lastIndex { $0.node == below }.map { $0 + 1 } ?? 0
    return presentation.path.count - first <= 1
  }

  /// Returns whether elements contain a list or a table; the search stops at the first.
  private static func hasRows(_ elements: [Element]) -> Bool {
    elements.contains { $0.kind == .list || $0.kind == .table || hasRows($0.children) }
  }

  /// Returns the hint for Enter in a text field of one line, if Enter does more than Tab.
  private func enterHint(_ element: Element) -> [(String, String)] {
    let isInForm = presentation.container(of: element.id, .form) != nil
    return element.submits || isInForm ? [(Words.KeyName.enter, Words.Hint.submit)] : []
  }

  /// Whether the column titles of a table have the keyboard, and not one of its rows.
  private func isOnTitles(_ table: Element) -> Bool {
    guard let node = presentation.top?.node else { return true }
    return (state.gridCells[.init(node: node, element: table.id)]?.row ?? 0) == 0
  }

  /// Returns the hints for the keys that the focused element uses.
  private func own(_ element: Element) -> [(String, String)] {
    let (enter, space) = (Words.KeyName.enter, Words.KeyName.space)
    return switch element.kind.traits.action {
    case .tap where element.kind == .row && element.role != .button:
      if element.isExpanded != nil {
        [("← →", Words.Hint.hideShow)]
      } else {
        presentation.container(of: element.id, .list)?.selects == nil
          ? [(enter, Words.Hint.menu)] : [(space, Words.Hint.select)]
      }
    case .tap: [(enter, element.kind == .button ? Words.Hint.press : Words.Hint.open)]
    case .file: [(enter, Words.Hint.chooseFile)]
    case .toggle: [(space, element.value == "on" ? Words.Hint.turnOff : Words.Hint.turnOn)]
    case .choose: [("← →", Words.Hint.choose)]
    case .cell: [("← ↑ ↓ →", Words.Hint.move), (enter, Words.Hint.press)]
    case .window:
      [("↑ ↓", Words.Hint.move), (enter, isOnTitles(element) ? Words.Hint.sort : Words.Hint.select)]
    case .expand: [(enter, element.isExpanded == true ? Words.Hint.hide : Words.Hint.show)]
    case .edit where element.kind == .number: [("+ -", Words.Hint.step)] + enterHint(element)
    case .edit where element.kind == .date: []
    case .edit where element.role == .multiline: [(enter, Words.Hint.newLine)]
    case .edit: enterHint(element)
    case .submit: []
    case nil: element.kind == .menu ? [(enter, Words.Hint.menu)] : []
    @unknown default: []
    }
  }
}
