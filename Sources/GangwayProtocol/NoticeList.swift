/// The notices of a session, for a front end that shows them again on demand.
@_spi(FrontEnd) public struct NoticeList: Hashable, Sendable {
  /// The most notices. When more arrive, the oldest ones go.
  package static let limit = 50

  /// The notices, the newest last.
  public private(set) var notices: [Update.Notice] = []

  /// Makes an empty list.
  public init() {}

  /// Adds new notices.
  public mutating func add(_ told: [Update.Notice]) {
    for notice in told {
      if notice.endsUndo == true { for index in notices.indices { notices[index].undo = nil } }
      notices.append(notice)
    }
    notices.removeFirst(max(0, notices.count - Self.limit))
  }

  /// Returns the newest notice with a text that can be undone.
  ///
  /// - Parameter text: the text of the notice.
  package func undoable(_ text: String) -> Update.Notice? {
    notices.last { $0.undo != nil && $0.text == text }
  }

  /// Records that a notice is being undone, which is possible only once.
  public mutating func noteUndone(_ id: NoticeID) {
    for index in notices.indices where notices[index].undo == id { notices[index].undo = nil }
  }
}
