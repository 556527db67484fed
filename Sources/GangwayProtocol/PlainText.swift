extension Presentation {
  /// The presentation as text: tab bars, the path, the top layer's elements, a line each.
  ///
  /// This is what the plain front end prints and what tests compare.
  public var plainText: String { plainLines.joined(separator: "\n") }

  /// The lines of ``plainText``.
  public var plainLines: [String] {
    var lines = tabBars.map { bar in
      bar.indices.map { index in
        let tab = bar[index]
        let startsGroup = index > 0 && tab.group != bar[index - 1].group
        return (startsGroup ? "| " : "") + "[\(tab.title)\(tab.isSelected ? "*" : "")]"
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
  public var plainLines: [String] {
    let own: [String] =
      switch kind {
      case .field: ["\(label): [\(role == .secure ? String(repeating: "•", count: value?.count ?? 0) : escapedValue)]"]
      case .toggle: ["\(label): \(value ?? "off")"]
      case .picker: ["\(label): \(options.first { $0.id == value }?.title ?? "")"]
      case .progress: [label + (percent.map { ": \($0)%" } ?? " …")]
      case .divider: ["---"]
      case .alert: ["(alert) \(label)"] + (detail.map { [$0] } ?? [])
      case .grid: (label.isEmpty ? [] : [label]) + cells.map { $0.map(\.text).joined(separator: " ") }
      case .table: (label.isEmpty ? [] : [label]) + cells.map { $0.map(\.text).joined(separator: " | ") }
      case .list, .row, .section, .toolbar: label.isEmpty ? [] : [label]
      default: [label]
      }
    return own.enumerated().map { index, line in index == 0 ? line + unavailability : line }
      + children.flatMap(\.plainLines)
  }

  private var escapedValue: String {
    (value ?? "").split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "⏎")
  }

  private var unavailability: String {
    guard !isEnabled else { return "" }
    return detail.map { " (unavailable: \($0))" } ?? " (unavailable)"
  }
}
