@_spi(FrontEnd) import GangwayProtocol

/// A screen in spoken form: one line after the other, each about one element.
struct SpokenScreen {
  /// A line, with its element.
  struct Line: Hashable {
    /// Nil if the line is not about an element.
    var element: ElementID?
    /// Whether the user can act on the element.
    var isAction = false
    var text: String
  }

  /// The identity of the screen; only lines of the same screen are compared.
  let place: String
  let lines: [Line]

  init(_ presentation: Presentation) {
    let top = presentation.top
    place = "\(top?.node ?? 0) \(presentation.layers.count) \(presentation.alert?.id ?? "")"
    var lines = presentation.tabBars.map { Line(text: Self.tabs($0)) }
    if let alert = presentation.alert {
      lines.append(Line(text: "Alert: \(alert.label)"))
      if let detail = alert.detail { lines.append(Line(text: detail)) }
      self.lines = lines + alert.children.flatMap(Self.lines)
      return
    }
    if presentation.path.count > 1 {
      lines.append(Line(text: "Place: " + presentation.path.map(\.title).joined(separator: ", ")))
    }
    if let top { lines.append(Line(text: (top.style == .base ? "Screen: " : "Dialog: ") + top.title)) }
    if let activity = presentation.activity { lines.append(Line(text: activity)) }
    let elements = top?.elements.flatMap(Self.lines) ?? []
    self.lines = lines + (elements.isEmpty ? [Line(text: "This screen is empty.")] : elements)
  }

  /// Returns the lines to speak after another screen: everything on a new screen, or the new and removed lines on the
  /// same.
  func changes(from old: SpokenScreen?) -> [Line] {
    guard let old, old.place == place else { return lines }
    let known = Set(old.lines)
    let new = lines.filter { !known.contains($0) }
    let ids = Set(lines.compactMap(\.element))
    let present = Set(lines.map(\.text))
    let gone = old.lines.filter { line in
      line.element.map { !ids.contains($0) } ?? !present.contains(line.text)
    }
    guard gone.count > Self.maximumGone else {
      return new + gone.map { Line(text: "Gone: \($0.text)") }
    }
    return new + [Line(text: "\(gone.count) lines are gone.")]
  }

  /// The maximum number of removed lines that are spoken.
  private static let maximumGone = 3

  // MARK: Words

  private static func tabs(_ bar: [Presentation.Tab]) -> String {
    "Tabs: "
      + bar.map { tab in
        tab.title + (tab.badge.map { ", \($0)" } ?? "") + (tab.isSelected ? " (selected)" : "")
      }.joined(separator: ", ")
  }

  private static func lines(_ element: Element) -> [Line] {
    let own = said(element).map { text in
      Line(element: element.id, isAction: element.isAction, text: text + element.remarks)
    }
    let above = [element.textAboveRows].compactMap { $0.map { Line(element: element.id, text: $0) } }
    let below = [element.textBelowRows].compactMap { $0.map { Line(element: element.id, text: $0) } }
    let children: [Line] =
      element.kind == .list
      ? rows(element) : element.kind == .table ? tableRows(element) : element.children.flatMap(lines)
    return [own].compactMap(\.self) + above + children + below
  }

  private static func rows(_ list: Element) -> [Line] {
    let selection = Set(list.selection ?? [])
    return list.children.enumerated().flatMap { index, row -> [Line] in
      var lines = lines(row)
      let number = list.rowsAbove + index + 1
      let isSelected = row.key.map(selection.contains) == true
      if !lines.isEmpty { lines[0].text = "Row \(number): \(lines[0].text)" + (isSelected ? ", selected" : "") }
      return lines
    }
  }

  private static func tableRows(_ table: Element) -> [Line] {
    let titles = table.cells.first?.map(\.text) ?? []
    let selection = Set(table.selection ?? [])
    let rows = table.cells.dropFirst().enumerated().map { index, cells -> Line in
      let texts = cells.enumerated().map { column, cell in
        (titles.indices.contains(column) && !titles[column].isEmpty ? titles[column] + " " : "") + cell.text
      }
      let keys = table.keys ?? []
      let key = keys.indices.contains(index) ? keys[index] : "\(index)"
      let end = keys.indices.contains(index) && selection.contains(key) ? ", selected" : ""
      let text = "Row \(table.rowsAbove + index + 1): \(texts.joined(separator: ", "))\(end)"
      return Line(element: "\(table.id)/\(key)", text: text)
    }
    return rows + table.children.flatMap(lines)
  }

