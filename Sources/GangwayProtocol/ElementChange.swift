/// The changed fields of an element.
///
/// A message has the element's id and the changed fields with their new values. `unset` lists the names of the fields
/// that are absent now.
package struct ElementChange: Hashable, Sendable {
  /// The element.
  package var id: ElementID
  /// An element with the new values. Only the fields in `fields` have a meaning.
  private var values: Element
  private var fields: Set<Element.CodingKeys>

  /// Makes the change from one element to another, without their children; nil if nothing changed or the ids differ.
  init?(from old: Element, to new: Element) {
    guard old.id == new.id, !old.isSame(as: new) else { return nil }
    var rest = old
    rest.children = []
    values = new
    values.children = []
    id = new.id
    fields = []
    for field in Element.CodingKeys.changeable {
      var copy = rest
      copy.take(field, from: values)
      guard copy != rest else { continue }
      fields.insert(field)
      rest = copy
      if rest == values { return }
    }
  }

  /// Sets the new values in the element.
  func apply(to element: inout Element) { for field in fields { element.take(field, from: values) } }
}

extension ElementChange: Codable {
  private enum OwnKeys: String, CodingKey { case unset }

  /// Reads a change.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Element.CodingKeys.self)
    id = try container.decode(ElementID.self, forKey: .id)
    let unset = try decoder.container(keyedBy: OwnKeys.self).decodeIfPresent([String].self, forKey: .unset) ?? []
    let isKnown = container.contains(.kind)
    values = Element(id: id, kind: isKnown ? try container.decode(Element.Kind.self, forKey: .kind) : .text)
    try values.read(container)
    fields = Set(container.allKeys).subtracting([.id, .children])
    for name in unset {
      // An unknown field of a later version is absent here anyway.
      guard let field = Element.CodingKeys(rawValue: name), Element.CodingKeys.changeable.contains(field) else {
        continue
      }
      fields.insert(field)
    }
  }

  /// Writes the changed fields.
  public func encode(to encoder: any Encoder) throws {
    var written = Element(id: id, kind: values.kind)
    for field in fields { written.take(field, from: values) }
    var container = encoder.container(keyedBy: Element.CodingKeys.self)
    try container.encode(id, forKey: .id)
    if fields.contains(.kind) { try container.encode(values.kind, forKey: .kind) }
    try written.write(to: &container)
    let empty = Element(id: id, kind: values.kind)
    let unset = fields.filter { field in
      var copy = empty
      copy.take(field, from: values)
      return field != .kind && copy == empty
    }
    guard !unset.isEmpty else { return }
    var own = encoder.container(keyedBy: OwnKeys.self)
    try own.encode(unset.map(\.rawValue).sorted(), forKey: .unset)
  }
}

extension Element.CodingKeys {
  /// The fields of an element, except its id and children.
  static let changeable: [Self] = {
    let frequent: [Self] = [.value, .label, .cells, .selection, .badge, .problem]
    return frequent + allCases.filter { ![.id, .children].contains($0) && !frequent.contains($0) }
  }()
}

extension Element {
  /// Copies the value of a field from another element.
  fileprivate mutating func take(_ field: CodingKeys, from other: Element) {
    switch field {
    case .id: id = other.id
    case .kind: kind = other.kind
    case .label: label = other.label
    case .value: value = other.value
    case .role: role = other.role
    case .enabled: isEnabled = other.isEnabled
    case .detail: detail = other.detail
    case .options: options = other.options
    case .children: children = other.children
    case .cells: cells = other.cells
    default: takeAttribute(field, from: other)
    }
  }

  private mutating func takeAttribute(_ field: CodingKeys, from other: Element) {
    switch field {
    case .symbol: self.symbol = other.symbol
    case .badge: self.badge = other.badge
    case .help: self.help = other.help
    case .shortcut: self.shortcut = other.shortcut
    case .url: self.url = other.url
    case .problem: self.problem = other.problem
    case .required: self.isRequired = other.isRequired
    case .submits: self.submits = other.submits
    case .expanded: self.isExpanded = other.isExpanded
    case .level: self.level = other.level
    case .key: self.key = other.key
    case .minimum: self.minimum = other.minimum
    case .maximum: self.maximum = other.maximum
    case .step: self.step = other.step
    case .accepts: self.accepts = other.accepts
    case .maximumBytes: self.maximumBytes = other.maximumBytes
    case .selects: self.selects = other.selects
    case .selection: self.selection = other.selection
    case .keys: self.keys = other.keys
    case .rowCount: self.rowCount = other.rowCount
    case .firstRow: self.firstRow = other.firstRow
    case .columns: self.columns = other.columns
    case .runs: self.runs = other.runs
    case .lines: self.lines = other.lines
    case .image: self.image = other.image
    case .chart: self.chart = other.chart
    case .paths: self.paths = other.paths
    case .board: self.board = other.board
    case .id, .kind, .label, .value, .role, .enabled, .detail, .options, .children, .cells: break
    }
  }
}
