@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// A session that pages show: it sends changes to the pages, and the user's events to the session.
@MainActor final class WebSession {
  let id: SessionID
  /// The user who owns the session.
  let person: People.Person
  private let connection: any SessionConnection
  private let limits: WebLimits
  private var pages: [ObjectIdentifier: LivePage] = [:] {
    didSet { if pages.count != oldValue.count { didChangePages(pages.count - oldValue.count) } }
  }
  /// The time since which no page follows the session and no request asks for it; nil while it is in use.
  private(set) var left: ContinuousClock.Instant? = .now
  /// The number of requests for the session that are being answered.
  private var requests = 0
  /// Messages for the next requested page, which arrived while no page followed.
  private var untold: [Update.Notice] = []
  /// The facts for pages. The scheme is the session's own once it has shown a URL.
  private var setting: PageSetting
  /// Whether the owner may act now; each call counts towards the rate limit.
  var mayAct: () -> Bool = { true }
  /// Called with the time that the answer to an event took.
  var didAnswer: (Duration) -> Void = { _ in }
  /// Called before each event, so that the session is stored from the first event on.
  var keep: () throws -> Void = {}
  /// Called with an error that the operator can act on.
  var didFail: (any Error) -> Void = { _ in }
  /// Called with the change in the number of pages.
  var didChangePages: (Int) -> Void = { _ in }

  init(
    _ id: SessionID, of person: People.Person, _ connection: any SessionConnection, notices: [Update.Notice],
    _ setting: PageSetting, limits: WebLimits
  ) {
    (self.id, self.person, self.connection, self.limits, self.setting) = (id, person, connection, limits, setting)
    untold = notices
    noteScheme()
    connection.onUpdate = { [weak self] update in self?.show(update) }
  }

  /// The files that features offered last, by the end of their address.
  private var offered: [(name: String, file: HandedFile)] = []
  private var offerCount = 0
  /// The most offered files that are kept.
  private static let maximumOffered = 20
  /// The page whose user pressed something last. It saves a file that a feature offers.
  private weak var lastPresser: (any LivePage)?
  /// Whether the user has pressed anything.
  private var hasPresses = false

  /// The current presentation.
  var presentation: Presentation { connection.presentation }
  /// Returns the navigation tree.
  func tree() async throws -> TreeNode { try await connection.tree() }
  /// Returns the history of the session, one line per step.
  func history() async throws -> [String] { try await connection.history() }
  /// Whether the newest changes are not stored.
  var isUnstored: Bool { connection.isUnstored }
  /// The number of pages that follow the session.
  var pageCount: Int { pages.count }

  // MARK: Addresses

  /// The address of the session's pages.
  var base: String { "/~\(id)/" }

  /// The address of the current screen.
  var address: String { base + (presentation.url.flatMap(PageAddress.path) ?? "") }

  private func noteScheme() {
    // The start page of the app's web address has that address as its URL.
    guard let url = presentation.url, !ScreenRenderer.isOutside(url), let end = url.firstRange(of: "://")
    else { return }
    setting.scheme = String(url[..<end.lowerBound])
  }

  /// Opens an address of the session, unless the session is already there.
  ///
  /// - Parameters:
  ///   - rest: the part of the address after ``base``, with its query.
  ///   - isFirst: whether the session begins there. Such a session is not stored yet, because a link of any site can
  ///     begin one.
  func go(to rest: String, isFirst: Bool = false) async {
    guard !rest.isEmpty, presentation.url.flatMap(PageAddress.path) != rest else { return }
    await perform([.open("\(setting.scheme)://\(rest)")], isFirst: isFirst)
  }

  // MARK: Without scripts

  /// Marks the session as used by a request, so that it is not parked before ``endRequest()``.
  func beginRequest() {
    requests += 1
    left = nil
  }

  /// Ends the request of ``beginRequest()``.
  func endRequest() {
    requests -= 1
    if requests == 0, pages.isEmpty { left = .now }
  }

  /// Performs actions one after the other, and keeps their messages for the next page.
  func perform(_ actions: [Event.Action], isFirst: Bool = false) async {
    for action in actions {
      let start = ContinuousClock.now
      do {
        if !isFirst { try keep() }
        let update = try await connection.send(action)
        didAnswer(.now - start)
        untold += update.notices.filter { !$0.text.isEmpty }
        flush(update, to: nil, answering: nil)
      } catch {
        untold.append(notDone(error))
      }
    }
  }