  /// Returns the kind, name and value of an element; nil for one that only contains others.
  private static func said(_ element: Element) -> String? {
    let label = element.label
    let value = element.value ?? ""
    switch element.kind {
    case .heading: return "Heading: \(label)"
    case .button: return "Button: \(label)"
    case .link: return "Link: \(label)"
    case .file: return "File button: \(label)"
    case .toggle: return "Switch: \(label), \(value == "on" ? "on" : "off")"
    case .fact: return "\(label): \(value)"
    case .field, .date, .number: return field(element)
    case .picker, .tabs:
      let titles = element.options.map(\.title)
      let now = element.options.firstIndex { $0.id == value }
      let chosen = now.map { "\(titles[$0]), \($0 + 1) of \(titles.count)" } ?? "nothing chosen"
      let name = element.kind == .tabs ? "Panes" : "Choice"
      return "\(name): \(label.isEmpty ? "" : label + ", ")\(chosen). Options: \(titles.joined(separator: ", "))"
    case .progress: return "Progress: \(label)" + (element.percent.map { ", \($0) percent" } ?? ", going on")
    case .divider: return nil
    case .banner: return "\(banner(element.role)): \(label)" + (element.detail.map { ". \($0)" } ?? "")
    case .empty: return label + (element.detail.map { ". \($0)" } ?? "")
    case .list: return "List\(named(label)), \(count(element.rowCount ?? element.children.count, "row"))"
    case .table: return "Table\(named(label)), \(count(element.rowCount ?? element.shownRowCount, "row"))"
    case .grid:
      let rows = element.cells.enumerated().map { "row \($0 + 1): " + $1.map(\.text).joined(separator: " ") }
      return "Grid\(named(label)), \(element.cells.count) by \(element.cells.first?.count ?? 0); "
        + rows.joined(separator: "; ")
    case .disclosure: return "Section: \(label), \(element.isExpanded == true ? "expanded" : "collapsed")"
    case .menu: return "Menu: \(label)"
    case .log: return "Log\(named(label)): " + (element.lines ?? []).suffix(20).joined(separator: "; ")
    case .image: return element.role == .decorative ? nil : "Picture: \(label)"
    case .drawing: return element.role == .decorative ? nil : "Drawing: \(label)"
    case .chart:
      let rows = (element.chart?.table ?? []).map { $0.joined(separator: " ") }
      return "Chart: \(label). " + rows.joined(separator: "; ")
    case .row:
      let expansion = element.isExpanded.map { $0 ? ", expanded" : ", collapsed" } ?? ""
      let name = label + (element.detail.map { ", \($0)" } ?? "") + expansion
      return name.isEmpty ? nil : name
    case .section, .toolbar, .form, .document: return label.isEmpty ? nil : "Part: \(label)"
    case .text, .alert:
      if element.role == .problem { return "Problem: \(label)" }
      let mark = element.role == .item ? "Item: " : element.role == .quote ? "Quote: " : ""
      return mark + label
    }
  }

  private static func field(_ element: Element) -> String {
    let value = element.value ?? ""
    let name: String =
      switch (element.kind, element.role) {
      case (.date, _): "Date"
      case (.number, _): "Number"
      case (_, .secure): "Password"
      case (_, .multiline): "Multiline text"
      case (_, .search): "Search"
      default: "Text"
      }
    let content =
      value.isEmpty ? "empty" : element.role == .secure ? count(value.count, "character") : "'\(value)'"
    return "\(name) field: \(element.label), \(content)"
  }

  private static func banner(_ role: Element.Role?) -> String {
    switch role {
    case .success: "Done"
    case .warning: "Warning"
    case .problem: "Problem"
    default: "Information"
    }
  }

  private static func named(_ label: String) -> String { label.isEmpty ? "" : " " + label }

  private static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }
}

extension Element {
  /// Whether the user can act on the element by its number.
  fileprivate var isAction: Bool {
    switch kind.traits.action {
    case .tap: isEnabled && (kind != .row || role == .button)
    case .toggle, .edit, .choose, .expand, .file: isEnabled
    case .submit, .cell, .window, nil: false
    }
  }

  /// The text after every element: details apart from its name, and the reason why it is disabled.
  fileprivate var remarks: String {
    var text = self.badge.map { ", \($0)" } ?? ""
    if self.isRequired { text += ", required" }
    if !isEnabled { text += kind == .row ? "" : ", unavailable" + (detail.map { ": \($0)" } ?? "") }
    if let help = self.help { text += ". \(help)" }
    if let problem = self.problem { text += ". Problem: \(problem)" }
    return text
  }
}
