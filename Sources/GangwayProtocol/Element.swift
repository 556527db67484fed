/// One element of a screen, as sent to a front end: what it is, what it says, and what can be done with it.
///
/// The same flat record serves every kind, so that a front end in any language reads it with one decoder; the
/// fields a kind does not use are absent from the encoded form. What few elements have is in ``Attributes``, and read and written as
/// a property of the element: `element.badge`.
@dynamicMemberLookup public struct Element: Hashable, Sendable, Identifiable {
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
    /// A label and the value it has.
    public static let fact = Kind(rawValue: "fact")
    /// Inputs that are submitted together.
    public static let form = Kind(rawValue: "form")
    /// Actions that are shown on demand.
    public static let menu = Kind(rawValue: "menu")
    /// A day, a time of day, or both.
    public static let date = Kind(rawValue: "date")
    /// A number to edit, and to step up and down.
    public static let number = Kind(rawValue: "number")
    /// Panes of one screen, one of which is shown.
    public static let tabs = Kind(rawValue: "tabs")
    /// Elements that are shown and hidden under a title.
    public static let disclosure = Kind(rawValue: "disclosure")
    /// Text with headings, lists and links.
    public static let document = Kind(rawValue: "document")
    /// A message that stands on the screen.
    public static let banner = Kind(rawValue: "banner")
    /// What is said where there is nothing yet.
    public static let empty = Kind(rawValue: "empty")
    /// Lines that are only added to.
    public static let log = Kind(rawValue: "log")
    /// A picture.
    public static let image = Kind(rawValue: "image")
    /// Values as lines, bars, areas or a pie.
    public static let chart = Kind(rawValue: "chart")
    /// Lines and surfaces.
    public static let drawing = Kind(rawValue: "drawing")
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
    /// A field for an address of e-mail.
    public static let email = Role(rawValue: "email")
    /// A field for digits.
    public static let number = Role(rawValue: "number")
    /// A field whose text is looked for.
    public static let search = Role(rawValue: "search")
    /// A field for a URL.
    public static let url = Role(rawValue: "url")
    /// The button that Enter presses in a form.
    public static let submit = Role(rawValue: "submit")
    /// The button that has what is shown fetched again.
    public static let refresh = Role(rawValue: "refresh")
    /// A row that can be pressed as a whole.
    public static let button = Role(rawValue: "button")
    /// The menu of a row.
    public static let actions = Role(rawValue: "actions")
    /// A date without a time of day.
    public static let day = Role(rawValue: "day")
    /// A time of day without a date.
    public static let time = Role(rawValue: "time")
    /// A banner worth knowing.
    public static let information = Role(rawValue: "information")
    /// A banner that tells of something done.
    public static let success = Role(rawValue: "success")
    /// A banner that warns.
    public static let warning = Role(rawValue: "warning")
    /// A picture or drawing that says nothing that is not said elsewhere.
    public static let decorative = Role(rawValue: "decorative")
    /// A paragraph of code.
    public static let code = Role(rawValue: "code")
    /// A paragraph that is quoted.
    public static let quote = Role(rawValue: "quote")
    /// An item of a list in a document; its `value` is what stands before it.
    public static let item = Role(rawValue: "item")
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
  /// The text of a field, `on` or `off` of a toggle or disclosure, the chosen option's id of a picker or of the pane of tabs, 0 to 1 of a
  /// progress, what a fact says, the text of a number, a date as `2026-11-22`, `09:30` or `2026-11-22T09:30`.
  public var value: String?
  /// A refinement of the kind.
  public var role: Role?
  /// Whether a person can act on it.
  public var isEnabled: Bool
  /// Why not, where it is not enabled; the message of an alert, a banner or an empty place; the second line of a row.
  public var detail: String?
  /// The choices of a picker.
  public var options: [Option]
  /// What it contains: rows of a list, elements of a section or row, buttons of an alert or toolbar.
  public var children: [Element]
  /// Rows of cells: of a table (the first row is the header) or a grid.
  public var cells: [[Cell]]
  private var storage = AttributeStorage()

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

  /// Whether another is the same in everything but what it contains.
  func isSame(as other: Element) -> Bool {
    id == other.id && kind == other.kind && label == other.label && value == other.value && role == other.role
      && isEnabled == other.isEnabled && detail == other.detail && options == other.options && cells == other.cells
      && storage == other.storage
  }

  /// What few elements have.
  public var attributes: Attributes {
    get { storage.attributes }
    set { storage.attributes = newValue }
  }

  /// Whether it has any of the attributes.
  package var hasAttributes: Bool { !storage.isEmpty }

  /// One of the attributes.
  public subscript<Value>(dynamicMember attribute: WritableKeyPath<Attributes, Value>) -> Value {
    get { storage.attributes[keyPath: attribute] }
    set { storage.attributes[keyPath: attribute] = newValue }
  }
}

extension Element: Codable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, kind, label, value, role, enabled, detail, options, children, cells
    case symbol, badge, help, shortcut, problem, required, submits, expanded, level, key, minimum, maximum, step,
      selects
    case selection, keys, rowCount, firstRow, columns, runs, lines, image, chart, paths
  }

  /// Reads an element; only `id` and `kind` must be there.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(id: try fields.decode(ElementID.self, forKey: .id), kind: try fields.decode(Kind.self, forKey: .kind))
    try read(fields)
  }

  /// Reads the fields that are there, besides what the element is.
  mutating func read(_ fields: KeyedDecodingContainer<CodingKeys>) throws {
    // Of some thirty fields an element has three or four: looking for each takes three times as long as all the rest.
    var hasAttributes = false
    for key in fields.allKeys {
      switch key {
      case .id, .kind: break
      case .label: label = try fields.decodeIfPresent(String.self, forKey: .label) ?? ""
      case .value: value = try fields.decodeIfPresent(String.self, forKey: .value)
      case .role: role = try fields.decodeIfPresent(Role.self, forKey: .role)
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

  /// Writes the fields that do not have their default, besides what the element is.
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
  /// Every element and its descendants, in the order in which they are drawn.
  public var flattened: [Element] {
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
  /// How far a progress has come, in percent from 0 to 100; nil where that is not known, or the value is no such number.
  public var percent: Int? {
    guard let value, let fraction = Double(value), fraction.isFinite else { return nil }
    return Int((min(max(fraction, 0), 1) * 100).rounded())
  }
}

extension Element.Kind {
  /// Whether a person sets what it holds.
  public var isInput: Bool { [.field, .toggle, .picker, .date, .number].contains(self) }

  /// Whether its text is edited.
  public var isEdited: Bool { [.field, .date, .number].contains(self) }
}

extension Element {
  /// The text of a number so many steps up, or down, within its range; nil where it holds no number.
  public func stepped(by steps: Int) -> String? {
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
    // What is summed up in binary is shown as a person would sum it up.
    return ChartData.text(min(max(sum, least), max(least, most)))
  }
}
