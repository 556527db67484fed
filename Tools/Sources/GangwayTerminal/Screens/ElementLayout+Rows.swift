@_spi(FrontEnd) import GangwayProtocol

/// Rows of lists, trees and tables, and elements that expand.
extension ElementLayout {
  /// Lays out adjacent facts, with their values in one column if there is room.
  func facts(_ facts: [Element], _ indent: Int) -> [ContentLine] {
    let room = max(width - indent, 8)
    let column = min(facts.map { TextWidth.of(name($0)) }.max() ?? 0, room / 2)
    return facts.flatMap { fact in
      let values = TextWidth.wrap(fact.value ?? "", max(room - column - 2, 4))
      let lines = values.enumerated().map { number, value in
        line(
          indent,
          [
            .init(text: padded(number == 0 ? name(fact) : "", column) + "  ", style: .dim), .init(text: value),
          ] + (number == values.count - 1 ? badge(fact) : []))
      }
      let problem = fact.problem.map { wrapped("! " + $0, room, indent + 2, Style(color: .red)) } ?? []
      return lines + problem
    }
  }

  /// Lays out the loaded rows of a list, with the number of rows above and below them.
  func list(_ element: Element, _ indent: Int) -> [ContentLine] {
    guard element.rowCount != nil else { return rows(element, indent) }
    return above(element, indent) + rows(element, indent) + below(element, indent)
  }

  /// Lays out the number of rows above the loaded ones.
  private func above(_ element: Element, _ indent: Int) -> [ContentLine] {
    element.textAboveRows.map { missing($0, element, element.rowsAbove - 1, indent) } ?? []
  }

  /// Lays out the number of rows below the loaded ones.
  private func below(_ element: Element, _ indent: Int) -> [ContentLine] {
    element.textBelowRows.map { missing($0, element, element.rowsAbove + element.shownRowCount, indent) } ?? []
  }

  private func missing(_ text: String, _ list: Element, _ row: Int, _ indent: Int) -> [ContentLine] {
    var made = line(indent, [.init(text: text, style: .dim)])
    made.missing = (list.id, row)
    return [made]
  }

  /// Lays out the loaded rows; selectable rows have a mark.
  private func rows(_ element: Element, _ indent: Int) -> [ContentLine] {
    guard element.selects != nil else {
      guard element.rowCount != nil else { return lines(element.children, indent: indent) }
      return element.children.flatMap { row in named(lines(row, indent), row.id) }
    }
    let selection = Set(element.selection ?? [])
    return element.children.flatMap { row -> [ContentLine] in named(selectable(row, selection, indent), row.id) }
  }

  /// Returns the lines with the row's id on the first one.
  private func named(_ lines: [ContentLine], _ row: ElementID) -> [ContentLine] {
    var lines = lines
    if !lines.isEmpty { lines[0].row = row }
    return lines
  }

  private func selectable(_ row: Element, _ selection: Set<String>, _ indent: Int) -> [ContentLine] {
    guard let key = row.key else { return lines(row, indent) }
    let isChosen = selection.contains(key)
    var made = lines(row, indent + 2)
    guard !made.isEmpty else { return [] }
    let mark = ContentLine.Span(
      text: (isChosen ? glyphs.chosen : glyphs.unchosen) + " ",
      style: row.id == focused
        ? .focused : Style(color: isChosen ? .accent : .standard, isDim: !isChosen),
      hit: .element(row.id))
    // The rest of a selectable row's line selects the row when pressed.
    for index in made[0].spans.indices where made[0].spans[index].hit == nil {
      made[0].spans[index].hit = .element(row.id)
    }
    made[0].indent -= 2
    made[0].spans.insert(mark, at: 0)
    made[0].cursor = made[0].cursor.map { $0 + 2 }
    // A focused element within the row scrolls into view by its own line.
    made[0].element = made[0].element ?? row.id
    return made
  }

  /// Lays out a row: the title with its badge, the detail, the open menu and the content.
  func row(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    let depth = min((min(max(element.level ?? 1, 1), 100) - 1) * 2, room / 2)
    let below = indent + depth + (element.label.isEmpty ? 0 : 2)
    guard !element.label.isEmpty || element.isExpanded != nil else { return lines(element.children, indent: below) }
    let menu = element.commands
    let content = lines(element.children.filter { $0.id != menu?.id }, indent: below)
    let mark = element.isExpanded.map { ($0 ? glyphs.expanded : glyphs.collapsed) + " " } ?? ""
    let isFocused = element.id == focused
    let isPressed = element.role == .button || element.isExpanded != nil || menu != nil
    var style = isFocused ? Style.focused : Style(isDim: !element.isEnabled)
    style.isBold = element.detail != nil || isFocused
    if !isFocused, let openURL, element.url == openURL { (style.color, style.isBold) = (.accent, true) }
    // A mark at the end of the line shows that the row opens another screen.
    let lead = element.role == .button && element.isExpanded == nil && menu == nil ? " " + glyphs.opens : ""
    var badge = badge(element) + (menu.map { [.init(text: "  "), commands($0)] } ?? [])
    if !lead.isEmpty {
      badge.append(.init(text: lead, style: isFocused ? .focused : .dim, hit: .element(element.id)))
    }
    if isFocused { for index in badge.indices { badge[index].style = .focused } }
    let free = room - depth - badge.reduce(0) { $0 + TextWidth.of($1.text) }
    let text = TextWidth.fit(mark + name(element), free)
    // The whole width of a row can be pressed, and shows focus.
    let blanks = String(repeating: " ", count: max(0, (badge.isEmpty && !isFocused ? 0 : free) - TextWidth.of(text)))
    var title = line(
      indent + depth,
      [.init(text: text + blanks, style: style, hit: isPressed ? .element(element.id) : nil)] + badge, element)
    if let menu, menu.id == focused { title.element = menu.id }
    let isOpen = menu.map { state.openMenus.contains(.init(node: node, element: $0.id)) } ?? false
    let listed = isOpen ? lines(menu?.children ?? [], indent: below + 2) : []
    let detail = element.detail.map { wrapped($0, max(room - depth - 2, 8), indent + depth + 2, .dim) } ?? []
    return [title] + detail + listed + content
  }