  /// Reports an error to the operator, and returns the message for the user.
  ///
  /// The full error is not for the user, because it may name files of the server.
  private func notDone(_ error: any Error) -> Update.Notice {
    didFail(error)
    return Update.Notice(.failure, Words.Connection.notDone, detail: "\(error)")
  }

  /// Returns the current page.
  func page(_ frame: PageRenderer.Frame) -> HTML {
    defer { untold = [] }
    return PageRenderer(presentation: presentation, setting: setting).page(frame, notices: untold.map { html($0) })
  }

  // MARK: Files

  /// Gives a file that has arrived to the session; returns false if the session has not taken it.
  func take(_ file: HandedFile, for target: Event.ElementReference) async -> Bool {
    let start = ContinuousClock.now
    hasPresses = true
    // The request does not say which page it is from.
    lastPresser = pages.count == 1 ? pages.values.first : nil
    do {
      try keep()
      let update = try await connection.send(.file(target, file))
      didAnswer(.now - start)
      show(update)
      return update.event != nil
    } catch {
      didFail(error)
      return false
    }
  }

  /// Returns an offered file by the end of its address; nil if there is none.
  func offeredFile(_ name: String) -> HandedFile? { offered.first { $0.name == name }?.file }

  /// Returns the address of an offered file.
  func address(of file: HandedFile) -> String {
    let known = offered.first { $0.file == file }?.name
    if known == nil {
      offerCount += 1
      offered = (offered + [("\(offerCount)", file)]).suffix(Self.maximumOffered)
    }
    return "\(base)_file/\(known ?? "\(offerCount)")"
  }

  private func html(_ notice: Update.Notice, for page: (any LivePage)? = nil) -> HTML {
    let isSaved = page != nil && page === lastPresser
    return PageRenderer.notice(
      notice, setting.words, file: notice.file.map { .init(name: $0.name, address: address(of: $0), isSaved: isSaved) })
  }

  // MARK: Pages that follow

  /// Begins to send changes to a page.
  ///
  /// - Parameter revision: the revision that the page shows. If it is outdated, the page gets the whole presentation.
  func attach(_ page: LivePage, showing revision: Revision) {
    pages[ObjectIdentifier(page)] = page
    left = nil
    // A page that has reconnected is another one here.
    if hasPresses, lastPresser == nil, pages.count == 1 { lastPresser = page }
    page.shown = revision == presentation.revision ? presentation : nil
    flush(nil, to: page, answering: nil, isFirst: true)
  }

  /// Stops sending changes to a page.
  func detach(_ page: LivePage) {
    guard pages.removeValue(forKey: ObjectIdentifier(page)) != nil else { return }
    if pages.isEmpty, requests == 0 { left = .now }
  }

  /// Sends a message to all pages.
  func tell(_ notice: Update.Notice) {
    for page in pages.values { send(to: page, answering: nil, isLost: false, notices: [notice]) }
  }

  /// Closes the connections of all pages; the pages reconnect.
  func closePages() {
    for page in pages.values { page.close() }
    pages = [:]
    left = .now
  }

  /// Performs the event of a page's message, or refuses the page.
  func take(_ message: PageMessage.FromPage, from page: LivePage) {
    guard mayAct() else {
      return page.refuse(Words.Connection.tooFast(limit: limits.eventsPerSecond))
    }
    guard page.waiting < limits.waiting else { return page.refuse(Words.Connection.tooMuch) }
    guard let action = Press.action(message.press, content: message.text) else {
      return page.refuse(Words.Connection.notAMessage(String(message.press.prefix(80))))
    }
    if action.isPress { (lastPresser, hasPresses) = (page, true) }
    page.waiting += 1
    let start = ContinuousClock.now
    Task {
      defer { page.waiting -= 1 }
      do {
        try keep()
        let update = try await connection.send(action)
        flush(update, to: page, answering: message.number)
        didAnswer(.now - start)
      } catch {
        page.shown = nil
        send(to: page, answering: message.number, isLost: true, notices: [notDone(error)])
      }
    }
  }

  /// Sends an update that no page's event caused.
  private func show(_ update: Update) {
    noteScheme()
    if pages.isEmpty {
      untold += update.notices.filter { !$0.text.isEmpty }
      if untold.count > 20 { untold.removeFirst(untold.count - 20) }
    }
    flush(update, to: nil, answering: nil)
  }

