/// One element of a screen, as sent to a front end: its kind, its content and its actions.
///
/// Every kind uses the same flat record, so that a front end in any language needs only one decoder. The encoded form
/// omits the fields that a kind does not use. Rare fields are in ``Attributes``, and are also properties of the
/// element: `element.badge`.
@dynamicMemberLookup public struct Element: Hashable, Sendable, Identifiable {
  /// One choice of a picker.
  @_spi(FrontEnd) public struct Option: Codable, Hashable, Sendable {
    /// The name of the choice in events.
    public var id: String
    /// The visible text.
    public var title: String
    /// Makes a choice.
    public init(id: String, title: String) {
      self.id = id
      self.title = title
    }
  }

  /// One cell of a grid.
  @_spi(FrontEnd) public struct Cell: Codable, Hashable, Sendable {
    /// The text of the cell. One or two characters fit everywhere.
    public var text: String
    /// Whether a tap on the cell does anything.
    public var isEnabled: Bool
    /// A word that front ends may draw as a colour, such as `red`.
    public var tint: String?
    /// Whether the cell is highlighted, such as the last move of a game.
    public var isMarked: Bool
    /// Makes a cell.
    public init(text: String, isEnabled: Bool = true, tint: String? = nil, isMarked: Bool = false) {
      self.text = text
      self.isEnabled = isEnabled
      self.tint = tint
      self.isMarked = isMarked
    }
  }

  /// The name of the element within its screen.
  public var id: ElementID {
    get { storage.fields.id }
    _modify {
      makeUnique()
      yield &storage.fields.id
    }
  }
  /// The kind of the element.
  @_spi(FrontEnd) public var kind: Kind {
    get { storage.fields.kind }
    _modify {
      makeUnique()
      yield &storage.fields.kind
    }
  }
  /// The visible text.
  public var label: String {
    get { storage.fields.label }
    _modify {
      makeUnique()
      yield &storage.fields.label
    }
  }
  /// The value, by kind.
  ///
  /// - A field or number: its text.
  /// - A toggle or disclosure: `on` or `off`.
  /// - A picker or tabs: the id of the chosen option or pane.
  /// - A progress: 0 to 1.
  /// - A fact: the text after its label.
  /// - A date: `2026-11-22`, `09:30` or `2026-11-22T09:30`.
  public var value: String? {
    get { storage.fields.value }
    _modify {
      makeUnique()
      yield &storage.fields.value
    }
  }
  /// A refinement of the kind.
  @_spi(FrontEnd) public var role: Role? {
    get { storage.fields.role }
    _modify {
      makeUnique()
      yield &storage.fields.role
    }
  }
  /// Whether the user can act on the element.
  public var isEnabled: Bool {
    get { storage.fields.isEnabled }
    _modify {
      makeUnique()
      yield &storage.fields.isEnabled
    }
  }
  /// The reason if the element is disabled, the message of an alert, banner or empty place, or a row's second line.
  public var detail: String? {
    get { storage.fields.detail }
    _modify {
      makeUnique()
      yield &storage.fields.detail
    }
  }
  /// The choices of a picker.
  @_spi(FrontEnd) public var options: [Option] {
    get { storage.fields.options }
    _modify {
      makeUnique()
      yield &storage.fields.options
    }
  }
  /// The content: rows of a list, elements of a section or row, buttons of an alert or toolbar.
  public var children: [Element] {
    get { storage.fields.children }
    _modify {
      makeUnique()
      yield &storage.fields.children
    }
  }
  /// Rows of cells, of a grid or of a table, whose first row is the header.
  @_spi(FrontEnd) public var cells: [[Cell]] {
    get { storage.fields.cells }
    _modify {
      makeUnique()
      yield &storage.fields.cells
    }
  }

  /// The shared content. Elements are copied far more often than changed, and have some ten references in them. With
  /// shared storage, a copy counts only one reference.
  private var storage: Storage

  /// The content of an element.
  private struct Fields: Sendable {
    var id: ElementID
    var kind: Kind
    var label: String
    var value: String?
    var role: Role?
    var isEnabled: Bool
    var detail: String?
    var options: [Option]
    var children: [Element]
    var cells: [[Cell]]
    var attributes = AttributeStorage()
  }

  /// Storage that only a unique owner changes, which makes it safe to share.
  private final class Storage: @unchecked Sendable {
    @exclusivity(unchecked) var fields: Fields
    init(_ fields: Fields) { self.fields = fields }

    /// Returns whether another element is equal in everything but its children.
    func isSame(as other: Storage) -> Bool {
      fields.id == other.fields.id && fields.kind == other.fields.kind && fields.label == other.fields.label
        && fields.value == other.fields.value && fields.role == other.fields.role
        && fields.isEnabled == other.fields.isEnabled && fields.detail == other.fields.detail
        && fields.options == other.fields.options && fields.cells == other.fields.cells
        && fields.attributes == other.fields.attributes
    }
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
  }

  /// Makes an element. Everything but its id and kind has a default.
  @_spi(FrontEnd) public init(
    id: ElementID, kind: Kind, label: String = "", value: String? = nil, role: Role? = nil, isEnabled: Bool = true,
    detail: String? = nil, options: [Option] = [], children: [Element] = [], cells: [[Cell]] = []
  ) {
    storage = Storage(
      Fields(
        id: id, kind: kind, label: label, value: value, role: role, isEnabled: isEnabled, detail: detail,
        options: options,
        children: children, cells: cells))
  }

  /// Returns whether two elements are equal, with their children.
  public static func == (first: Element, second: Element) -> Bool {
    first.storage === second.storage
      || first.storage.isSame(as: second.storage) && first.children == second.children
  }

