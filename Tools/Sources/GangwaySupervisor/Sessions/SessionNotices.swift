@_spi(FrontEnd) import GangwayProtocol

/// The notifications of a session, and those that wait for a front end.
struct SessionNotices {
  /// Whether a front end listens.
  private(set) var hasListener = false
  /// Whether a front end has received the first screen.
  private(set) var hasStarted = false
  /// The notification about the last host that ended unasked; nil if there is none.
  private(set) var lastEnd: String?
  /// The notifications that hosts have shown; they name the plugin that owns an undo action.
  private var shown = NoticeList()
  /// The notifications that arrived before a front end listened.
  private var unheard: [Update.Notice] = []
  /// The notifications to show with the next screen.
  private var forScreen: [Update.Notice] = []
  /// The notification about a host's end, to show once the session is shown again.
  private var aftermath: Update.Notice?

  /// The number of notifications that wait for a front end.
  var count: Int { unheard.count + forScreen.count }

  /// Notes the notifications of a host's update.
  mutating func note(_ notices: [Update.Notice]) { shown.add(notices) }

  /// Whether the user can undo something that a message tells of.
  var offersUndo: Bool { shown.notices.contains { $0.undo != nil } }

  /// Notes that the host which kept the undo actions is gone.
  ///
  /// - Returns: whether there was one.
  mutating func endUndo() -> Bool {
    defer { shown = NoticeList() }
    return offersUndo
  }

  /// Returns the plugin that owns an undo action.
  func plugin(undoing id: NoticeID) -> PluginID? { shown.notices.last { $0.undo == id }?.plugin }

  /// Takes a notification.
  ///
  /// - Parameter isShown: whether a host shows the session.
  /// - Returns: the notification, if a front end can show it now.
  mutating func take(_ notice: Update.Notice, isShown: Bool) -> Update.Notice? {
    if !isShown {
      forScreen.append(notice)
    } else if hasListener {
      return notice
    } else {
      unheard.append(notice)
    }
    return nil
  }

  /// Keeps notifications for the caller that waits for the first screen.
  mutating func keepForScreen(_ notices: [Update.Notice]) { forScreen += notices }

  /// Notes that a front end listens, and returns the notifications that arrived before.
  mutating func listen() -> [Update.Notice] {
    hasListener = true
    defer { unheard = [] }
    return unheard
  }

  /// Notes that a front end has the first screen, and returns the notifications to show with it.
  mutating func start() -> [Update.Notice] {
    hasStarted = true
    return takeForScreen()
  }

  /// Takes the notifications that arrived while no host showed the session.
  mutating func takeForScreen() -> [Update.Notice] {
    defer { forScreen = [] }
    return forScreen
  }

  /// Notes the end of a host.
  ///
  /// Several hosts may end before one shows the session. The user then needs one message, and developers all facts.
  ///
  /// - Parameters:
  ///   - notice: the notification; nil for none.
  ///   - facts: the sentences for developers about a host that ended before it showed the session.
  mutating func hostEnded(_ notice: Update.Notice?, facts: String?) {
    if let notice, notice.kind == .failure { lastEnd = notice.developerText }
    guard let first = aftermath else { return aftermath = notice }
    if let further = notice?.developerText ?? facts { aftermath?.detail = "\(first.developerText) \(further)" }
  }

  /// Takes the notification about a host's end.
  mutating func takeAftermath() -> Update.Notice? {
    defer { aftermath = nil }
    return aftermath
  }
}
