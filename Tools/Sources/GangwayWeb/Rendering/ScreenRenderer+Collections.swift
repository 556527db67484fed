@_spi(FrontEnd) import GangwayProtocol

/// Lists, tables and grids.
extension ScreenRenderer {
  func list(_ element: Element, _ html: inout HTML) {
    html.element("section", ["id": .text(id(element.id)), "class": "list"]) { html in
      title(element, &html)
      if element.selects != nil {
        html.open("input", ["type": "hidden", "name": "has", "value": name("select", element)])
      }
      html.element(
        "div",
        [
          "class": "items", "id": .text(id(element.id) + ".i"), "role": element.children.isEmpty ? .absent : "list",
          "aria-label": .init(element.label.isEmpty ? nil : element.label),
        ]
      ) { html in
        for (_, item) in rows(of: element) { html.add(item()) }
      }
      jumps(element, &html)
      notes(element, &html)
    }
  }

  /// Returns the items of a list, by id: its rows, and the buttons that request the rows before and after them.
  func rows(of list: Element) -> [(id: String, html: () -> HTML)] {
    let selection = Set(list.selection ?? [])
    var made: [(String, () -> HTML)] = []
    if let above = more(above: list) { made.append(above) }
    made += list.children.map { row in
      guard row.kind == .row else {
        return (
          id(row.id) + ".l",
          {
            HTML { html in
              html.element("div", ["id": .text(id(row.id) + ".l"), "class": "row plain", "role": "listitem"]) {
                element(row, &$0)
              }
            }
          }
        )
      }
      return (
        id(row.id), { HTML { self.row(row, &$0, in: list, isSelected: row.key.map(selection.contains) ?? false) } }
      )
    }
    if let below = more(below: list) { made.append(below) }
    return made
  }

  /// The number of rows that a button requests.
  static let rowsAtOnce = 200

  /// Returns the button that requests rows before the contained ones; nil if there are none.
  private func more(above list: Element) -> (String, () -> HTML)? {
    guard list.rowsAbove > 0 else { return nil }
    let text = setting.words.rows(.rowsAbove, list.rowsAbove)
    return more(text, list, first: max(0, list.rowsAbove - Self.rowsAtOnce / 2), "above")
  }

  /// Returns the button that requests rows after the contained ones; nil if there are none.
  private func more(below list: Element) -> (String, () -> HTML)? {
    guard list.rowsBelow > 0 else { return nil }
    let end = list.rowsAbove + list.shownRowCount
    return more(
      setting.words.rows(.rowsBelow, list.rowsBelow), list, first: max(0, end - Self.rowsAtOnce / 2), "below")
  }

  private func more(_ text: String, _ list: Element, first: Int, _ place: String) -> (String, () -> HTML) {
    let name = "\(id(list.id)).\(place)"
    return (
      name,
      {
        HTML { html in
          html.element("div", ["id": .text(name), "class": .text("more \(place)"), "role": "listitem"]) { html in
            html.element(
              "button",
              [
                "class": "button link", "name": "do", "data-reach": true,
                "value": press(list) { .window($0, first: first, count: Self.rowsAtOnce) },
              ], text: text)
          }
        }
      }
    )
  }

  /// Writes the buttons that jump to the ends of a list or table, if it is much longer than what is shown at once.
  func jumps(_ list: Element, _ html: inout HTML) {
    guard Self.hasJumps(list) else { return }
    let count = list.rowsAbove + list.shownRowCount + list.rowsBelow
    html.element("div", ["id": .text(id(list.id) + ".j"), "class": "jumps"]) { html in
      for (place, key, first) in [("first", PageWords.Key.toBeginning, 0), ("last", .toEnd, count - Self.rowsAtOnce)] {
        html.element(
          "button",
          [
            "class": "button", "name": "do", "data-jump": .text(place), "id": .text("\(id(list.id)).j\(place)"),
            "value": press(list) { .window($0, first: first, count: Self.rowsAtOnce) },
          ], text: setting.words[key])
      }
    }
  }

  static func hasJumps(_ list: Element) -> Bool { (list.rowCount ?? 0) > 2 * rowsAtOnce }

