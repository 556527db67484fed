extension Presentation {
  /// The presentation as text, one line each: the tab bars, the path and the top layer's elements.
  ///
  /// The plain front end prints this text, and tests compare it.
  @_spi(FrontEnd) public var plainText: String { plainLines.joined(separator: "\n") }

  /// The lines of ``plainText``.
  package var plainLines: [String] {
    var lines = tabBars.map { bar in
      bar.indices.map { index in
        let tab = bar[index]
        let startsGroup = index > 0 && tab.group != bar[index - 1].group
        return (startsGroup ? "| " : "") + "[\(tab.title)\(tab.isSelected ? "*" : "")"
          + (tab.badge.map { " (\($0))" } ?? "") + "]"
      }.joined(separator: " ")
    }
    if top?.appearance?.hidesBar != true { lines.append(path.map(\.title).joined(separator: " > ")) }
    if let activity { lines.append(activity) }
    guard let top else { return lines }
    if top.style != .base { lines.append("(modal) \(top.title)") }
    if let alert { return lines + alert.plainLines }
    return lines + top.elements.flatMap(\.plainLines)
  }
}

extension Element {
  /// The element as lines of text.
  package var plainLines: [String] {
    let own: [String] =
      switch kind {
      case .table: []
      case .field: ["\(label): [\(role == .secure ? String(repeating: "•", count: value?.count ?? 0) : escapedValue)]"]
      case .date, .number: ["\(label): [\(escapedValue)]"]
      case .toggle: ["\(label): \(value ?? "off")"]
      case .fact: ["\(label): \(value ?? "")"]
      case .picker: ["\(label): \(options.first { $0.id == value }?.title ?? "")"]
      case .progress: [label + (percent.map { ": \($0)%" } ?? " …")]
      case .divider: ["---"]
      case .alert: ["(alert) \(label)"] + (detail.map { [$0] } ?? [])
      case .banner: ["(\(role?.rawValue ?? "information")) \(label)"] + (detail.map { [$0] } ?? [])
      case .empty: [label] + (detail.map { [$0] } ?? [])
      case .grid: (label.isEmpty ? [] : [label]) + cells.map { $0.map(\.text).joined(separator: " ") }
      case .tabs: (label.isEmpty ? [] : [label]) + [panesLine]
      case .disclosure: [expansion + label]
      case .menu: ["(menu) \(label): " + children.map(\.label).filter { !$0.isEmpty }.joined(separator: ", ")]
      case .log: (label.isEmpty ? [] : [label]) + (self.lines ?? [])
      case .image: role == .decorative ? [] : ["(image) \(label)"]
      case .drawing: ["(drawing) \(label)"]
      case .chart: ["(chart) \(label)"] + (self.chart?.table ?? []).map { $0.joined(separator: " | ") }
      case .row: label.isEmpty && expansion.isEmpty ? [] : [rowLine] + (detail.map { [$0] } ?? [])
      case .list, .section, .toolbar, .form, .document: label.isEmpty ? [] : [label]
      case .text, .heading, .button, .link, .file: textLines
      }
    if kind == .table { return tableLines }
    let said = own.isEmpty && self.problem != nil ? [""] : own
    return said.enumerated().map { index, line in index == 0 ? decorated(line) : line }
      + (kind == .menu ? [] : childLines)
  }

  /// The lines of the children. A mark precedes each selected row.
  private var childLines: [String] {
    let (above, below) = ([textAboveRows].compactMap { $0 }, [textBelowRows].compactMap { $0 })
    guard self.selects != nil else { return above + children.flatMap(\.plainLines) + below }
    let selection = Set(self.selection ?? [])
    let rows = children.flatMap { child in
      let lines = child.plainLines
      guard let key = child.key, selection.contains(key) else { return lines }
      return lines.enumerated().map { $0 == 0 ? "* " + $1 : $1 }
    }
    return above + rows + below
  }

  private var tableLines: [String] {
    let selection = Set(self.selection ?? [])
    var rows = cells.map { $0.map(\.text) }
    for (index, column) in (self.columns ?? []).enumerated() where rows.first?.indices.contains(index) == true {
      if let order = column.order { rows[0][index] += order == .ascending ? " ▲" : " ▼" }
    }
    var lines = rows.enumerated().map { index, row in
      let key = index > 0 && self.keys?.indices.contains(index - 1) == true ? self.keys?[index - 1] : nil
      return (key.map(selection.contains) == true ? "* " : "") + row.joined(separator: " | ")
    }
    if let above = textAboveRows, !lines.isEmpty { lines.insert(above, at: 1) }
    if let below = textBelowRows { lines.append(below) }
    let title = label.isEmpty && self.problem == nil ? [] : [decorated(label)]
    return title + lines + children.flatMap(\.plainLines)
  }

  /// Returns a line with the attributes that any element may have: symbol, badge, problem, and the reason why it is
  /// disabled.
  private func decorated(_ line: String) -> String {
    var text = line
    if let symbol = self.symbol { text = symbol + " " + text }
    if let badge = self.badge { text += " (\(badge))" }
    if self.isRequired { text += " (required)" }
    text += unavailability
    if let problem = self.problem { text += " (problem: \(problem))" }
    return text
  }

  private var expansion: String { self.isExpanded.map { $0 ? "- " : "+ " } ?? "" }

  private var rowLine: String {
    String(repeating: "  ", count: min(max(self.level ?? 1, 1), 100) - 1) + expansion + label
  }

  private var panesLine: String {
    options.map { "(\($0.title)\($0.id == value ? "*" : ""))" }.joined(separator: " ")
  }

  private var textLines: [String] {
    let indent = String(repeating: "  ", count: kind == .text ? min(max(self.level ?? 0, 0), 20) : 0)
    let mark = role == .item ? (value ?? "•") + " " : role == .quote ? "> " : ""
    if role == .code {
      return label.split(separator: "\n", omittingEmptySubsequences: false).map { indent + String($0) }
    }
    return [indent + mark + label]
  }

  private var escapedValue: String {
    (value ?? "").split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "⏎")
  }

  private var unavailability: String {
    guard !isEnabled else { return "" }
    return detail.map { " (unavailable: \($0))" } ?? " (unavailable)"
  }
}
