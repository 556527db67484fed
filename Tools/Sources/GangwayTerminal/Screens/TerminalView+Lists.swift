@_spi(FrontEnd) import GangwayProtocol

/// The items of the lists over the app.
extension TerminalView {
  /// Returns the items that match the query, best match first.
  func items(of list: ListOverlay) -> [ListedItem] {
    if case .files(let choice) = list.kind { return choice.items(matching: list.query) }
    let all: [ListedItem] =
      switch list.kind {
      case .palette: paletteItems
      case .help: helpItems
      case .messages: messageItems
      case .files: []
      }
    guard !list.query.isEmpty else { return all }
    let scored = all.enumerated().compactMap { place, item -> (item: ListedItem, score: Int, place: Int)? in
      let own = FuzzyMatch.score(list.query, in: item.title)
      let other = FuzzyMatch.score(list.query, in: item.detail + " " + item.title).map { $0 / 2 }
      return [own, other].compactMap(\.self).max().map { (item, $0, place) }
    }
    // Keys and messages keep their order, because users read them in order.
    let found =
      list.kind == .palette
      ? scored.sorted { ($1.score, $0.place) < ($0.score, $1.place) } : scored
    return found.map(\.item) + typedLink(list)
  }

  /// Returns an item that opens a link which the user typed.
  private func typedLink(_ list: ListOverlay) -> [ListedItem] {
    guard list.kind == .palette, list.query.contains("://") else { return [] }
    return [.init(title: list.query, detail: Words.List.open, action: .outcome(.send(.open(list.query))))]
  }

  /// Returns what can be pressed in a pane. The title of a row's action begins with the title of the row.
  private func pressable(_ elements: [Element], in node: NodeID) -> [ListedItem] {
    var rows: [ElementID: String] = [:]
    for row in elements where row.commands != nil {
      for action in (row.commands?.children ?? []).flattened { rows[action.id] = row.label }
    }
    return elements.compactMap { element in
      guard element.isEnabled, !element.label.isEmpty else { return nil }
      switch element.kind {
      case .button, .link, .file, .toggle, .disclosure: break
      case .row where element.role == .button: break
      default: return nil
      }
      let what = element.kind == .row || element.kind == .link ? Words.List.here : Words.List.command
      let keys = element.shortcut.map { Shortcut($0).name + "  " } ?? ""
      let title = rows[element.id].map { Words.List.action(element.label, of: $0) } ?? element.label
      return .init(title: title, detail: keys + what, action: .press(node, element.id))
    }
  }

  private var paletteItems: [ListedItem] {
    let presentation = self.presentation
    let node = presentation.top?.node ?? 0
    // The other panes in sight come after the one with the keyboard.
    let others = panes.filter { $0.node != node && presentation.alert == nil }
    let here =
      pressable(presentation.reachable, in: node) + others.flatMap { pressable($0.elements.flattened, in: $0.node) }
    let reachable = presentation.reachable + others.flatMap(\.elements.flattened)
    let inText = reachable.flatMap { element in
      (element.runs ?? []).compactMap { run in
        run.url.map { url in
          ListedItem(
            title: run.text, detail: TextLink.isOutside(url) ? Words.List.copyLink : Words.List.linkHere,
            action: .outcome(TextLink.outcome(url)))
        }
      }
    }
    let tabs = presentation.tabBars.flatMap { bar in
      bar.map { tab in
        ListedItem(title: tab.title, detail: Words.List.tab, action: .outcome(.send(.tab(tab.node))))
      }
    }
    // A link with a parameter is left for the user to complete.
    let links = state.links.map { link in
      let start = link.firstRange(of: "/:").map { String(link[..<$0.lowerBound]) + "/" }
      return ListedItem(
        title: link.firstRange(of: "://").map { String(link[$0.upperBound...]) } ?? link, detail: Words.List.link,
        action: start.map { .query($0) } ?? .outcome(.send(.open(String(link.prefix { $0 != "?" })))))
    }
    // An open alert must be answered first.
    if presentation.alert != nil { return here + commandItems }
    let recent = recentItems
    let otherTabs = tabs.filter { tab in !recent.contains { $0.action == tab.action } }
    return recent + otherTabs + here + inText + links + commandItems
  }

  /// Recently visited places, newest first, without the current one.
  private var recentItems: [ListedItem] {
    let tabs = presentation.tabBars.flatMap(\.self)
    return state.recent.compactMap { place in
      switch place {
      case .tab(let node):
        guard let tab = tabs.first(where: { $0.node == node }), !tab.isSelected else { return nil }
        return .init(title: tab.title, detail: Words.List.recentTab, action: .outcome(.send(.tab(node))))
      case .link(let url):
        return .init(
          title: url.firstRange(of: "://").map { String(url[$0.upperBound...]) } ?? url, detail: Words.List.recentLink,
          action: .outcome(.send(.open(url))))
      }
    }
  }

  /// The front end's own commands, with their keys.
  private var commandItems: [ListedItem] {
    let listed: [(String, Command)] = [
      (Words.CommandName.back, .back), (Words.CommandName.undo, .undo), (Words.CommandName.redo, .redo),
      (Words.CommandName.filter, .filter), (Words.CommandName.copy, .copy), (Words.CommandName.messages, .messages),
      (Words.CommandName.report, .report), (Words.CommandName.help, .help), (Words.CommandName.reload, .reload),
      (Words.CommandName.restart, .restart), (Words.CommandName.quit, .quit),
    ]
    return listed.map { title, command in
      .init(title: title, detail: state.keys.name(of: command) ?? "", action: .command(command))
    }
  }

  /// The messages, newest first.
  private var messageItems: [ListedItem] {
    state.told.notices.reversed().map { notice in
      let report = notice.report
      return .init(
        title: notice.text,
        detail: report != nil
          ? Words.List.report : notice.file != nil ? Words.List.save : notice.undo == nil ? "" : Words.List.undo,
        color: notice.kind == .failure ? .red : notice.kind == .refusal ? .yellow : .standard,
        action: report.map { .outcome(.showReport($0)) } ?? notice.file.map { .outcome(.saveFile($0)) }
          ?? notice.undo.map { .undo($0) }
          ?? .read(notice.detail.map { "\(notice.text)\n\($0)" } ?? notice.text))
    }
  }

  /// The keys; choosing an item performs its command.
  var helpItems: [ListedItem] {
    // Commands that have only a fixed key are already in `Words.Help.first`.
    let commands = Command.allCases.compactMap { command -> ListedItem? in
      var names = state.keys.keys(of: command).map(KeyBindings.name)
      if command == .back { names.insert(Words.KeyName.escape, at: 0) }
      return names.isEmpty
        ? nil : .init(title: names.joined(separator: ", "), detail: command.summary, action: .command(command))
    }
    let node = presentation.top?.node ?? 0
    let own = screenKeys.map { key in
      ListedItem(title: key.shortcut.name, detail: key.element.label, action: .press(node, key.element.id))
    }
    return own + Words.Help.first.map { .init(title: $0.0, detail: $0.1) } + commands
      + Words.Help.last.map { .init(title: $0.0, detail: $0.1) }
  }
}
