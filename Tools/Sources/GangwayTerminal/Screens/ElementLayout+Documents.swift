@_spi(FrontEnd) import GangwayProtocol

/// Documents, messages, empty states, logs and images.
extension ElementLayout {
  /// Lays out a paragraph with differently styled runs, wrapped at blanks.
  func runs(_ element: Element, _ indent: Int, _ room: Int, _ style: Style) -> [ContentLine] {
    let depth = min(element.kind == .text ? min(max(element.level ?? 0, 0), 100) * 2 : 0, room / 2)
    let (indent, room) = (indent + depth, room - depth)
    switch element.role {
    case .code:
      return element.label.split(separator: "\n", omittingEmptySubsequences: false).map { text in
        line(
          indent,
          [
            .init(text: glyphs.vertical + " ", style: .dim),
            .init(text: TextWidth.fit(String(text), room - 2), style: Style(color: .accent)),
          ])
      }
    case .item:
      let mark = (element.value == "•" ? glyphs.bullet : element.value ?? glyphs.bullet) + " "
      let space = TextWidth.of(mark)
      return wrappedRuns(element, room - space, indent + space, style).enumerated().map { number, made in
        var made = made
        made.indent -= space
        let lead = number == 0 ? mark : String(repeating: " ", count: space)
        made.spans.insert(.init(text: lead, style: Style(color: .accent)), at: 0)
        return made
      }
    case .quote:
      return wrappedRuns(element, room - 2, indent, Style(isDim: true)).map { made in
        var made = made
        made.spans.insert(.init(text: glyphs.bar + " ", style: .dim), at: 0)
        return made
      }
    default:
      let name = element.runs == nil ? element.kind == .heading || element.symbol != nil : false
      if name || element.badge != nil {
        var made = wrapped(self.name(element), room, indent, style)
        if !made.isEmpty { made[made.count - 1].spans += badge(element) }
        return made
      }
      return wrappedRuns(element, room, indent, style)
    }
  }

  private func wrappedRuns(_ element: Element, _ room: Int, _ indent: Int, _ style: Style) -> [ContentLine] {
    guard let runs = element.runs else { return wrapped(element.label, room, indent, style) }
    // Map each character of the whole text to its look, because lines are cut from the text.
    var looks: [(style: Style, url: String?)] = []
    for run in runs {
      var own = style
      for kind in run.styles ?? [] {
        switch kind {
        case .bold: own.isBold = true
        case .italic: own.isUnderlined = true
        case .code: own.color = .cyan
        case .struck: own.isDim = true
        default: break
        }
      }
      if run.url != nil {
        own.isUnderlined = true
        own.color = .blue
      }
      looks += Array(repeating: (own, run.url), count: run.text.count)
    }
    let text = Array(runs.map(\.text).joined())
    var at = 0
    return TextWidth.wrap(String(text), room).map { broken in
      var spans: [ContentLine.Span] = []
      for character in broken {
        // The blanks at which a line was broken are not part of it.
        while at < text.count, text[at] != character { at += 1 }
        let look = at < looks.count ? looks[at] : (style, nil)
        at += 1
        if let last = spans.last, last.style == look.0, last.url == look.1 {
          spans[spans.count - 1].text.append(character)
        } else {
          spans.append(.init(text: String(character), style: look.0, url: look.1))
        }
      }
      return line(indent, spans.isEmpty ? [.init(text: "")] : spans)
    }
  }

  func banner(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    let color: Style.Color =
      switch element.role {
      case .success: .green
      case .warning: .yellow
      case .problem: .red
      default: .cyan
      }
    let words = wrapped(name(element), room - 2, 0, Style(color: color, isBold: true))
    let more = element.detail.map { wrapped($0, room - 2, 0, .plain) } ?? []
    let message = (words + more).map { made in
      line(indent, [.init(text: glyphs.bar + " ", style: Style(color: color, isBold: true))] + made.spans)
    }
    return message + lines(element.children, indent: indent + 2)
  }

  /// Lays out an empty state: centered, with room around it.
  func empty(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    func centred(_ text: String, _ style: Style) -> [ContentLine] {
      TextWidth.wrap(text, max(room - 4, 8)).map { part in
        line(indent + max(0, (room - TextWidth.of(part)) / 2), [.init(text: part, style: style)])
      }
    }
    let space = line(indent, [])
    let buttons = lines(element.children).map { made in
      var made = made
      let width = made.spans.reduce(0) { $0 + TextWidth.of($1.text) }
      made.indent = indent + max(0, (room - width) / 2)
      return made
    }
    return [space] + (element.symbol.map { centred($0, Style(color: .accent)) } ?? []) + centred(element.label, .bold)
      + (element.detail.map { centred($0, .dim) } ?? []) + (buttons.isEmpty ? [] : [space] + buttons) + [space]
  }

  /// The number of a log's lines that are shown.
  private static let logLines = 12

  func log(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    let all = element.lines ?? []
    let hidden = max(element.value.flatMap { Int($0) } ?? all.count, Self.logLines) - Self.logLines
    let before = hidden > 0 ? wrapped(Words.Content.linesBefore(hidden), room, indent, .dim) : []
    return before
      + all.suffix(Self.logLines).map { text in
        line(
          indent,
          [.init(text: glyphs.vertical + " ", style: .dim), .init(text: TextWidth.fit(text, room - 2))])
      }
  }

  /// Lays out a picture, or its label if the terminal draws no pictures.
  func image(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    if glyphs.hasPictures, let id = state.pictureIDs[.init(node: node, element: element.id)],
      let picture = element.image.flatMap({ Picture($0, room: room) })
    {
      return (0..<picture.rows).map { line(indent, [.init(text: "", picture: (picture, id, $0))]) }
    }
    if element.role == .decorative { return [] }
    let size = element.image.map { "  \($0.width) × \($0.height)" } ?? ""
    return [
      line(
        indent,
        [
          .init(text: "[ ", style: .dim), .init(text: TextWidth.fit(element.label, room - 4 - TextWidth.of(size))),
          .init(text: size + " ]", style: .dim),
        ])
    ]
  }
}
