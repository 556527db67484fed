/// The kinds of elements, with their traits.
extension Element {
  /// The kind of an element, for exhaustive switches in front ends.
  ///
  /// A new kind needs a case here and its traits, and the compiler then asks for it in each front end.
  @_spi(FrontEnd) public enum Kind: String, CaseIterable, Encodable, Decodable, Hashable, Sendable {
    /// A line or paragraph.
    case text
    /// A title above other elements.
    case heading
    /// A line between elements.
    case divider
    /// Something to press.
    case button
    /// A link to another screen.
    case link
    /// An editable text.
    case field
    /// An editable number, with steps up and down.
    case number
    /// A day, a time of day, or both.
    case date
    /// Something that is on or off.
    case toggle
    /// A choice of one option among several.
    case picker
    /// A choice of a file of the user's, whose content goes to the feature.
    case file
    /// The progress of a task.
    case progress
    /// A label with its value.
    case fact
    /// Rows.
    case list
    /// One row of a list.
    case row
    /// Rows of values under column titles.
    case table
    /// Cells to tap.
    case grid
    /// Elements under a title.
    case section
    /// Actions for the whole screen.
    case toolbar
    /// Inputs with a common submit action.
    case form
    /// Actions that appear on demand.
    case menu
    /// Panes of one screen, one of them visible.
    case tabs
    /// Elements that the user shows or hides under a title.
    case disclosure
    /// Text with headings, lists and links.
    case document
    /// A message that stays on the screen.
    case banner
    /// The text of an empty screen or list.
    case empty
    /// Lines of text that only grow in number.
    case log
    /// A picture.
    case image
    /// Values as lines, bars, areas or a pie.
    case chart
    /// Lines and filled shapes.
    case drawing
    /// A message that waits for an answer.
    case alert

    /// Reads a kind. A kind that this version does not know is a text.
    public init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .text
    }
  }
}

@_spi(FrontEnd) extension Element.Kind {
  /// Whether the user sets its value.
  public var isInput: Bool { traits.isSettable && self != .tabs }

  /// Whether the user edits its text.
  public var isEdited: Bool { traits.isEdited }
}

/// The traits of a kind of elements, which everything except the drawing of a front end reads.
@_spi(FrontEnd) public struct ElementTraits: Sendable {
  /// The action of the user on an element.
  public enum Action: String, Sendable {
    case tap, toggle, choose, edit, expand, submit, cell, file, window
  }

  /// The part of an input that checkpoints store.
  package enum Stored: Sendable { case nothing, value, selection }

  /// The action of the user; nil if there is none.
  public let action: Action?
  /// The value that checkpoints store.
  package let stored: Stored
  /// Whether the element is a part of the screen of its own, set apart from its neighbors.
  public let isGroup: Bool
  /// Whether the element shows its children in place, so that they can change alone.
  public let isContainer: Bool

  fileprivate init(
    action: Action? = nil, stored: Stored = .nothing, isGroup: Bool = false, isContainer: Bool = false
  ) {
    self.action = action
    self.stored = stored
    self.isGroup = isGroup
    self.isContainer = isContainer
  }

  /// Whether the user sets a value by the element.
  package var isSettable: Bool { [.edit, .toggle, .choose].contains(action) }
  /// Whether the user edits text in the element.
  package var isEdited: Bool { action == .edit }
}

@_spi(FrontEnd) extension Set<Element.Kind> {
  /// Returns the known kinds on which the user acts in one way.
  package static func acting(by action: ElementTraits.Action) -> Self {
    GangwayProtocol.Element.Kind.kinds { $0.action == action }
  }
}

@_spi(FrontEnd) extension Element.Kind {
  /// Returns the known kinds whose traits meet a condition.
  package static func kinds(where matches: (ElementTraits) -> Bool) -> Set<Element.Kind> {
    Set(Element.Kind.allCases.filter { matches($0.traits) })
  }
}

