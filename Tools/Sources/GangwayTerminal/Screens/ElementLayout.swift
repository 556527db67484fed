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
    /// Where it leads outside of the app.
    var url: String?
  }

  typealias Hit = ContentHit

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
  /// Whether groups are set apart by empty lines: not where there are few.
  var isSpacious = false
  /// How wide the labels of the inputs are that stand together, so that what is entered stands in one column.
  var labelColumn = 0

  /// The lines of elements, one after the other. Facts that stand together have their values in one column, as inputs have what is
  /// entered in them; buttons stand beside each other.
  func lines(_ elements: [Element], indent: Int = 0) -> [ContentLine] {
    var layout = self
    layout.labelColumn = inputColumn(elements, indent)
    var made: [ContentLine] = []
    var rest = elements[...]
    var last: Element?
    while let element = rest.first {
      let group = rest.prefix { ($0.kind == .fact || $0.isPlainButton) && $0.kind == element.kind }
      let isGroup = group.count > 1 || element.kind == .fact
      let next =
        isGroup
        ? element.kind == .fact ? layout.facts(Array(group), indent) : layout.buttons(Array(group), indent)
        : layout.lines(element, indent)
      rest = rest.dropFirst(isGroup ? group.count : 1)
      if let last, !next.isEmpty, isSpacious, Element.areApart(last, element) { made.append(line(indent, [])) }
      made += next
      if !next.isEmpty { last = element }
    }
    return made
  }

  /// How wide the labels of inputs are, with what stands after them.
  private func inputColumn(_ elements: [Element], _ indent: Int) -> Int {
    let widest = elements.reduce(0) { $1.isInput ? max($0, TextWidth.of(name($1)) + 2) : $0 }
    return min(widest, max(8, (width - indent) / 2))
  }

  /// Buttons beside each other, as many in a line as there is room for.
  private func buttons(_ buttons: [Element], _ indent: Int) -> [ContentLine] {
    let room = max(width - indent, 8)
    var made: [ContentLine] = []
    var used = 0
    for button in buttons {
      let text = TextWidth.fit(glyphs.buttonEdges[0] + name(button) + glyphs.buttonEdges[1], room)
      let spans = [ContentLine.Span(text: text, style: style(button), hit: .element(button.id))] + badge(button)
      let columns = spans.reduce(0) { $0 + TextWidth.of($1.text) }
      let isHere = button.id == focused
      if !made.isEmpty, used + 1 + columns <= room {
        made[made.count - 1].spans += [.init(text: " ")] + spans
        if isHere { made[made.count - 1].element = button.id }
        used += 1 + columns
      } else {
        // Lines of surfaces would run into each other.
        if !made.isEmpty, glyphs.hasSurfaces, isSpacious { made.append(line(indent, [])) }
        made.append(line(indent, spans, button))
        used = columns
      }
      if isHere, let help = button.help { made += wrapped(help, room, indent + 2, .dim) }
    }
    return made
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
    case .button:
      return press(glyphs.buttonEdges[0] + name(element) + glyphs.buttonEdges[1], element, indent, room)
    case .link: return press("\(name(element)) \(glyphs.link)", element, indent, room)
    case .toggle: return press("[\(element.value == "on" ? "x" : " ")] \(name(element))", element, indent, room)
    case .picker:
      return [picker(element, indent, room)]
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
    element.badge.map { [.init(text: "  "), .init(text: $0, style: Style(color: .accent, isBold: true))] } ?? []
  }

  func line(_ indent: Int, _ spans: [ContentLine.Span], _ element: Element? = nil) -> ContentLine {
    ContentLine(indent: indent, spans: spans, element: element?.id)
  }

  func wrapped(_ text: String, _ room: Int, _ indent: Int, _ style: Style) -> [ContentLine] {
    TextWidth.wrap(text, room).map { line(indent, [.init(text: $0, style: style)]) }
  }

  func title(_ element: Element, _ indent: Int) -> [ContentLine] {
    let style: Style = element.kind == .section ? .accent : .bold
    return element.label.isEmpty ? [] : [line(indent, [.init(text: name(element), style: style)] + badge(element))]
  }

  func style(_ element: Element) -> Style {
    var style = Style()
    if element.role == .destructive { style.color = .red }
    if element.kind == .link { (style.color, style.isUnderlined) = (.accent, true) }
    if element.kind == .button || element.kind == .menu, glyphs.hasSurfaces { style.surface = .raised }
    style.isDim = !element.isEnabled
    if element.id == focused {
      style.surface = element.role == .destructive ? .danger : .focused
      style.isBold = true
    }
    return style
  }

  /// What can be pressed, and why it cannot: beside it, or below where there is no room.
  func press(_ text: String, _ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    var spans = [
      ContentLine.Span(text: TextWidth.fit(text, room), style: style(element), hit: .element(element.id))
    ]
    spans += badge(element)
    if let keys = element.shortcut { spans.append(.init(text: "  " + Shortcut(keys).name, style: .dim)) }
    guard !element.isEnabled, let reason = element.detail else { return [line(indent, spans, element)] }
    let used = spans.reduce(2) { $0 + TextWidth.of($1.text) }
    guard used + TextWidth.of(reason) > room else {
      return [line(indent, spans + [.init(text: "  " + reason, style: .dim)], element)]
    }
    return [line(indent, spans, element)] + wrapped(reason, max(room - 2, 8), indent + 2, .dim)
  }

  private func toolbar(_ element: Element, _ indent: Int) -> [ContentLine] {
    let spans = element.children.flatMap { child in
      [
        ContentLine.Span(
          text: glyphs.buttonEdges[0] + child.label + glyphs.buttonEdges[1], style: style(child),
          hit: .element(child.id)),
        ContentLine.Span(text: " "),
      ]
    }
    let isFocused = element.children.contains { $0.id == focused }
    return [ContentLine(indent: indent, spans: spans, element: isFocused ? focused : element.children.first?.id)]
  }

  private func progress(_ element: Element, _ indent: Int, _ room: Int) -> ContentLine {
    guard let percent = element.percent else {
      let mark = glyphs.spinner[state.frame % glyphs.spinner.count]
      return line(indent, [.init(text: mark + " ", style: Style(color: .accent)), .init(text: element.label + " …")])
    }
    let bar = max(4, min(20, room - TextWidth.of(element.label) - 7))
    let filled = (bar * percent + 50) / 100
    return line(
      indent,
      [
        .init(text: element.label + " "),
        .init(text: String(repeating: glyphs.full, count: filled), style: Style(color: .accent)),
        .init(text: String(repeating: glyphs.empty, count: bar - filled), style: .dim),
        .init(text: " \(percent)%"),
      ])
  }

  /// A text in a column of its own, cut off where it is too long.
  func padded(_ text: String, _ width: Int) -> String {
    let text = TextWidth.fit(text, width)
    return text + String(repeating: " ", count: max(0, width - TextWidth.of(text)))
  }
}

extension Element {
  /// What is entered in a column beside a label.
  fileprivate var isInput: Bool {
    switch kind {
    case .field: role != .multiline
    case .number, .date, .picker: true
    default: false
    }
  }

  /// A button with nothing to be said beside it.
  fileprivate var isPlainButton: Bool {
    kind == .button && self.shortcut == nil && self.problem == nil && (isEnabled || detail == nil)
  }

  /// Whether it is a part of a screen by itself.
  private var isGroup: Bool {
    switch kind {
    case .heading, .section, .form, .table, .grid, .chart, .drawing, .document, .banner, .toolbar, .log, .tabs, .image:
      true
    case .list: !label.isEmpty || self.selects != nil
    default: false
    }
  }

  /// Whether an empty line stands between two elements: not between a heading and what it is of.
  fileprivate static func areApart(_ first: Element, _ second: Element) -> Bool {
    if first.kind == .heading, second.kind == .button { return true }
    if first.kind == .heading || first.kind == .divider || second.kind == .divider { return false }
    if first.kind == .empty || second.kind == .empty { return false }
    return first.isGroup || second.isGroup || (first.kind == .button) != (second.kind == .button)
  }
}
