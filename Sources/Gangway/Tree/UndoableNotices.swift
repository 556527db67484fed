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

/// The copies of files that a session has offered, so that they do not fill the disk.
@MainActor final class OfferedFiles {
  /// The most copies that stay.
  private static let limit = 8
  private var copies: [HandedFile] = []

  /// Keeps an offered file, and removes the oldest copy beyond the limit; a file of the feature always stays.
  func add(_ file: HandedFile) {
    guard let folder = try? HandoverFolder(), folder.contains(file.path) else { return }
    copies.append(file)
    while copies.count > Self.limit { folder.remove(copies.removeFirst().path) }
  }
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
    hooks.offeredFiles.add(file)
    var notice = Update.Notice(.information, "'\(file.name)' is ready.", plugin: node.plugin)
    notice.file = file
    hooks.report(notice)
  }
}