@_spi(FrontEnd) extension Element.Kind {
  /// The traits of the kind.
  public var traits: ElementTraits {
    switch self {
    case .text: .init()
    case .heading: .init(isGroup: true)
    case .divider: .init()
    case .button: .init(action: .tap)
    case .link: .init(action: .tap)
    case .field: .init(action: .edit, stored: .value)
    case .number: .init(action: .edit, stored: .value)
    case .date: .init(action: .edit, stored: .value)
    case .toggle: .init(action: .toggle, stored: .value)
    case .picker: .init(action: .choose, stored: .value)
    case .file: .init(action: .file)
    case .progress: .init()
    case .fact: .init()
    case .list: .init(action: .window, stored: .selection)
    case .row: .init(action: .tap, isContainer: true)
    case .table: .init(action: .window, stored: .selection, isGroup: true)
    case .grid: .init(action: .cell, isGroup: true)
    case .section: .init(isGroup: true, isContainer: true)
    case .toolbar: .init(isGroup: true, isContainer: true)
    case .form: .init(action: .submit, isGroup: true, isContainer: true)
    case .menu: .init(isContainer: true)
    case .tabs: .init(action: .choose, stored: .value, isGroup: true, isContainer: true)
    case .disclosure: .init(action: .expand, stored: .value, isContainer: true)
    case .document: .init(isGroup: true, isContainer: true)
    case .banner: .init(isGroup: true, isContainer: true)
    case .empty: .init(isContainer: true)
    case .log: .init(isGroup: true)
    case .image: .init(isGroup: true)
    case .chart: .init(isGroup: true)
    case .drawing: .init(isGroup: true)
    case .alert: .init()
    }
  }

  /// The fields and roles of the kind in messages, as Markdown for the reference.
  package var reference: String {
    switch self {
    case .text:
      """
      `label`; `role` `problem` (a failure), `item` (of a list, with its bullet or number in `value`), `quote` \
      or `code`
      """
    case .heading: "`label`; `level` in a document"
    case .divider: ""
    case .button: "`role` `destructive`, `cancel`, `submit` or `refresh`"
    case .link: "`label`"
    case .field: "`value`; `role` `multiline`, `secure` (never store it), `email`, `number`, `search` or `url`"
    case .number: "`value`, a text that is not always a number; `minimum`, `maximum`, `step`"
    case .date:
      """
      `value`: `2026-11-22T09:30` in the user's time zone; with `role` `day` only the day, with `time` only \
      the time; `minimum`, `maximum`
      """
    case .toggle: "`value` `on` or `off`"
    case .picker: "`value`, an option's id; `options`, each with `id` and `title`"
    case .file:
      """
      `accepts`?, texts as in HTML's `accept` attribute; `maximumBytes`. The front end copies the chosen file to the \
      folder for handed-over files, and sends the event `file`
      """
    case .progress: "`value` from 0 to 1; absent if unknown"
    case .fact: "`label` and `value`"
    case .list: "`children`, its rows"
    case .row: "`children`; `role` `button` for a row that is pressed as a whole"
    case .table: "`cells`, rows of `text`; the first row is the header"
    case .grid:
      """
      `cells`, rows of cells, each with `text`, `isEnabled`, `tint`? and `isMarked`? (highlighted, such as the last \
      move). `board`? has a `shape` and the tints of its edges: `top`, `bottom`, `leading` and `trailing`. In the \
      shape `hexagon`, each row is half a cell to the right of the row above
      """
    case .section: "`children`"
    case .toolbar: "`children`"
    case .form: "`children`; Enter presses the button with the `role` `submit`"
    case .menu: "`children`, its commands; `role` `actions` for the menu of a row"
    case .tabs:
      """
      panes of one screen: `options` of `id` and `title`; `value`, the id of the visible pane; `children`, the \
      elements of the visible pane
      """
    case .disclosure:
      "`expanded`; `value`, which is `on` if it is expanded, and otherwise `off`; `children` while it is expanded"
    case .document: "`children`: `heading` with `level`, `text`, `divider`"
    case .banner: "`role`, which is `information`, `success`, `warning` or `problem`; `detail`; `children`, its buttons"
    case .empty: "the text of an empty screen or list: `symbol`, `detail`, `children`, its button"
    case .log: "`lines`, the newest last; `value` is the total if there are more"
    case .image:
      """
      `image`: `type`, `width`, `height` in pixels, `base64`; `label` describes it; `role` `decorative` needs \
      no description
      """
    case .chart:
      """
      `chart`: `style` (`line`, `bar`, `area` or `pie`); `title` of the axis; `labels` on the axis; `positions`? in \
      the axis's units; `series`, each with `name` and `values` (a number or null for each label)
      """
    case .drawing:
      """
      `paths` in a unit square: `d` as SVG 2 path data with `M`, `L`, `Q`, `C` and `Z`, `stroke`?, `fill`? \
      and `width`?; `label` describes it
      """
    case .alert:
      """
      `detail`, its message; `children`, its buttons; `role` `confirmation`. While an alert is open, the user \
      can only press its buttons
      """
    }
  }
}
