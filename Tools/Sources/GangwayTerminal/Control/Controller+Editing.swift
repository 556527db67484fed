@_spi(FrontEnd) import GangwayProtocol

/// Keys in text fields, as in a shell's line and in an editor.
extension Controller {
  /// Handles a key in a text field; nil for keys that the field does not use.
  mutating func edit(_ element: Element, _ key: Key, _ view: TerminalView) -> Outcome? {
    let presentation = view.presentation
    guard let node = presentation.top?.node else { return nil }
    let target = Event.ElementReference(node: node, element: element.id)
    let value = element.value ?? ""
    var edit = state.edits[target] ?? .init(text: value, cursor: value.count)
    let before = edit.text
    let isMultiline = element.role == .multiline
    switch key {
    case .character(let sign) where element.kind == .number && (sign == "+" || sign == "-" && edit.cursor > 0):
      guard let stepped = element.stepped(by: sign == "+" ? 1 : -1) else { return .nothing }
      edit.set(stepped)
    case .character(let digit) where digit.isWholeNumber && Self.beginsAnew(element, edit): edit.set(String(digit))
    case .character(let character): edit.insert(String(character), isTyped: true)
    case .paste(let text, let isWhole):
      // A field of one line cannot hold line breaks.
      edit.insert(isMultiline ? text : text.split(whereSeparator: \.isNewline).joined(separator: " "))
      if !isWhole {
        state.status = .init(.refusal, Words.Status.pasteCut(limit: Key.maximumPaste))
      }
    case .enter where isMultiline: edit.insert("\n")
    case .enter:
      if element.submits { return .send(.submit(target)) }
      if let form = presentation.container(of: element.id, .form) {
        return .send(.submit(.init(node: node, element: form.id)))
      }
      return element.role == .search ? moveToResults(view) : moveControl(1, view)
    case .alt("c"):
      // A secret is never copied to the clipboard.
      guard element.role != .secure, let text = edit.selected ?? (edit.text.isEmpty ? nil : edit.text) else {
        return .nothing
      }
      return .copy(text)
    case .up where isMultiline, .down where isMultiline:
      guard let moved = edit.lineMoved(key == .up ? -1 : 1) else { return nil }
      edit.move(to: moved)
    default: guard Self.change(&edit, key) else { return nil }
    }
    let isChanged = edit.text != before
    if isChanged {
      edit.unanswered += 1
      (edit.isHeld, edit.wasHeld) = (false, false)
    }
    state.edits[target] = edit
    return isChanged ? .send(.edit(target, text: edit.text)) : .redraw
  }

  /// Returns whether a digit replaces the text. Nobody means 012, and a whole date has no room for another digit.
  private static func beginsAnew(_ element: Element, _ edit: TextEdit) -> Bool {
    switch element.kind {
    case .number: edit.text == "0"
    case .date:
      edit.text == element.value && edit.cursor == edit.text.count && !edit.text.isEmpty && element.problem == nil
    default: false
    }
  }

  /// Notes that one edit of a field has been answered, or will have no answer.
  mutating func noteAnswer(to target: Event.ElementReference) {
    guard let edit = state.edits[target] else { return }
    state.edits[target]?.unanswered = max(0, edit.unanswered - 1)
  }

  /// Keeps the text of a field, although the app does not have it.
  ///
  /// - Returns: whether the text was not held before.
  @discardableResult mutating func hold(_ target: Event.ElementReference) -> Bool {
    noteAnswer(to: target)
    let isFirst = state.edits[target]?.wasHeld == false
    state.edits[target]?.isHeld = true
    state.edits[target]?.wasHeld = true
    return isFirst
  }

  /// Returns the edits with the text that the app does not have, which are then no longer held.
  ///
  /// - Parameter isMeant: whether to take the text of a node.
  mutating func takeHeldText(where isMeant: (NodeID) -> Bool) -> [Event.Action] {
    let held = state.edits.filter { $0.value.isHeld && isMeant($0.key.node) }
    for target in held.keys {
      state.edits[target]?.isHeld = false
      state.edits[target]?.unanswered += 1
    }
    return held.sorted { ($0.key.node, $0.key.element) < ($1.key.node, $1.key.element) }.map {
      .edit($0.key, text: $0.value.text)
    }
  }

  /// Applies an editing key to a text; returns false for keys that do not edit.
  static func change(_ edit: inout TextEdit, _ key: Key) -> Bool {
    switch key {
    case .backspace: edit.delete(edit.cursor - 1..<edit.cursor)
    case .delete, .control("d"): edit.delete(edit.cursor..<edit.cursor + 1)
    case .deleteWordBefore, .control("w"): edit.delete(edit.wordStart..<edit.cursor)
    case .deleteWordAfter, .alt("d"): edit.delete(edit.cursor..<edit.wordEnd)
    case .control("u"): edit.delete(edit.lineStart..<edit.cursor)
    case .control("k"): edit.delete(edit.cursor..<edit.lineEnd)
    case .left: edit.move(to: edit.selection?.lowerBound ?? edit.cursor - 1)
    case .right: edit.move(to: edit.selection?.upperBound ?? edit.cursor + 1)
    case .wordLeft, .alt("b"): edit.move(to: edit.wordStart)
    case .wordRight, .alt("f"): edit.move(to: edit.wordEnd)
    case .home, .control("a"): edit.move(to: edit.lineStart)
    case .end, .control("e"): edit.move(to: edit.lineEnd)
    case .selectLeft: edit.move(to: edit.cursor - 1, selects: true)
    case .selectRight: edit.move(to: edit.cursor + 1, selects: true)
    case .selectWordLeft: edit.move(to: edit.wordStart, selects: true)
    case .selectWordRight: edit.move(to: edit.wordEnd, selects: true)
    case .selectHome: edit.move(to: edit.lineStart, selects: true)
    case .selectEnd: edit.move(to: edit.lineEnd, selects: true)
    case .alt("a"): edit.selectAll()
    case .control("_"): edit.undo()
    case .alt("_"): edit.redo()
    default: return false
    }
    return true
  }

  /// Copies the text of the focused element, or of the screen if nothing has focus.
  func copy(_ presentation: Presentation) -> Outcome {
    guard let focused = presentation.focused(state) else {
      let text = presentation.plainText
      return text.isEmpty ? .nothing : .copy(text)
    }
    let text =
      focused.kind == .grid || focused.kind == .table
      ? focused.cells.map { $0.map(\.text).joined(separator: "\t") }.joined(separator: "\n")
      : [focused.label, focused.detail].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "\n")
    return text.isEmpty ? .nothing : .copy(text)
  }
}
