@_spi(FrontEnd) import GangwayProtocol

/// The lines above a screen: tabs and the path to the screen.
extension TerminalView {
  /// The parts of a tab in the bar.
  private struct TabText {
    var group: String
    var count: String
    var title: String
    var badge: String
    var width: Int { [group, count, title, badge].reduce(1) { $0 + TextWidth.of($1) } }
  }

  /// The fewest columns of a tab's title. If the tabs do not fit even so, they keep their titles and are scrolled.
  private static let shortestTitle = 6

  /// Returns the texts of the tabs, as short as needed: first without symbols, then without blanks, then with
  /// shorter titles.
  private func tabTexts(_ bar: [Presentation.Tab], _ row: Int) -> [TabText] {
    // A text may be far longer than the bar.
    func cut(_ text: String) -> String { TextWidth.fit(text, canvas.columns) }
    func texts(isCompact: Bool, hasSymbols: Bool = false, longest: Int) -> [TabText] {
      bar.enumerated().map { number, tab in
        let blank = isCompact ? "" : " "
        let isNewGroup = number > 0 && tab.group != bar[number - 1].group
        let symbol = hasSymbols ? tab.symbol.map { cut($0) + " " } ?? "" : ""
        return TabText(
          group: isNewGroup ? "\(glyphs.vertical) " : "",
          count: blank + (number < 9 && row == 0 ? "\(number + 1) " : ""),
          title: symbol + (tab.isSelected ? cut(tab.title) : TextWidth.fit(tab.title, longest)),
          badge: tab.badge.map { " (\(cut($0)))\(blank)" } ?? blank)
      }
    }
    func fits(_ texts: [TabText]) -> Bool { texts.reduce(0) { $0 + $1.width } - 1 <= canvas.columns - 2 }
    for hasSymbols in [true, false] {
      let wide = texts(isCompact: false, hasSymbols: hasSymbols, longest: canvas.columns)
      if fits(wide) { return wide }
    }
    let compact = texts(isCompact: true, longest: canvas.columns)
    guard !fits(compact), fits(texts(isCompact: true, longest: Self.shortestTitle)) else { return compact }
    var longest = bar.map { TextWidth.of(cut($0.title)) }.max() ?? 0
    while !fits(texts(isCompact: true, longest: longest)) { longest -= 1 }
    return texts(isCompact: true, longest: longest)
  }

  /// Draws the selected tab and as many others as fit; an arrow at either side selects the next tab beyond.
  mutating func drawTabs(_ bar: [Presentation.Tab], _ row: Int) {
    let labels = tabTexts(bar, row)
    let shown = tabsInSight(labels.map(\.width), bar.firstIndex(where: \.isSelected) ?? 0)
    var column = 1
    if shown.lowerBound > 0 {
      let end = canvas.put("\(glyphs.arrows[0]) ", row, column, .accent)
      addHit(row, column..<end, .tab(bar[shown.lowerBound - 1].node))
      column = end
    }
    for number in shown {
      let (tab, label) = (bar[number], labels[number])
      column = canvas.put(label.group, row, column, .dim)
      let room = canvas.columns - column - (shown.upperBound < bar.count ? 3 : 1)
      guard room > 0 else { break }
      let own: Style =
        tab.isSelected
        ? Style(surface: glyphs.hasSurfaces ? .raised : .none, isBold: true, isReversed: !glyphs.hasSurfaces) : .plain
      let start = column
      var style = own
      if !tab.isSelected { style = .dim } else if glyphs.hasSurfaces { style.color = .accent }
      column = canvas.put(label.count, row, column, style, limit: room)
      column = canvas.put(TextWidth.fit(label.title, start + room - column), row, column, own)
      column = canvas.put(
        label.badge, row, column, tab.isSelected ? own : .accent, limit: max(0, start + room - column))
      if column > start { addHit(row, start..<column, .tab(tab.node)) }
      column += 1
    }
    if shown.upperBound < bar.count {
      let end = canvas.put(glyphs.arrows[1], row, canvas.columns - 2, .accent)
      addHit(row, canvas.columns - 2..<end, .tab(bar[shown.upperBound].node))
    }
  }

  /// Returns the tabs that fit: from the first, or from a later one if the selected tab needs it.
  private func tabsInSight(_ widths: [Int], _ selected: Int) -> Range<Int> {
    let room = canvas.columns - 2
    if widths.reduce(0, +) - 1 <= room { return 0..<widths.count }
    var first = 0
    while first < selected, widths[first...selected].reduce(0, +) > room - 6 { first += 1 }
    var last = first
    var used = first > 0 ? 2 : 0
    while last < widths.count, used + widths[last] <= room - 2 {
      used += widths[last]
      last += 1
    }
    return first..<max(last, min(first + 1, widths.count))
  }

  mutating func drawPath(_ row: Int) {
    var column = 1
    if presentation.canGoBack, presentation.top?.appearance?.hidesBackButton != true {
      let end = canvas.put("\(glyphs.back) ", row, column, .accent)
      addHit(row, column..<end, .back)
      column = end
    }
    let titles = presentation.path.map { TextWidth.fit($0.title, canvas.columns) }
    // Show the end of the path, as many titles as fit, because nearby screens matter most.
    var first = max(0, titles.count - 1)
    var used = titles.last.map { TextWidth.of($0) } ?? 0
    while first > 0 {
      used += TextWidth.of(titles[first - 1]) + 3
      guard used <= canvas.columns - column - 4 else { break }
      first -= 1
    }
    if first > 0 { column = canvas.put("… > ", row, column, .dim) }
    for item in presentation.path[first...].dropLast() {
      let start = column
      column = canvas.put(item.title, row, column, .dim)
      addHit(row, start..<column, .entry(item.node))
      column = canvas.put(" > ", row, column, .dim)
    }
    canvas.put(TextWidth.fit(titles.last ?? "", canvas.columns - column - 1), row, column, .bold)
  }
}
