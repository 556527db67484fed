/// The kinds and roles of elements.
extension Element {
  /// The kind of an element, for exhaustive switches in front ends.
  ///
  /// A new kind needs a case here and its traits, and the compiler then asks for it in each front end.
  @_spi(FrontEnd) @frozen public enum Kind: String, CaseIterable, Encodable, Decodable, Hashable, Sendable {
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

  /// A refinement of the kind, such as the purpose of a button or the input of a field.
  ///
  /// A front end draws a role differently, but needs no role to understand the element.
  @_spi(FrontEnd) public enum Role: String, Codable, Hashable, Sendable {
    /// A button that destroys something.
    case destructive
    /// A button that cancels. In an alert, `back` and `dismiss` press it.
    case cancel
    /// A field of several lines.
    case multiline
    /// A field whose text is hidden and never stored.
    case secure
    /// An alert that asks for a decision.
    case confirmation
    /// A failure, shown in the place of the feature.
    case problem
    /// A field for an e-mail address.
    case email
    /// A field for digits.
    case number
    /// A field for a search text.
    case search
    /// A field for a URL.
    case url
    /// The button that Enter presses in a form.
    case submit
    /// A button that loads the content again.
    case refresh
    /// A row that the user can press as a whole.
    case button
    /// The menu of a row.
    case actions
    /// A date without a time of day.
    case day
    /// A time of day without a date.
    case time
    /// A banner with information.
    case information
    /// A banner about a success.
    case success
    /// A banner with a warning.
    case warning
    /// An image or drawing that adds no information.
    case decorative
    /// A paragraph of code.
    case code
    /// A quoted paragraph.
    case quote
    /// An item of a list in a document. Its `value` comes before it.
    case item
  }
}

@_spi(FrontEnd) extension Element.Kind {
  /// Whether the user sets its value.
  public var isInput: Bool { traits.isSettable && self != .tabs }

  /// Whether the user edits its text.
  public var isEdited: Bool { traits.isEdited }
}
