@_spi(FrontEnd) import GangwayProtocol

/// Inputs for text and values.
extension ElementLayout {
  func field(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    let edit = state.edits[.init(node: node, element: element.id)]
    let text = edit?.text ?? element.value ?? ""
    let cursor = edit?.cursor ?? text.characterCount
    let isFocused = element.id == focused
    if element.role == .multiline { return multiline(element, text, cursor, isFocused, indent, room) }
    let shown = element.role == .secure ? String(repeating: glyphs.secret, count: text.characterCount) : text
    let label = label(element, room)
    let space = max(room - TextWidth.of(label.text) - 2, 4)
    let selection = isFocused ? edit?.selection : nil
    let (visible, at, first) = Self.window(shown, cursor, space)
    let blanks = String(repeating: " ", count: max(0, min(space, 30) - TextWidth.of(visible)))
    let style = inputStyle(element)
    var made = line(indent, [label], element)
    made.spans += Self.marked(visible, selection, first, style).map { span in
      var span = span
      span.hit = .element(element.id)
      return span
    }
    made.spans.append(.init(text: blanks, style: style, hit: .element(element.id)))
    made.spans += badge(element)
    if isFocused { made.cursor = TextWidth.of(label.text) + at }
    return [made]
  }

  /// Returns the style of the place for text: a surface, or an underline.
  private func inputStyle(_ element: Element) -> Style {
    glyphs.hasSurfaces
      ? Style(surface: .raised, isDim: !element.isEnabled) : Style(isDim: !element.isEnabled, isUnderlined: true)
  }

  /// Returns the label of an input, padded to the column of its group; the focused input's label is highlighted.
  private func label(_ element: Element, _ room: Int) -> ContentLine.Span {
    let text = TextWidth.fit(name(element), max(labelColumn, 8) - 2) + ": "
    let style: Style = element.id != focused ? .plain : glyphs.hasSurfaces ? .accent : .focused
    return .init(text: padded(text, max(labelColumn, TextWidth.of(text))), style: style, hit: .element(element.id))
  }

  func picker(_ element: Element, _ indent: Int, _ room: Int) -> ContentLine {
    let value = element.options.first { $0.id == element.value }?.title ?? ""
    let label = label(element, room)
    var style = style(element)
    if glyphs.hasSurfaces, element.id != focused { style.surface = .raised }
    let text = "\(glyphs.arrows[0]) \(value) \(glyphs.arrows[1])"
    var made = line(
      indent,
      [
        label,
        .init(
          text: TextWidth.fit(glyphs.hasSurfaces ? " \(text) " : text, max(room - TextWidth.of(label.text), 4)),
          style: style, hit: .element(element.id)),
      ] + badge(element), element)
    if let keys = element.shortcut { made.spans.append(.init(text: "  " + Shortcut(keys).name, style: .dim)) }
    if !element.isEnabled, let reason = element.detail {
      made.spans.append(.init(text: "  " + reason, style: .dim))
    }
    return made
  }

  /// Returns the spans of a part of a text, with the selection highlighted.
  ///
  /// - Parameter first: the number of the text's characters before the part.
  private static func marked(_ text: String, _ selection: Range<Int>?, _ first: Int, _ style: Style)
    -> [ContentLine.Span]
  {
    guard let selection else { return [.init(text: text, style: style)] }
    let part = (max(0, selection.lowerBound - first)..<max(0, selection.upperBound - first)).clamped(to: 0..<text.count)
    var selected = style
    selected.isReversed = true
    let (before, rest) = (text.prefix(part.lowerBound), text.dropFirst(part.lowerBound))
    return [
      .init(text: String(before), style: style), .init(text: String(rest.prefix(part.count)), style: selected),
      .init(text: String(rest.dropFirst(part.count)), style: style),
    ]
  }

  private func multiline(
    _ element: Element, _ text: String, _ cursor: Int, _ isFocused: Bool, _ indent: Int, _ room: Int
  ) -> [ContentLine] {
    let style: Style = !isFocused ? .plain : glyphs.hasSurfaces ? .accent : .focused
    var made = [line(indent, [.init(text: element.label + ":", style: style, hit: .element(element.id))])]
    let selection = isFocused ? state.edits[.init(node: node, element: element.id)]?.selection : nil
    var start = 0
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isHere = (start...start + part.count).contains(cursor)
      let (visible, at, first) = Self.window(String(part), isHere ? cursor - start : 0, room - 4)
      let edge = ContentLine.Span(
        text: glyphs.vertical + " ", style: isFocused ? Style(color: .accent) : .dim, hit: .element(element.id))
      let blanks = String(repeating: " ", count: max(0, min(room - 4, 30) - TextWidth.of(visible)))
      let content =
        Self.marked(visible, selection, start + first, inputStyle(element)) + [
          .init(text: blanks, style: inputStyle(element))
        ]
      let spans = content.map { span in
        var span = span
        span.hit = .element(element.id)
        return span
      }
      var drawn = ContentLine(indent: indent + 2, spans: [edge] + spans)
      if isFocused, isHere {
        drawn.cursor = 2 + at
        drawn.element = element.id
      }
      made.append(drawn)
      start += part.count + 1
    }
    return made
  }

  /// Returns the part of a text around the cursor that fits in `space` columns.
  ///
  /// The result also has the cursor's column in the part, and the number of characters before the part.
  static func window(_ text: String, _ cursor: Int, _ space: Int) -> (text: String, column: Int, first: Int) {
    let cursor = min(max(cursor, 0), text.characterCount)
    let place = text.index(ofCharacter: cursor)
    // Go back from the cursor as far as there is room, then forward, so that each character is measured once.
    var (first, before, start) = (cursor, 0, place)
    while start > text.startIndex {
      let previous = text.index(before: start)
      let width = TextWidth.of(text[previous])
      guard before + width < space else { break }
      before += width
      (first, start) = (first - 1, previous)
    }
    var (visible, used) = ("", 0)
    for character in text[start...] {
      used += TextWidth.of(character)
      guard used <= space else { break }
      visible.append(character)
    }
    return (visible, before, first)
  }
}
