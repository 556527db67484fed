import GangwayProtocol

/// What undoes that of which the person was told, as long as it can be undone: what it is made of lives as long as this host.
@MainActor final class UndoableNotices {
  /// One of them.
  struct Item {
    let id: NoticeID
    let plugin: String?
    let undo: @MainActor () async throws -> Void
  }

  private var items: [Item] = []

  /// Keeps what undoes something, and forgets what no front end shows any more.
  func add(_ item: Item) {
    items.append(item)
    items.removeFirst(max(0, items.count - NoticeList.limit))
  }

  /// Gives out what undoes something, once; nil where it was given out, or is kept no more.
  func take(_ id: NoticeID) -> Item? { items.firstIndex { $0.id == id }.map { items.remove(at: $0) } }
}

extension Navigation {
  /// Tells the person of something that was done and, where it can be, how it is undone.
  func tell(_ text: String, from node: Node, undo: (@MainActor () async throws -> Void)?) {
    var notice = Update.Notice(.information, text, plugin: node.plugin)
    if let undo {
      let id = table.takeNumber(for: node)
      hooks.undoableNotices.add(.init(id: id, plugin: node.plugin, undo: undo))
      notice.undo = id
    }
    hooks.report(notice)
  }
}