  /// Returns the mark of a row's menu, at the end of its line.
  private func commands(_ menu: Element) -> ContentLine.Span {
    let isFocused = menu.id == focused
    return .init(
      text: " \(glyphs.commands)", style: isFocused ? .focused : .dim, hit: .element(menu.id))
  }

  func disclosure(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    let mark = element.isExpanded == true ? glyphs.expanded : glyphs.collapsed
    return press("\(mark) \(name(element))", element, indent, room) + lines(element.children, indent: indent + 2)
  }

  /// Lays out a tab bar within a screen, with the selected tab highlighted, and that tab's content.
  func panes(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    let isFocused = element.id == focused
    var spans: [ContentLine.Span] = []
    for option in element.options {
      let isShown = option.id == element.value
      let style = isShown ? isFocused ? .focused : .accent : Style.dim
      spans.append(.init(text: " \(option.title) ", style: style, hit: .option(element.id, option.id)))
      spans.append(.init(text: glyphs.vertical, style: .dim))
    }
    if !spans.isEmpty { spans.removeLast() }
    let rule = line(indent, [.init(text: String(repeating: glyphs.horizontal, count: room), style: .dim)])
    return title(element, indent) + [line(indent, spans, element), rule] + lines(element.children, indent: indent)
  }

  /// Lays out a menu, with its commands while it is open.
  func menu(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    let isOpen = state.openMenus.contains(.init(node: node, element: element.id))
    let mark = isOpen ? glyphs.expanded : glyphs.collapsed
    let own = press("\(name(element)) \(mark)", element, indent, room)
    return own + (isOpen ? lines(element.children, indent: indent + 2) : [])
  }

  /// Lays out a table in columns, with a highlighted header; trailing columns are right-aligned.
  func table(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    let count = element.cells.map(\.count).max() ?? 0
    let header = element.cells.first ?? []
    let titles = header.indices.map { column in
      let order = element.columns?.indices.contains(column) == true ? element.columns?[column].order : nil
      let mark = order.map { $0 == .ascending ? " " + glyphs.ascending : " " + glyphs.descending } ?? ""
      return header[column].text + mark
    }
    let rows = (titles.isEmpty ? [] : [titles]) + element.cells.dropFirst().map { $0.map(\.text) }
    let widths = (0..<count).map { column in
      min(rows.map { $0.indices.contains(column) ? TextWidth.of($0[column]) : 0 }.max() ?? 0, room)
    }
    let selection = Set(element.selection ?? [])
    let isFocused = element.id == focused
    let chosen = state.gridCells[.init(node: node, element: element.id)] ?? (0, 0)
    let made = rows.enumerated().map { number, row in
      let key = number > 0 && element.keys?.indices.contains(number - 1) == true ? element.keys?[number - 1] : nil
      var spans: [ContentLine.Span] = []
      if element.selects != nil {
        let isChosen = key.map(selection.contains) ?? false
        let mark = number == 0 ? " " : isChosen ? glyphs.chosen : glyphs.unchosen
        spans.append(.init(text: mark + " ", style: Style(color: isChosen ? .accent : .standard, isDim: !isChosen)))
      }
      for (column, text) in row.enumerated() {
        let isTrailing =
          element.columns?.indices.contains(column) == true && element.columns?[column].isTrailing == true
        let blanks = String(repeating: " ", count: max(0, widths[column] - TextWidth.of(text)))
        let isHere = isFocused && chosen.row == number && (number > 0 || chosen.column == column)
        let style = isHere ? Style.focused : number == 0 ? Style(color: .accent, isBold: true) : .plain
        let cell = TextWidth.fit(isTrailing ? blanks + text : text + blanks, room)
        spans.append(.init(text: cell, style: style, hit: .cell(element.id, row: number, column: column)))
        spans.append(.init(text: "  ", style: isHere && number > 0 ? .focused : .plain))
      }
      let name: ElementID? = element.rowCount == nil ? nil : key.map { "\(element.id)[\($0)]" }
      return ContentLine(indent: indent, spans: spans, element: chosen.row == number ? element.id : nil, row: name)
    }
    let below = below(element, indent) + lines(element.children, indent: indent + 2)
    return Array(made.prefix(1)) + above(element, indent) + made.dropFirst() + below
  }
}
