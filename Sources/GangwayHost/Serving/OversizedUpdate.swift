@_spi(FrontEnd) import GangwayProtocol

/// An update that is too long for a line. Its records go ahead of it, and content that cannot be shown becomes an error
/// text.
struct OversizedUpdate {
  /// The messages to send instead, in order. Each fits in a line.
  let messages: [HostMessage]

  init(_ session: SessionID, _ update: Update) {
    var update = update
    var messages: [HostMessage] = []
    if var change = update.checkpoint {
      let (groups, cut) = Line.groups(change.changed)
      messages = groups.dropLast().map { .records(session: session, $0) }
      change.changed = groups.last ?? []
      update.checkpoint = change
      for (record, length) in cut {
        update.notices.append(
          .init(
            .failure, "'\(record.title ?? "A screen")' is too large to be stored, so it will be lost after a restart.",
            plugin: record.plugin,
            detail:
              "The record of node \(record.id) has \(length) bytes; the maximum is \(Line.maximumLength / 2). Store "
              + "large data in a file of the plugin."))
      }
    }
    if let presentation = update.presentation, !Self.fits(presentation) {
      update.presentation = Self.shortened(presentation)
    }
    // The last group and the presentation each fit in a line, but perhaps not together.
    if let change = update.checkpoint, !Self.fits(HostMessage.update(session: session, update)) {
      messages.append(.records(session: session, change.changed))
      update.checkpoint?.changed = []
    }
    self.messages = messages + [.update(session: session, update)]
  }

  private static func fits(_ message: some Encodable) -> Bool { (try? Line.encode(message)).map(Line.fits) ?? false }

  /// Returns the presentation with the reason in place of the content that is too long.
  private static func shortened(_ presentation: Presentation) -> Presentation {
    var short = presentation
    let reason = Element(
      id: "gangway.oversized", kind: .text, label: "This screen is too large to show.", role: .problem)
    func cut(_ text: String) -> String { text.utf8.count > 1_000 ? String(text.prefix(200)) + "…" : text }
    for index in short.layers.indices {
      short.layers[index].elements = [reason]
      short.layers[index].title = cut(short.layers[index].title)
      short.layers[index].panes = short.layers[index].panes?.map { pane in
        .init(node: pane.node, title: cut(pane.title), elements: [reason])
      }
    }
    short.path = short.path.suffix(1_000).map { .init(node: $0.node, title: cut($0.title)) }
    short.tabBars = short.tabBars.map { bar in
      bar.prefix(1_000).map { tab in
        var tab = tab
        tab.title = cut(tab.title)
        return tab
      }
    }
    return short
  }
}
