/// The kinds and roles of elements.
extension Element {
  /// The kind of an element. A front end shows an unknown kind as text.
  public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
    /// The word in messages.
    public let rawValue: String
    /// Makes a kind from the word in messages.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A line or paragraph.
    public static let text = Kind(rawValue: "text")
    /// A title above other elements.
    public static let heading = Kind(rawValue: "heading")
    /// Something to press.
    public static let button = Kind(rawValue: "button")
    /// A link to another screen.
    public static let link = Kind(rawValue: "link")
    /// An editable text.
    public static let field = Kind(rawValue: "field")
    /// Something that is on or off.
    public static let toggle = Kind(rawValue: "toggle")
    /// A choice of one option among several.
    public static let picker = Kind(rawValue: "picker")
    /// Rows.
    public static let list = Kind(rawValue: "list")
    /// One row of a list.
    public static let row = Kind(rawValue: "row")
    /// Elements under a title.
    public static let section = Kind(rawValue: "section")
    /// Rows of values under column titles.
    public static let table = Kind(rawValue: "table")
    /// The progress of a task.
    public static let progress = Kind(rawValue: "progress")
    /// A message that waits for an answer.
    public static let alert = Kind(rawValue: "alert")
    /// Actions for the whole screen.
    public static let toolbar = Kind(rawValue: "toolbar")
    /// A line between elements.
    public static let divider = Kind(rawValue: "divider")
    /// Cells to tap.
    public static let grid = Kind(rawValue: "grid")
    /// A label with its value.
    public static let fact = Kind(rawValue: "fact")
    /// Inputs with a common submit action.
    public static let form = Kind(rawValue: "form")
    /// Actions that appear on demand.
    public static let menu = Kind(rawValue: "menu")
    /// A day, a time of day, or both.
    public static let date = Kind(rawValue: "date")
    /// An editable number, with steps up and down.
    public static let number = Kind(rawValue: "number")
    /// Panes of one screen, one of them visible.
    public static let tabs = Kind(rawValue: "tabs")
    /// Elements that the user shows or hides under a title.
    public static let disclosure = Kind(rawValue: "disclosure")
    /// Text with headings, lists and links.
    public static let document = Kind(rawValue: "document")
    /// A message that stays on the screen.
    public static let banner = Kind(rawValue: "banner")
    /// The text of an empty screen or list.
    public static let empty = Kind(rawValue: "empty")
    /// Lines of text that only grow in number.
    public static let log = Kind(rawValue: "log")
    /// A picture.
    public static let image = Kind(rawValue: "image")
    /// Values as lines, bars, areas or a pie.
    public static let chart = Kind(rawValue: "chart")
    /// Lines and filled shapes.
    public static let drawing = Kind(rawValue: "drawing")
  }

  /// A refinement of the kind, such as the purpose of a button or the input of a field.
  ///
  /// A front end draws a role differently, but needs no role to understand the element.
  public struct Role: RawRepresentable, Codable, Hashable, Sendable {
    /// The word in messages.
    public let rawValue: String
    /// Makes a role from the word in messages.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A button that destroys something.
    public static let destructive = Role(rawValue: "destructive")
    /// A button that cancels. In an alert, `back` and `dismiss` press it.
    public static let cancel = Role(rawValue: "cancel")
    /// A field of several lines.
    public static let multiline = Role(rawValue: "multiline")
    /// A field whose text is hidden and never stored.
    public static let secure = Role(rawValue: "secure")
    /// An alert that asks for a decision.
    public static let confirmation = Role(rawValue: "confirmation")
    /// A failure, shown in the place of the feature.
    public static let problem = Role(rawValue: "problem")
    /// A field for an e-mail address.
    public static let email = Role(rawValue: "email")
    /// A field for digits.
    public static let number = Role(rawValue: "number")
    /// A field for a search text.
    public static let search = Role(rawValue: "search")
    /// A field for a URL.
    public static let url = Role(rawValue: "url")
    /// The button that Enter presses in a form.
    public static let submit = Role(rawValue: "submit")
    /// A button that loads the content again.
    public static let refresh = Role(rawValue: "refresh")
    /// A row that the user can press as a whole.
    public static let button = Role(rawValue: "button")
    /// The menu of a row.
    public static let actions = Role(rawValue: "actions")
    /// A date without a time of day.
    public static let day = Role(rawValue: "day")
    /// A time of day without a date.
    public static let time = Role(rawValue: "time")
    /// A banner with information.
    public static let information = Role(rawValue: "information")
    /// A banner about a success.
    public static let success = Role(rawValue: "success")
    /// A banner with a warning.
    public static let warning = Role(rawValue: "warning")
    /// An image or drawing that adds no information.
    public static let decorative = Role(rawValue: "decorative")
    /// A paragraph of code.
    public static let code = Role(rawValue: "code")
    /// A quoted paragraph.
    public static let quote = Role(rawValue: "quote")
    /// An item of a list in a document. Its `value` comes before it.
    public static let item = Role(rawValue: "item")
  }
}

extension Element.Kind {
  /// Whether the user sets its value.
  public var isInput: Bool { traits?.isSettable == true && self != .tabs }

  /// Whether the user edits its text.
  public var isEdited: Bool { traits?.isEdited == true }

  private var traits: ElementTraits? { Element.KnownKind(rawValue: rawValue)?.traits }
}
