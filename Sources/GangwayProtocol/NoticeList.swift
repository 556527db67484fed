/// What a person was told, for a front end that shows it again on demand.
public struct NoticeList: Hashable, Sendable {
  /// How many are kept: of more the oldest go.
  public static let limit = 50

  /// What was told, the newest last.
  public private(set) var notices: [Update.Notice] = []

  /// Makes an empty list.
  public init() {}

  /// Adds what the person is told now.
  public mutating func add(_ told: [Update.Notice]) {
    notices += told
    notices.removeFirst(max(0, notices.count - Self.limit))
  }

  /// The newest of a text that can be undone.
  ///
  /// - Parameter text: what it says.
  public func undoable(_ text: String) -> Update.Notice? {
    notices.last { $0.undo != nil && $0.text == text }
  }

  /// Takes note that what was told is being undone: that is possible once.
  public mutating func noteUndone(_ id: NoticeID) {
    for index in notices.indices where notices[index].undo == id { notices[index].undo = nil }
  }
}