  func row(_ element: Element, _ html: inout HTML) { row(element, &html, in: nil, isSelected: false) }

  private func row(_ element: Element, _ html: inout HTML, in list: Element?, isSelected: Bool) {
    let level = min(max(element.level ?? 1, 1), 20)
    html.element(
      "div",
      [
        "class": .text("row\(isSelected ? " selected" : "")"), "id": .text(id(element.id)),
        "role": list == nil ? .absent : "listitem", "data-level": .init(level > 1 ? "\(level)" : nil),
        "aria-level": .init(level > 1 && list != nil ? "\(level)" : nil),
      ]
    ) { html in
      if let list, let mode = list.selects, let key = element.key {
        html.open(
          "input",
          [
            "type": mode == .one ? "radio" : "checkbox", "id": .text(id(element.id) + ".s"),
            "name": name("select", list), "value": .text(key), "checked": .init(isSelected),
            "aria-label": .text(element.label),
          ])
      }
      if let isExpanded = element.isExpanded {
        html.element(
          "button",
          [
            "class": "expander", "name": "do", "value": press(element) { .expand($0, isExpanded: !isExpanded) },
            "id": .text(id(element.id) + ".x"), "aria-expanded": .text("\(isExpanded)"),
            "aria-label": .text(element.label),
          ])
      }
      if !element.label.isEmpty { rowLabel(element, &html) }
      if !element.children.isEmpty { items(of: element, &html) }
      notes(element, &html)
    }
  }

  private func rowLabel(_ element: Element, _ html: inout HTML) {
    let isPressed = element.role == .button
    html.element(
      isPressed ? "button" : "div",
      [
        "class": .text(isPressed ? "row-main pressed" : "row-main"), "id": .text(control(element)),
        "name": isPressed ? "do" : .absent, "value": isPressed ? press(element) { .tap($0) } : .absent,
        "disabled": .init(isPressed && !element.isEnabled),
        "data-href": isPressed && element.isEnabled ? PageAddress.value(element.url, scheme: setting.scheme) : .absent,
      ]
    ) { html in
      symbol(element, &html)
      html.element("span", ["class": "row-text"]) { html in
        html.element("span", ["class": "label"]) { runs(element, &$0) }
        if element.isEnabled, let detail = element.detail { html.element("span", ["class": "detail"], text: detail) }
      }
      badge(element, &html)
    }
  }

  func table(_ element: Element, _ html: inout HTML) {
    html.element("section", ["id": .text(id(element.id)), "class": "table"]) { html in
      if element.selects != nil {
        html.open("input", ["type": "hidden", "name": "has", "value": name("select", element)])
      }
      if let (_, above) = more(above: element) { html.add(above()) }
      html.element("div", ["class": "scroller", "tabindex": "0", "role": "group", "aria-label": .text(element.label)]) {
        html in
        html.element(
          "table",
          ["id": .text(control(element)), "aria-rowcount": .init(element.rowCount.map { "\($0 + 1)" })]
        ) { html in
          if !element.label.isEmpty { html.element("caption", text: element.label) }
          html.element("thead") { html in
            html.element("tr") { html in
              if element.selects != nil { html.element("td") { _ in } }
              for (number, cell) in (element.cells.first ?? []).enumerated() { header(cell, number, element, &html) }
            }
          }
          html.element("tbody") { html in
            for (number, cells) in element.cells.dropFirst().enumerated() { tableRow(cells, number, element, &html) }
          }
        }
      }
      if let (_, below) = more(below: element) { html.add(below()) }
      jumps(element, &html)
      items(of: element, &html)
      notes(element, &html)
    }
  }

