/// Presentations for clients of an earlier minor version. They have only kinds that the client knows, so that users can
/// read everything and act on it.
extension Presentation {
  /// Returns the presentation for a client of a version.
  public func understood(by version: ProtocolVersion) -> Presentation {
    guard version.minor < 3 else { return self }
    var copy = self
    copy.layers = layers.map { layer in
      var layer = layer
      layer.elements = layer.elements.flatMap(\.of12)
      layer.panes = layer.panes.map { panes in
        panes.map { pane in
          var pane = pane
          pane.elements = pane.elements.flatMap(\.of12)
          return pane
        }
      }
      return layer
    }
    return copy
  }
}

extension Element {
  /// The element in the kinds of version 1.2: one element, or several in a row.
  fileprivate var of12: [Element] {
    var element = self
    element.attributes = Attributes()
    if let badge = self.badge { element.label += " (\(badge))" }
    element.children = children.flatMap(\.of12)
    let problem = self.problem.map { [note("problem", $0, .problem)] } ?? []
    return element.of12Kinds(self) + problem
  }

  /// Returns this element, without its attributes, in kinds of version 1.2.
  private func of12Kinds(_ whole: Element) -> [Element] {
    var element = self
    switch kind {
    case .fact:
      (element.kind, element.label, element.value) = (.text, "\(label): \(value ?? "")", nil)
    case .number, .date: (element.kind, element.role) = (.field, nil)
    case .form, .document, .menu: (element.kind, element.role) = (.section, nil)
    case .banner, .empty:
      (element.kind, element.role, element.detail) = (.section, role == .problem ? .problem : nil, nil)
      if let detail { element.children.insert(note("detail", detail), at: 0) }
    case .log:
      element.kind = .section
      element.value = nil
      element.children = (whole.lines ?? []).enumerated().map { note("line\($0)", $1) }
    case .image where role == .decorative: return []
    case .image, .drawing: (element.kind, element.role) = (.text, nil)
    case .chart:
      element.kind = .table
      element.cells = (whole.chart?.table ?? []).map { row in row.map { Cell(text: $0, isEnabled: false) } }
    case .tabs:
      // A picker has no children, so the elements of the visible pane come after it.
      (element.kind, element.children) = (.picker, [])
      return [element] + children
    case .disclosure:
      (element.kind, element.children) = (.toggle, [])
      return [element] + children
    case .row: return [rowOf12(whole)]
    case .text, .heading:
      if role == .item { element.label = (value ?? "•") + " " + label }
      if role != .problem { (element.role, element.value) = (nil, nil) }
    case .field where role != .multiline && role != .secure: element.role = nil
    case .button where role != .destructive && role != .cancel: element.role = nil
    default: break
    }
    return [element]
  }

  /// Returns a row with its title as an element in it. If the user can press the row, the title is a button.
  private func rowOf12(_ whole: Element) -> Element {
    guard !label.isEmpty else { return self }
    var row = Element(id: id + ".row", kind: .row, children: children)
    if let detail, isEnabled { row.children.insert(note("detail", detail), at: 0) }
    var title = Element(id: id, kind: role == .button ? .button : .text, label: label, isEnabled: isEnabled)
    if !isEnabled { title.detail = detail }
    row.children.insert(title, at: 0)
    return row
  }

  private func note(_ name: String, _ text: String, _ role: Role? = nil) -> Element {
    Element(id: "\(id).\(name)", kind: .text, label: text, role: role)
  }
}
