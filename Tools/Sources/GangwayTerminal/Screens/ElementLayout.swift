import GangwayProtocol

/// One line of a screen's content, before it is scrolled into place.
struct ContentLine {
  struct Span {
    var text: String
    var style = Style.plain
    /// A row of a picture, in place of text.
    var picture: (picture: Picture, id: Int, row: Int)?
    /// What a press on it means.
    var hit: Hit?
  }

  /// Something that can be pressed.
  enum Hit: Hashable {
    case element(ElementID)
    case cell(ElementID, row: Int, column: Int)
    /// One of the panes of a screen.
    case option(ElementID, String)
  }

  var indent = 0
  var spans: [Span]
  /// The element whose line it is, so that it can be scrolled into view.
  var element: ElementID?
  /// The column of the cursor, counted from the indent.
  var cursor: Int?
  /// Names the row of a long list whose line it is: it stays where it is when other rows of the list come.
  var row: String?
  /// Which row of which list is not there and would come next.
  var missing: (list: ElementID, row: Int)?
}

/// Turns elements into lines that fit a width.
struct ElementLayout {
  let width: Int
  let node: NodeID
  let state: ViewState
  let focused: ElementID?
  let glyphs: Glyphs

  /// The lines of elements, one after the other. Facts that stand together have their values in one column.
  func lines(_ elements: [Element], indent: Int = 0) -> [ContentLine] {
    var made: [ContentLine] = []
    var facts: [Element] = []
    for element in elements {
      if element.kind == .fact {
        facts.append(element)
        continue
      }
      made += self.facts(facts, indent)
      facts = []
      made += lines(element, indent)
    }
    return made + self.facts(facts, indent)
  }

  func lines(_ element: Element, _ indent: Int) -> [ContentLine] {
    decorated(ownLines(element, indent), element, indent)
  }

  /// Says below an element what is wrong with it, and what it is for where the keyboard is on it.
  private func decorated(_ lines: [ContentLine], _ element: Element, _ indent: Int) -> [ContentLine] {
    guard element.problem != nil || element.help != nil && element.id == focused else { return lines }
    let room = max(width - indent - 2, 8)
    let problem = element.problem.map { wrapped("! " + $0, room, indent + 2, Style(color: .red)) } ?? []
    let help = element.id == focused ? element.help.map { wrapped($0, room, indent + 2, .dim) } ?? [] : []
    return lines + problem + help
  }

  private func ownLines(_ element: Element, _ indent: Int) -> [ContentLine] {
    let room = max(width - indent, 8)
    switch element.kind {
    case .heading: return runs(element, indent, room, .bold)
    case .divider: return [line(indent, [.init(text: String(repeating: glyphs.horizontal, count: room), style: .dim)])]
    case .button: return [press("[ \(name(element)) ]", element, indent, room)]
    case .link: return [press("\(name(element)) \(glyphs.link)", element, indent, room)]
    case .toggle: return [press("[\(element.value == "on" ? "x" : " ")] \(name(element))", element, indent, room)]
    case .picker:
      let value = element.options.first { $0.id == element.value }?.title ?? ""
      return [press("\(name(element)): \(glyphs.arrows[0]) \(value) \(glyphs.arrows[1])", element, indent, room)]
    case .field, .date, .number: return field(element, indent, room)
    case .row: return row(element, indent, room)
    case .tabs: return panes(element, indent, room)
    case .disclosure: return disclosure(element, indent, room)
    case .menu: return menu(element, indent, room)
    case .form: return title(element, indent) + lines(element.children, indent: indent)
    case .document: return lines(element.children, indent: indent)
    case .banner: return banner(element, indent, room)
    case .empty: return empty(element, indent, room)
    case .log: return title(element, indent) + log(element, indent, room)
    case .image: return image(element, indent, room)
    case .chart: return title(element, indent) + chart(element, indent, room)
    case .drawing: return drawing(element, indent, room)
    case .progress: return [progress(element, indent, room)]
    case .table: return title(element, indent) + table(element, indent, room)
    case .grid: return title(element, indent) + grid(element, indent, room)
    case .toolbar: return toolbar(element, indent)
    case .section: return title(element, indent) + lines(element.children, indent: indent + 2)
    case .list: return title(element, indent) + list(element, indent)
    case .alert: return []
    default:
      let isProblem = element.role == .problem
      if !isProblem { return runs(element, indent, room, .plain) }
      return wrapped((isProblem ? "! " : "") + element.label, room, indent, isProblem ? Style(color: .red) : .plain)
    }
  }

  /// A label with what stands before it, and the mark of what must be filled.
  func name(_ element: Element) -> String {
    (element.symbol.map { $0 + " " } ?? "") + element.label + (element.isRequired ? " *" : "")
  }

  /// What is set apart from a label.
  func badge(_ element: Element) -> [ContentLine.Span] {
    element.badge.map { [.init(text: "  "), .init(text: $0, style: Style(color: .cyan, isBold: true))] } ?? []
  }

  func line(_ indent: Int, _ spans: [ContentLine.Span], _ element: Element? = nil) -> ContentLine {
    ContentLine(indent: indent, spans: spans, element: element?.id)
  }

  func wrapped(_ text: String, _ room: Int, _ indent: Int, _ style: Style) -> [ContentLine] {
    TextWidth.wrap(text, room).map { line(indent, [.init(text: $0, style: style)]) }
  }

  func title(_ element: Element, _ indent: Int) -> [ContentLine] {
    element.label.isEmpty ? [] : [line(indent, [.init(text: name(element), style: .bold)] + badge(element))]
  }