  private func tableRow(_ cells: [Element.Cell], _ number: Int, _ table: Element, _ html: inout HTML) {
    let keys = table.keys ?? []
    let key = keys.indices.contains(number) ? keys[number] : nil
    let isSelected = key.map { table.selection?.contains($0) ?? false } ?? false
    html.element(
      "tr",
      [
        "id": .init(key.map { "\(id(table.id)).r\(Press.encoded($0))" }), "class": isSelected ? "selected" : .absent,
        "aria-rowindex": .init(table.rowCount == nil ? nil : "\(table.rowsAbove + number + 2)"),
      ]
    ) { html in
      if let mode = table.selects {
        html.element("td") { html in
          guard let key else { return }
          html.open(
            "input",
            [
              "type": mode == .one ? "radio" : "checkbox", "name": name("select", table), "value": .text(key),
              "id": .text("\(id(table.id)).s\(Press.encoded(key))"), "checked": .init(isSelected),
              "aria-label": .text(cells.first?.text ?? key),
            ])
        }
      }
      let columns = table.columns ?? []
      for (column, cell) in cells.enumerated() {
        let isTrailing = columns.indices.contains(column) && columns[column].isTrailing == true
        html.element(
          "td", ["class": isTrailing ? "trailing" : .absent, "data-tint": .init(cell.tint)], text: cell.text)
      }
    }
  }

  private func header(_ cell: Element.Cell, _ number: Int, _ table: Element, _ html: inout HTML) {
    let columns = table.columns ?? []
    let column = columns.indices.contains(number) ? columns[number] : nil
    html.element(
      "th",
      [
        "scope": "col", "aria-sort": .init(column?.order?.rawValue),
        "class": column?.isTrailing == true ? "trailing" : .absent,
      ]
    ) { html in
      // The user can change its width.
      html.element("div", ["class": "width"]) { headerContent(cell, number, column, table, &$0) }
    }
  }

  private func headerContent(
    _ cell: Element.Cell, _ number: Int, _ column: Element.Column?, _ table: Element, _ html: inout HTML
  ) {
    guard let column, column.isSortable == true else { return html.add(cell.text) }
    let next: Element.Column.Order = column.order == .ascending ? .descending : .ascending
    html.element(
      "button",
      [
        "class": "sort", "name": "do", "id": .text("\(id(table.id)).h\(number)"),
        "value": press(table) { .sort($0, column: column.id, order: next) },
      ]
    ) { html in
      html.add(cell.text)
      if let order = column.order {
        html.element("span", ["aria-hidden": "true"], text: order == .ascending ? " ↑" : " ↓")
      }
    }
  }

  /// Writes a grid of buttons; Tab reaches one of them, and the arrows move to the others.
  func grid(_ element: Element, _ html: inout HTML) {
    let board = element.board
    let isHexagonal = board?.shape == .hexagon
    html.element("div", ["id": .text(id(element.id)), "class": "board"]) { html in
      html.element(
        "div",
        [
          "role": "grid", "id": .text(control(element)), "aria-label": .text(element.label),
          "class": isHexagonal ? "grid hexagons" : "grid squares",
          "data-columns": .text("\(min(element.cells.first?.count ?? 0, 60))"),
          "data-top": .init(board?.top), "data-trailing": .init(board?.trailing),
          "data-bottom": .init(board?.bottom), "data-leading": .init(board?.leading),
        ]
      ) { html in
        for (row, cells) in element.cells.enumerated() {
          html.element("div", ["role": "row"]) { html in
            // Each row is shifted by half a cell against the row above.
            if isHexagonal { for _ in 0..<min(row, 60) { html.element("i", ["aria-hidden": "true"]) } }
            for (column, cell) in cells.enumerated() {
              html.element("div", ["role": "gridcell"]) { html in
                html.element(
                  "button",
                  [
                    "name": "do", "value": press(element) { .cell($0, row: row, column: column) },
                    "id": .text("\(id(element.id)).\(row).\(column)"),
                    "class": cell.isMarked ? "cell marked" : "cell", "data-tint": .init(cell.tint.map(Self.word)),
                    "aria-label": .text(
                      setting.words.cell(row: row + 1, column: column + 1, text: cell.text, isMarked: cell.isMarked)),
                    "aria-disabled": cell.isEnabled ? .absent : "true",
                    "tabindex": row == 0 && column == 0 ? "0" : "-1",
                  ], text: cell.text)
              }
            }
          }
        }
      }
      notes(element, &html)
    }
  }
}
