import GangwayProtocol

/// What stands in the lists that cover the app.
extension TerminalView {
  /// What is listed, as far as it matches what was typed, the best first.
  func items(of list: ListOverlay) -> [ListedItem] {
    let all: [ListedItem] =
      switch list.kind {
      case .palette: paletteItems
      case .help: Self.help
      case .messages: messageItems
      }
    guard !list.query.isEmpty else { return all }
    let scored = all.enumerated().compactMap { place, item -> (item: ListedItem, score: Int, place: Int)? in
      let own = FuzzyMatch.score(list.query, in: item.title)
      let other = FuzzyMatch.score(list.query, in: item.detail + " " + item.title).map { $0 / 2 }
      return [own, other].compactMap(\.self).max().map { (item, $0, place) }
    }
    // Keys and messages keep their order: one reads them.
    let found =
      list.kind == .palette
      ? scored.sorted { ($1.score, $0.place) < ($0.score, $1.place) } : scored
    return found.map(\.item) + typedLink(list)
  }

  /// A link that a person types is followed as it stands.
  private func typedLink(_ list: ListOverlay) -> [ListedItem] {
    guard list.kind == .palette, list.query.contains("://") else { return [] }
    return [.init(title: list.query, detail: "open", action: .outcome(.send(.open(list.query))))]
  }

  private var paletteItems: [ListedItem] {
    let presentation = self.presentation
    let node = presentation.top?.node ?? 0
    let here = presentation.reachable.compactMap { element -> ListedItem? in
      guard element.isEnabled, !element.label.isEmpty else { return nil }
      switch element.kind {
      case .button, .link, .toggle, .disclosure: break
      case .row where element.role == .button: break
      default: return nil
      }
      let what = element.kind == .row || element.kind == .link ? "here" : "command"
      let keys = element.shortcut.map { Shortcut.words($0) + "  " } ?? ""
      return .init(title: element.label, detail: keys + what, action: .press(node, element.id))
    }
    let tabs = presentation.tabBars.flatMap { bar in
      bar.map { tab in
        ListedItem(title: tab.title, detail: "tab", action: .outcome(.send(.tab(tab.node))))
      }
    }
    // One with a parameter is for the person to fill in.
    let links = state.links.map { link in
      let start = link.firstRange(of: "/:").map { String(link[..<$0.lowerBound]) + "/" }
      return ListedItem(
        title: link.firstRange(of: "://").map { String(link[$0.upperBound...]) } ?? link, detail: "link",
        action: start.map { .query($0) } ?? .outcome(.send(.open(String(link.prefix { $0 != "?" })))))
    }
    // Nothing but its answer can be given while an alert is open.
    if presentation.alert != nil { return here + Self.commands }
    return tabs + here + links + Self.commands
  }

  /// What the front end itself can do.
  private static let commands: [ListedItem] = [
    .init(title: "Back", detail: "Esc", action: .outcome(.send(.back))),
    .init(title: "Undo the last step", detail: "u", action: .outcome(.send(.undo))),
    .init(title: "Redo", detail: "U", action: .outcome(.send(.redo))),
    .init(title: "Filter the rows of this screen", detail: "/", action: .key(.alt("/"))),
    .init(title: "Copy", detail: "y", action: .key(.alt("y"))),
    .init(title: "Messages", detail: "m", action: .key(.alt("m"))),
    .init(title: "The last report", detail: "!", action: .key(.alt("!"))),
    .init(title: "Keys", detail: "?", action: .key(.alt("?"))),
    .init(title: "Reload this feature", detail: "R", action: .key(.alt("R"))),
    .init(title: "Restart all features", detail: "r", action: .key(.alt("r"))),
    .init(title: "Quit", detail: "q", action: .key(.alt("q"))),
  ]

  /// The messages, the newest first.
  private var messageItems: [ListedItem] {
    state.told.notices.reversed().map { notice in
      .init(
        title: notice.text, detail: notice.undo == nil ? "" : "undo",
        color: notice.kind == .failure ? .red : notice.kind == .refusal ? .yellow : .standard,
        action: notice.undo.map { .undo($0) })
    }
  }

  /// The keys: what is chosen is done.
  static let help: [ListedItem] =
    [
      ("Tab, ↓ / Shift-Tab, ↑", "next / previous"), ("Enter", "press"), ("Space", "turn a toggle over, select a row"),
      ("← →", "options, cells, buttons, columns"), ("F6", "next column"), ("PgUp, PgDn, Home, End, wheel", "scroll"),
    ].map { .init(title: $0.0, detail: $0.1) } + [
      key("Esc", "back, dismiss, cancel", .escape), key("Ctrl-P", "go anywhere, do anything", .control("p")),
      key("/", "filter the rows of this screen", .alt("/")),
    ]
    + [
      ("1-9", "tabs"), ("[ ]", "the tab before, the next"), ("{ }", "the same of the outer bar"),
    ].map { .init(title: $0.0, detail: $0.1) } + [
      key("u", "undo a step", .alt("u")), key("U", "do it again", .alt("U")), key("y", "copy", .alt("y")),
      key("m", "messages", .alt("m")), key("z", "undo what the message tells of", .alt("z")),
      key("!", "the last report", .alt("!")), key("R", "reload this feature", .alt("R")),
      key("r", "restart all features", .alt("r")), key("q", "quit (Ctrl-C anywhere)", .alt("q")),
    ]
    + [
      ("Alt and a key", "what the key does, in a text field, too"),
      ("Ctrl-A, Ctrl-E", "the line's start, its end (Home, End)"), ("Ctrl-W, Alt-D", "delete the word before, after"),
      ("Ctrl-U, Ctrl-K", "delete up to the line's start, its end"), ("Ctrl or Alt with ← →", "by words"),
      ("Shift with ← →, Alt-A", "select, select all"), ("Alt-C", "copy from a text field"),
      ("Ctrl-_, Alt-_", "undo and redo what was typed"),
    ].map { .init(title: $0.0, detail: $0.1) }

  private static func key(_ name: String, _ what: String, _ key: Key) -> ListedItem {
    .init(title: name, detail: what, action: .key(key))
  }
}