  func style(_ element: Element) -> Style {
    var style = Style()
    if element.role == .destructive { style.color = .red }
    if element.kind == .link { style.isUnderlined = true }
    style.isDim = !element.isEnabled
    style.isReversed = element.id == focused
    return style
  }

  func press(_ text: String, _ element: Element, _ indent: Int, _ room: Int) -> ContentLine {
    var spans = [
      ContentLine.Span(text: TextWidth.fit(text, room), style: style(element), hit: .element(element.id))
    ]
    spans += badge(element)
    if let keys = element.shortcut { spans.append(.init(text: "  " + Shortcut.words(keys), style: .dim)) }
    if !element.isEnabled, let reason = element.detail { spans.append(.init(text: "  " + reason, style: .dim)) }
    return line(indent, spans, element)
  }

  private func toolbar(_ element: Element, _ indent: Int) -> [ContentLine] {
    let spans = element.children.flatMap { child in
      [
        ContentLine.Span(text: "[ \(child.label) ]", style: style(child), hit: .element(child.id)),
        ContentLine.Span(text: " "),
      ]
    }
    let isFocused = element.children.contains { $0.id == focused }
    return [ContentLine(indent: indent, spans: spans, element: isFocused ? focused : element.children.first?.id)]
  }

  private func progress(_ element: Element, _ indent: Int, _ room: Int) -> ContentLine {
    guard let percent = element.percent else {
      return line(indent, [.init(text: element.label + " …")])
    }
    let bar = max(4, min(20, room - TextWidth.of(element.label) - 7))
    let filled = (bar * percent + 50) / 100
    let drawn = String(repeating: glyphs.full, count: filled) + String(repeating: glyphs.empty, count: bar - filled)
    return line(indent, [.init(text: "\(element.label) \(drawn) \(percent)%")])
  }

  /// A text in a column of its own, cut off where it is too long.
  func padded(_ text: String, _ width: Int) -> String {
    let text = TextWidth.fit(text, width)
    return text + String(repeating: " ", count: max(0, width - TextWidth.of(text)))
  }

  private func grid(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    let width = min((element.cells.joined().map { TextWidth.of($0.text) }.max() ?? 1) + 1, max(room, 2))
    let chosen = state.gridCells[.init(node: node, element: element.id)] ?? (0, 0)
    return element.cells.enumerated().map { row, cells in
      let spans = cells.enumerated().map { column, cell in
        var style = Style()
        style.color = Style.Color(tint: cell.tint)
        style.isBold = cell.tint != nil
        style.isDim = !cell.isEnabled && cell.tint == nil
        style.isReversed = element.id == focused && chosen == (row, column)
        return ContentLine.Span(
          text: padded(cell.text, width), style: style, hit: .cell(element.id, row: row, column: column))
      }
      // A grid higher than the screen scrolls with the chosen cell.
      return ContentLine(indent: indent, spans: spans, element: chosen.row == row ? element.id : nil)
    }
  }

  // MARK: Fields

  private func field(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    let edit = state.edits[.init(node: node, element: element.id)]
    let text = edit?.text ?? element.value ?? ""
    let cursor = edit?.cursor ?? text.count
    let isFocused = element.id == focused
    if element.role == .multiline { return multiline(element, text, cursor, isFocused, indent, room) }
    let shown = element.role == .secure ? String(repeating: glyphs.secret, count: text.count) : text
    let label = "\(name(element)): "
    let space = max(room - TextWidth.of(label) - 2, 4)
    let (visible, at) = Self.window(shown, cursor, space)
    let blanks = String(repeating: " ", count: max(0, min(space, 30) - TextWidth.of(visible)))
    var style = style(element)
    style.isReversed = false
    style.isUnderlined = true
    var made = line(
      indent,
      [
        .init(text: label, style: isFocused ? .reversed : .plain, hit: .element(element.id)),
        .init(text: visible + blanks, style: style, hit: .element(element.id)),
      ], element)
    made.spans += badge(element)
    if isFocused { made.cursor = TextWidth.of(label) + at }
    return [made]
  }

  private func multiline(
    _ element: Element, _ text: String, _ cursor: Int, _ isFocused: Bool, _ indent: Int, _ room: Int
  ) -> [ContentLine] {
    var made = [
      line(indent, [.init(text: element.label + ":", style: isFocused ? .reversed : .plain, hit: .element(element.id))])
    ]
    var start = 0
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isHere = (start...start + part.count).contains(cursor)
      let (visible, at) = Self.window(String(part), isHere ? cursor - start : 0, room - 4)
      var drawn = ContentLine(
        indent: indent + 2,
        spans: [
          .init(text: glyphs.vertical + " ", style: .dim), .init(text: visible, hit: .element(element.id)),
        ])
      if isFocused, isHere {
        drawn.cursor = 2 + at
        drawn.element = element.id
      }
      made.append(drawn)
      start += part.count + 1
    }
    return made
  }

  /// The part of a text around the cursor that fits, and the cursor's column in it.
  static func window(_ text: String, _ cursor: Int, _ space: Int) -> (String, Int) {
    let characters = Array(text)
    let cursor = min(max(cursor, 0), characters.count)
    // Back from the cursor as far as there is room before it, then on from there: each character is measured once.
    var (first, before) = (cursor, 0)
    while first > 0 {
      let width = TextWidth.of(characters[first - 1])
      guard before + width < space else { break }
      before += width
      first -= 1
    }
    var (visible, used) = ("", 0)
    for character in characters[first...] {
      used += TextWidth.of(character)
      guard used <= space else { break }
      visible.append(character)
    }
    return (visible, before)
  }
}
