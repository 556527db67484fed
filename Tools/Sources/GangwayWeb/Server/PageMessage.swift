@_spi(FrontEnd) import GangwayProtocol

/// The messages between a page and its server, as JSON in WebSocket messages (RFC 6455).
enum PageMessage {
  /// A message from a page to the server.
  struct FromPage: Decodable {
    /// The number of the message, from 1.
    var number: Int
    /// The event, as a ``Press``.
    var press: String
    /// The text of an edit.
    var text: String?
    /// The revision of the presentation on the page.
    var revision: Revision?

    private enum CodingKeys: String, CodingKey { case number = "n", press = "do", text, revision = "r" }
  }

  /// A message from the server to a page.
  struct ToPage: Encodable {
    /// The number of the answered message; absent if the message answers none.
    var answered: Int?
    /// Whether the answered event was not performed; the page sends only typed text again.
    var isLost: Bool?
    /// Whether the newest changes are not stored. The page then keeps typed text, and sends it again after a restart
    /// of the server.
    var isUnstored: Bool?
    /// The current revision of the presentation.
    var revision: Revision
    /// The title of the page.
    var title: String
    /// The user's current address, as a path of this server.
    var address: String
    /// The node of the front screen.
    var top: Int
    /// Whether the user can go back.
    var canGoBack: Bool
    /// Whether the browser asks the user before the page is closed; absent if not.
    var asks: Bool?
    /// The changes of the page, each with the ID of an element.
    var changes: [Change]
    /// The transition to the current screen.
    var transition: Update.Transition?
    /// The ID of the control that gets the focus; absent if the focus stays.
    var focus: String?
    /// The messages for the user, as HTML.
    var notices: [String]?

    private enum CodingKeys: String, CodingKey {
      case answered = "a", isLost = "lost", isUnstored = "unstored", revision = "r", title, address = "url", top,
        canGoBack = "back", asks
      case changes = "c", transition = "t", focus, notices = "say"
    }
  }

  /// A change in its JSON form.
  ///
  /// - `html`: the new HTML of the element.
  /// - `order` and `new`: the IDs of the children, and the HTML of the new children.
  /// - `drop` and `add`: the number of children to remove from the front, and the HTML to append.
  struct Change: Encodable {
    let change: PageChanges.Change

    private enum CodingKeys: String, CodingKey { case id, html, order, new, drop, add }

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: CodingKeys.self)
      switch change {
      case .replace(let id, let html):
        try fields.encode(id, forKey: .id)
        try fields.encode(html.text, forKey: .html)
      case .arrange(let id, let order, let new):
        try fields.encode(id, forKey: .id)
        try fields.encode(order, forKey: .order)
        try fields.encode(new.mapValues(\.text), forKey: .new)
      case .append(let id, let count, let html):
        try fields.encode(id, forKey: .id)
        try fields.encode(count, forKey: .drop)
        try fields.encode(html.text, forKey: .add)
      }
    }
  }
}
