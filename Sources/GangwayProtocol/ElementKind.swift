/// The words for what an element is, and what it does.
extension Element {
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
}

extension Element.Kind {
  /// Whether a person sets what it holds.
  public var isInput: Bool { [.field, .toggle, .picker, .date, .number].contains(self) }

  /// Whether its text is edited.
  public var isEdited: Bool { [.field, .date, .number].contains(self) }
}