  /// Hashes the id, kind, label and value of the element, and its children.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(kind)
    hasher.combine(label)
    hasher.combine(value)
    hasher.combine(children)
  }

  /// Returns whether another element is equal in everything but its children.
  func isSame(as other: Element) -> Bool {
    storage === other.storage || storage.isSame(as: other.storage)
  }

  /// The rare fields.
  @_spi(FrontEnd) public var attributes: Attributes {
    get { storage.fields.attributes.attributes }
    set {
      makeUnique()
      storage.fields.attributes.attributes = newValue
    }
  }

  /// Whether any attribute is set.
  package var hasAttributes: Bool { !storage.fields.attributes.isEmpty }

  /// Gives access to an attribute.
  @_spi(FrontEnd) public subscript<Value>(dynamicMember attribute: WritableKeyPath<Attributes, Value>) -> Value {
    get { storage.fields.attributes.attributes[keyPath: attribute] }
    set {
      makeUnique()
      storage.fields.attributes.attributes[keyPath: attribute] = newValue
    }
  }
}

extension Element: Codable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, kind, label, value, role, enabled, detail, options, children, cells
    case symbol, badge, help, shortcut, url, problem, required, submits, expanded, level, key, minimum, maximum, step,
      accepts, maximumBytes, selects
    case selection, keys, rowCount, firstRow, columns, runs, lines, image, chart, paths, board
  }

  /// Reads an element. Only `id` and `kind` are required.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(id: try fields.decode(ElementID.self, forKey: .id), kind: try fields.decode(Kind.self, forKey: .kind))
    try read(fields)
  }

  /// Reads the present fields, except `id` and `kind`.
  mutating func read(_ fields: KeyedDecodingContainer<CodingKeys>) throws {
    // An element has three or four of some thirty fields. Looking for each field takes three times as long as all the
    // rest.
    var hasAttributes = false
    for key in fields.allKeys {
      switch key {
      case .id, .kind: break
      case .label: label = try fields.decodeIfPresent(String.self, forKey: .label) ?? ""
      case .value: value = try fields.decodeIfPresent(String.self, forKey: .value)
      case .role: role = try fields.decodeIfPresent(String.self, forKey: .role).flatMap(Role.init)
      case .enabled: isEnabled = try fields.decodeIfPresent(Bool.self, forKey: .enabled) ?? true
      case .detail: detail = try fields.decodeIfPresent(String.self, forKey: .detail)
      case .options: options = try fields.decodeIfPresent([Option].self, forKey: .options) ?? []
      case .children: children = try fields.decodeIfPresent([Element].self, forKey: .children) ?? []
      case .cells: cells = try fields.decodeIfPresent([[Cell]].self, forKey: .cells) ?? []
      default: hasAttributes = true
      }
    }
    if hasAttributes { attributes = try Attributes(fields) }
  }

  /// Writes an element without the fields that have their default.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(id, forKey: .id)
    try fields.encode(kind, forKey: .kind)
    try write(to: &fields)
  }

  /// Writes the fields that differ from their default, except `id` and `kind`.
  func write(to fields: inout KeyedEncodingContainer<CodingKeys>) throws {
    if !label.isEmpty { try fields.encode(label, forKey: .label) }
    try fields.encodeIfPresent(value, forKey: .value)
    try fields.encodeIfPresent(role, forKey: .role)
    if !isEnabled { try fields.encode(false, forKey: .enabled) }
    try fields.encodeIfPresent(detail, forKey: .detail)
    if !options.isEmpty { try fields.encode(options, forKey: .options) }
    if !children.isEmpty { try fields.encode(children, forKey: .children) }
    if !cells.isEmpty { try fields.encode(cells, forKey: .cells) }
    if hasAttributes { try attributes.encode(to: &fields) }
  }
}

extension [Element] {
  /// Every element and its descendants, in drawing order.
  @_spi(FrontEnd) public var flattened: [Element] {
    var all: [Element] = []
    func add(_ elements: [Element]) {
      for element in elements {
        all.append(element)
        if !element.children.isEmpty { add(element.children) }
      }
    }
    add(self)
    return all
  }
}

extension Element {
  /// The value of a progress, in percent from 0 to 100; nil if it is unknown or not a number.
  @_spi(FrontEnd) public var percent: Int? {
    guard let value, let fraction = Double(value), fraction.isFinite else { return nil }
    return Int((min(max(fraction, 0), 1) * 100).rounded())
  }
}

extension Element {
  /// Returns the text of the number after some steps up or down, within its range; nil if the value is not a number.
  @_spi(FrontEnd) public func stepped(by steps: Int) -> String? {
    let text = value ?? ""
    if let number = Int(text), let step = Int(self.step ?? "1") {
      let (distance, isTooFar) = step.multipliedReportingOverflow(by: steps)
      let (sum, isOutside) = number.addingReportingOverflow(distance)
      guard !isTooFar, !isOutside else { return nil }
      let least = self.minimum.flatMap { Int($0) } ?? .min
      let most = self.maximum.flatMap { Int($0) } ?? .max
      return "\(min(max(sum, least), max(least, most)))"
    }
    guard let number = Double(text), number.isFinite else { return nil }
    let sum = number + (Double(self.step ?? "1") ?? 1) * Double(steps)
    let least = self.minimum.flatMap { Double($0) } ?? -.greatestFiniteMagnitude
    let most = self.maximum.flatMap { Double($0) } ?? .greatestFiniteMagnitude
    // Round the binary sum to the decimal number that the user expects.
    return ChartData.text(min(max(sum, least), max(least, most)))
  }
}
