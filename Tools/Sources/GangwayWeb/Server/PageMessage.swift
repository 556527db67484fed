import GangwayProtocol

/// What a page and its server say to each other, as JSON in messages of a WebSocket (RFC 6455).
enum PageMessage {
  /// What a page says.
  struct FromPage: Decodable {
    /// Numbers what the page sends, from 1.
    var number: Int
    /// What was done: a ``Press``.
    var press: String
    /// The text of an edit.
    var text: String?
    /// The presentation that the page shows.
    var revision: Int?

    private enum CodingKeys: String, CodingKey { case number = "n", press = "do", text, revision = "r" }
  }

  /// What a server says.
  struct ToPage: Encodable {
    /// The number of what it answers; absent for what came by itself.
    var answered: Int?
    /// Whether that was not done: what was typed is sent again, nothing else.
    var isLost: Bool?
    /// The presentation's number now.
    var revision: Int
    /// The title of the page.
    var title: String
    /// Where the person is, as a path of this server.
    var address: String
    /// The node of the screen in front.
    var top: Int
    /// Whether the way back leads anywhere.
    var canGoBack: Bool
    /// Whether the person is asked before the page is closed; absent where not.
    var asks: Bool?
    /// What changed on the page: an id and its HTML; an id, the ids in it, and the HTML of those that are new; or an id, how
    /// many go from the first on, and the HTML of what comes behind the rest.
    var changes: [Change]
    /// How the screen came to be another one.
    var transition: Update.Transition?
    /// Messages for the person.
    var notices: [String]?

    private enum CodingKeys: String, CodingKey {
      case answered = "a", isLost = "lost", revision = "r", title, address = "url", top, canGoBack = "back", asks
      case changes = "c", transition = "t", notices = "say"
    }
  }

  /// A change as it is sent.
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