  /// Sends the current presentation to the pages.
  ///
  /// - Parameters:
  ///   - sender: the page whose event the update answers.
  ///   - number: the number of the event.
  ///   - isFirst: whether only the sender gets the presentation, together with the waiting messages.
  private func flush(_ update: Update?, to sender: LivePage?, answering number: Int?, isFirst: Bool = false) {
    noteScheme()
    let notices = update?.notices.filter { !$0.text.isEmpty } ?? []
    for page in isFirst ? sender.map({ [$0] }) ?? [] : Array(pages.values) {
      let isSender = page === sender
      let first = isFirst ? untold : []
      if isFirst { untold = [] }
      send(
        to: page, answering: isSender ? number : nil, isLost: isSender && number != nil && update?.event == nil,
        moves: .init(transition: update?.transition, focus: isSender || sender == nil ? update?.focus : nil),
        notices: notices + first, isForced: isFirst)
    }
  }

  private func send(
    to page: LivePage, answering number: Int?, isLost: Bool, moves: PageMoves = .init(),
    notices: [Update.Notice], isForced: Bool = false
  ) {
    // A page that does not read gets one message later: its last answer, the newest screen, and the last 20 notices.
    guard page.isWritable else {
      var missed = page.missed ?? .init()
      if number != nil { (missed.answered, missed.isLost) = (number, isLost) }
      missed.notices = (missed.notices + notices).suffix(20)
      page.missed = missed
      return
    }
    let now = presentation
    let changes: [PageChanges.Change]
    if let shown = page.shown {
      let isSame = shown.revision == now.revision && shown == now
      changes = isSame ? [] : PageChanges(from: shown, to: now, setting).changes
    } else {
      changes = PageChanges.whole(now, setting)
    }
    let isElsewhere =
      page.address != address || page.shown?.canGoBack != now.canGoBack
      || page.shown?.asksBeforeLeaving != now.asksBeforeLeaving
    let isNews = isElsewhere || page.isUnstored != isUnstored
    page.shown = now
    (page.address, page.isUnstored) = (address, isUnstored)
    guard number != nil || !changes.isEmpty || !notices.isEmpty || moves.focus != nil || isForced || isNews else {
      return
    }
    page.send(
      PageMessage.ToPage(
        answered: number, isLost: isLost ? true : nil, isUnstored: isUnstored ? true : nil,
        revision: now.revision,
        title: PageRenderer(presentation: now).title(page.application), address: address,
        top: now.top?.node.rawValue ?? 0,
        canGoBack: now.canGoBack, asks: now.asksBeforeLeaving, changes: changes.map(PageMessage.Change.init),
        transition: moves.transition, focus: moves.focus.map { ScreenRenderer(node: $0.node).control($0.element) },
        notices: notices.isEmpty ? nil : notices.map { html($0, for: page).text }))
  }

  /// Sends a page the updates that it missed.
  func catchUp(_ page: LivePage) {
    guard let missed = page.missed, page.isWritable else { return }
    page.missed = nil
    send(to: page, answering: missed.answered, isLost: missed.isLost, notices: missed.notices)
  }
}

extension Event.Action {
  /// Whether the user asks for something, and does not only type or look around.
  fileprivate var isPress: Bool {
    switch self {
    case .tap, .cell, .submit, .undoNotice: true
    default: false
    }
  }
}

/// The movements of an update, which a page that missed it does not need any more.
struct PageMoves {
  var transition: Update.Transition?
  /// The element that the feature moves the focus to.
  var focus: Event.ElementReference?
}

/// The part of missed updates that the presentation does not contain.
struct MissedUpdate {
  /// The number of the last answered event.
  var answered: Int?
  var isLost = false
  var notices: [Update.Notice] = []
}

/// A page that follows a session.
@MainActor protocol LivePage: AnyObject {
  /// The presentation that the page last got; nil if it needs the whole presentation.
  var shown: Presentation? { get set }
  /// The address that the page last got.
  var address: String { get set }
  /// Whether the page was last told that the newest changes are not stored.
  var isUnstored: Bool { get set }
  /// The number of the page's events that wait or are being handled.
  var waiting: Int { get set }
  /// Whether the connection accepts more data.
  var isWritable: Bool { get }
  /// The missed updates while the connection accepted no data; nil if there are none.
  var missed: MissedUpdate? { get set }
  var application: String { get }
  func send(_ message: PageMessage.ToPage)
  /// Closes the connection because of a message that no page sends.
  func refuse(_ reason: String)
  /// Closes the connection; the page reconnects.
  func close()
}
