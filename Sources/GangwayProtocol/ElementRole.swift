extension Element {
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
