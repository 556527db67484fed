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
  /// The most bytes of the copies that stay, apart from the newest one.
  private static let maximumBytes = 256 << 20
  private var copies: [(path: String, bytes: Int)] = []

  /// Keeps an offered file, and removes the oldest copies beyond the limits; a file of the feature always stays.
  ///
  /// As many copies stay as front ends keep messages, because each message can save its file.
  func add(_ file: HandedFile) {
    guard let folder = try? HandoverFolder(), folder.contains(file.path) else { return }
    copies.append((file.path, HandoverFolder.size(of: file.path) ?? 0))
    var bytes = copies.reduce(0) { $0 + $1.bytes }
    while copies.count > NoticeList.limit || bytes > Self.maximumBytes && copies.count > 1 {
      let oldest = copies.removeFirst()
      bytes -= oldest.bytes
      folder.remove(oldest.path)
    }
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
