/// One element of a screen, as sent to a front end: what it is, what it says, and what can be done with it.
///
/// The same flat record serves every kind, so that a front end in any language reads it with one decoder; the
/// fields a kind does not use are absent from the encoded form.
public struct Element: Hashable, Sendable, Identifiable {
  /// What an element is. A front end shows a kind that it does not know as text.
  public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
    /// The word that stands in messages.
    public let rawValue: String
    /// Makes a kind from the word that stands in messages.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A line or paragraph.
    public static let text = Kind(rawValue: "text")
    /// A line that heads what follows.
    public static let heading = Kind(rawValue: "heading")
    /// Something to press.
    public static let button = Kind(rawValue: "button")
    /// A way to another screen.
    public static let link = Kind(rawValue: "link")
    /// A text to edit.
    public static let field = Kind(rawValue: "field")
    /// Something that is on or off.
    public static let toggle = Kind(rawValue: "toggle")
    /// A choice of one among several.
    public static let picker = Kind(rawValue: "picker")
    /// Rows.
    public static let list = Kind(rawValue: "list")
    /// One row of a list.
    public static let row = Kind(rawValue: "row")
    /// Elements under a title.
    public static let section = Kind(rawValue: "section")
    /// Rows of values under column titles.
    public static let table = Kind(rawValue: "table")
    /// How far something has come.
    public static let progress = Kind(rawValue: "progress")
    /// A message that waits for an answer.
    public static let alert = Kind(rawValue: "alert")
    /// Actions of the screen as a whole.
    public static let toolbar = Kind(rawValue: "toolbar")
    /// A line between elements.
    public static let divider = Kind(rawValue: "divider")
    /// Cells to tap.
    public static let grid = Kind(rawValue: "grid")
  }

  /// What a button does, or how a field is edited: drawn differently, never needed to understand the element.
  public struct Role: RawRepresentable, Codable, Hashable, Sendable {
    /// The word that stands in messages.
    public let rawValue: String
    /// Makes a role from the word that stands in messages.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A button that destroys something.
    public static let destructive = Role(rawValue: "destructive")
    /// A button that backs out; in an alert, what `back` and `dismiss` press.
    public static let cancel = Role(rawValue: "cancel")
    /// A field of several lines.
    public static let multiline = Role(rawValue: "multiline")
    /// A field whose text is hidden, and never stored.
    public static let secure = Role(rawValue: "secure")
    /// An alert that asks for a decision.
    public static let confirmation = Role(rawValue: "confirmation")
    /// Something that went wrong, told in the place where the feature would be.
    public static let problem = Role(rawValue: "problem")
  }

  /// One choice of a picker.
  public struct Option: Codable, Hashable, Sendable {
    /// Names the choice in events.
    public var id: String
    /// What the person reads.
    public var title: String
    /// Makes a choice.
    public init(id: String, title: String) {
      self.id = id
      self.title = title
    }
  }

  /// One cell of a grid.
  public struct Cell: Codable, Hashable, Sendable {
    /// What stands in the cell; one or two characters fit everywhere.
    public var text: String
    /// Whether a tap on it does anything.
    public var isEnabled: Bool
    /// A word that front ends may draw as a colour, such as `red`.
    public var tint: String?
    /// Makes a cell.
    public init(text: String, isEnabled: Bool = true, tint: String? = nil) {
      self.text = text
      self.isEnabled = isEnabled
      self.tint = tint
    }
  }

  /// Names the element within its screen.
  public var id: ElementID
  /// What it is.
  public var kind: Kind
  /// What the person reads.
  public var label: String
  /// The text of a field, `on` or `off` of a toggle, the chosen option's id of a picker, 0 to 1 of a progress.
  public var value: String?
  /// A refinement of the kind.
  public var role: Role?
  /// Whether a person can act on it.
  public var isEnabled: Bool
  /// Why not, where it is not enabled; the message of an alert.
  public var detail: String?
  /// The choices of a picker.
  public var options: [Option]
  /// What it contains: rows of a list, elements of a section or row, buttons of an alert or toolbar.
  public var children: [Element]
  /// Rows of cells: of a table (the first row is the header) or a grid.
  public var cells: [[Cell]]

  /// Makes an element; everything but its name and kind has a default.
  public init(
    id: ElementID, kind: Kind, label: String = "", value: String? = nil, role: Role? = nil, isEnabled: Bool = true,
    detail: String? = nil, options: [Option] = [], children: [Element] = [], cells: [[Cell]] = []
  ) {
    self.id = id
    self.kind = kind
    self.label = label
    self.value = value
    self.role = role
    self.isEnabled = isEnabled
    self.detail = detail
    self.options = options
    self.children = children
    self.cells = cells
  }
}

extension Element: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, kind, label, value, role, enabled, detail, options, children, cells
  }

  /// Reads an element; only `id` and `kind` must be there.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try fields.decode(ElementID.self, forKey: .id),
      kind: try fields.decode(Kind.self, forKey: .kind),
      label: try fields.decodeIfPresent(String.self, forKey: .label) ?? "",
      value: try fields.decodeIfPresent(String.self, forKey: .value),
      role: try fields.decodeIfPresent(Role.self, forKey: .role),
      isEnabled: try fields.decodeIfPresent(Bool.self, forKey: .enabled) ?? true,
      detail: try fields.decodeIfPresent(String.self, forKey: .detail),
      options: try fields.decodeIfPresent([Option].self, forKey: .options) ?? [],
      children: try fields.decodeIfPresent([Element].self, forKey: .children) ?? [],
      cells: try fields.decodeIfPresent([[Cell]].self, forKey: .cells) ?? []
    )
  }

  /// Writes an element without the fields that have their default.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(id, forKey: .id)
    try fields.encode(kind, forKey: .kind)
    if !label.isEmpty { try fields.encode(label, forKey: .label) }
    try fields.encodeIfPresent(value, forKey: .value)
    try fields.encodeIfPresent(role, forKey: .role)
    if !isEnabled { try fields.encode(false, forKey: .enabled) }
    try fields.encodeIfPresent(detail, forKey: .detail)
    if !options.isEmpty { try fields.encode(options, forKey: .options) }
    if !children.isEmpty { try fields.encode(children, forKey: .children) }
    if !cells.isEmpty { try fields.encode(cells, forKey: .cells) }
  }
}

extension [Element] {
  /// Every element and its descendants, in the order in which they are drawn.
  public var flattened: [Element] {
    flatMap { [$0] + $0.children.flattened }
  }
}

extension Element {
  /// How far a progress has come, in percent from 0 to 100; nil where that is not known, or the value is no such number.
  public var percent: Int? {
    guard let value, let fraction = Double(value), fraction.isFinite else { return nil }
    return Int((min(max(fraction, 0), 1) * 100).rounded())
  }
}
