@_spi(FrontEnd) import GangwayProtocol

/// A line of a screen's content, before scrolling.
struct ContentLine {
  struct Span {
    var text: String
    var style = Style.plain
    /// A row of a picture, instead of text.
    var picture: (picture: Picture, id: Int, row: Int)?
    /// The target of a press on the span.
    var hit: Hit?
    /// The address of the span's link.
    var url: String?
  }

  typealias Hit = ContentHit

  var indent = 0
  var spans: [Span]
  /// The element to which the line belongs, so that the element can be scrolled into view.
  var element: ElementID?
  /// The column of the cursor, counted from the indent.
  var cursor: Int?
  /// The id of a long list's row, which keeps its place on the screen when the list's other rows arrive.
  var row: ElementID?
  /// The list and number of the unloaded row that would be here.
  var missing: (list: ElementID, row: Int)?
}

/// A layout of elements as lines of a width.
struct ElementLayout {
  let width: Int
  let node: NodeID
  let state: ViewState
  let focused: ElementID?
  let glyphs: Glyphs
  /// Whether blank lines separate groups; false on a small screen.
  var isSpacious = false
  /// The title of the screen, which a form's label does not repeat.
  var screenTitle = ""
  /// The address of the screen in the next pane, whose row is marked.
  var openURL: String?
  /// The width of the labels of adjacent inputs, whose values share one column.
  var labelColumn = 0

  /// Lays out elements, one after the other.
  ///
  /// The values of adjacent facts, and those of inputs, share one column. Adjacent buttons share lines.
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

  /// Returns the width of the inputs' labels, with the separator after them.
  private func inputColumn(_ elements: [Element], _ indent: Int) -> Int {
    let widest = elements.reduce(0) { $1.isInput ? max($0, TextWidth.of(name($1)) + 2) : $0 }
    return min(widest, max(8, (width - indent) / 2))
  }

  /// Lays out adjacent buttons, as many per line as fit.
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
        // Without a blank line, adjacent lines of buttons with backgrounds would merge.
        if !made.isEmpty, glyphs.hasSurfaces, isSpacious { made.append(line(indent, [])) }
        made.append(line(indent, spans, button))
        used = columns
      }
      if isHere, let help = button.help {
        made += wrapped(help, max(room - 2, 8), indent + 2, .dim)
        // The next button is below the help.
        used = room
      }
    }
    return made
  }

  func lines(_ element: Element, _ indent: Int) -> [ContentLine] {
    decorated(ownLines(element, indent), element, indent)
  }

  /// Adds an element's problem below it, and its help while it has focus.
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
    case .button, .file:
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
    case .form:
      let heading = element.label == screenTitle ? [] : title(element, indent)
      return heading + lines(element.children, indent: indent)
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
    case .text, .fact:
      let isProblem = element.role == .problem
      if !isProblem { return runs(element, indent, room, .plain) }
      return wrapped((isProblem ? "! " : "") + element.label, room, indent, isProblem ? Style(color: .red) : .plain)
    @unknown default: return runs(element, indent, room, .plain)
    }
  }

  /// Returns an element's label with its symbol, and with the mark of a required input.
  func name(_ element: Element) -> String {
    (element.symbol.map { $0 + " " } ?? "") + element.label + (element.isRequired ? " *" : "")
  }

  /// Returns the badge beside a label.
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
    if [.button, .file, .menu].contains(element.kind), glyphs.hasSurfaces { style.surface = .raised }
    style.isDim = !element.isEnabled
    if element.id == focused {
      style.surface = element.role == .destructive ? .danger : .focused
      style.isBold = true
    }
    return style
  }

  /// Lays out an element that can be pressed.
  ///
  /// A disabled element shows the reason beside it, or below if there is no room.
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

  /// Returns a text padded to a width, and cut off if it is longer.
  func padded(_ text: String, _ width: Int) -> String {
    let text = TextWidth.fit(text, width)
    return text + String(repeating: " ", count: max(0, width - TextWidth.of(text)))
  }
}

extension Element {
  /// Whether the element is an input in a column beside its label.
  fileprivate var isInput: Bool {
    switch kind.traits.action {
    case .edit: role != .multiline
    case .choose: kind != .tabs
    case .tap, .toggle, .expand, .submit, .cell, .file, .window, nil: false
    @unknown default: false
    }
  }

  private var isButton: Bool { kind == .button || kind == .file }

  /// Whether the element is a button with no text beside it.
  fileprivate var isPlainButton: Bool {
    isButton && self.shortcut == nil && self.problem == nil && (isEnabled || detail == nil)
  }

  /// Whether the element is a separate part of a screen.
  private var isGroup: Bool {
    kind == .list ? !label.isEmpty || self.selects != nil : kind.traits.isGroup
  }

  /// Returns whether a blank line separates two elements; none separates a heading from its content.
  fileprivate static func areApart(_ first: Element, _ second: Element) -> Bool {
    if first.kind == .heading, second.isButton { return true }
    if first.kind == .heading || first.kind == .divider || second.kind == .divider { return false }
    if first.kind == .empty || second.kind == .empty { return false }
    if second.kind == .disclosure, first.kind != .disclosure { return true }
    return first.isGroup || second.isGroup || first.isButton != second.isButton
  }
}
