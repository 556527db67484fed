@_spi(FrontEnd) import GangwayProtocol

/// The undo actions of notifications, while the undo is possible.
///
/// They live only as long as this host.
@MainActor final class UndoableNotices {
  /// One undo action.
  struct Item {
    let id: NoticeID
    let plugin: PluginID?
    let undo: @MainActor () async throws -> Void
  }

  private var items: [Item] = []

  /// Keeps an undo action, and forgets those whose notification no front end shows any more.
  func add(_ item: Item) {
    items.append(item)
    items.removeFirst(max(0, items.count - NoticeList.limit))
  }

  /// Returns an undo action once; nil if it was taken already or is forgotten.
  func take(_ id: NoticeID) -> Item? { items.firstIndex { $0.id == id }.map { items.remove(at: $0) } }
}

extension Navigation {
  /// Shows the user a notification with an optional undo action.
  func tell(_ text: String, from node: Node, undo: (@MainActor () async throws -> Void)?) {
    var notice = Update.Notice(.information, text, plugin: node.plugin)
    if let undo {
      let id = NoticeID(rawValue: table.takeNumber(for: node).rawValue)
      hooks.undoableNotices.add(.init(id: id, plugin: node.plugin, undo: undo))
      notice.undo = id
    }
    hooks.report(notice)
  }

  /// Offers the user a file to save.
  func offer(_ file: HandedFile, from node: Node) {
    var notice = Update.Notice(.information, "'\(file.name)' is ready.", plugin: node.plugin)
    notice.file = file
    hooks.report(notice)
  }
}
