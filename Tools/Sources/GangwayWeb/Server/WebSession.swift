import GangwayClient
import GangwayProtocol

/// A session that is seen on pages: sends them what changed, and the session what a person does on them.
@MainActor final class WebSession {
  /// Its name.
  let id: String
  /// Whose it is.
  let person: People.Person
  private let connection: any SessionConnection
  private let limits: WebLimits
  private var pages: [ObjectIdentifier: LivePage] = [:] {
    didSet { if pages.count != oldValue.count { didChangePages(pages.count - oldValue.count) } }
  }
  /// Since when no page follows it and nobody asks for one; nil while somebody does.
  private(set) var left: ContinuousClock.Instant? = .now
  /// How many requests for it are being answered.
  private var requests = 0
  /// What is to be told on the next page that is asked for: nobody followed when it came.
  private var untold: [Update.Notice] = []
  /// The scheme of the application's addresses, as far as it has been seen.
  private(set) var scheme: String
  /// Whether whoever has it may do something more now.
  var mayAct: () -> Bool = { true }
  /// Called with how long the answer to an event took.
  var didAnswer: (Duration) -> Void = { _ in }
  /// Called before something is done in the session: it is stored from then on.
  var keep: () throws -> Void = {}
  /// Called with an error that the operator can do something about.
  var didFail: (any Error) -> Void = { _ in }
  /// Called with how many pages more there are, or fewer.
  var didChangePages: (Int) -> Void = { _ in }

  init(
    _ id: String, of person: People.Person, _ connection: any SessionConnection, notices: [Update.Notice],
    scheme: String, limits: WebLimits
  ) {
    (self.id, self.person, self.connection, self.limits, self.scheme) = (id, person, connection, limits, scheme)
    untold = notices
    noteScheme()
    connection.onUpdate = { [weak self] update in self?.show(update) }
  }

  /// What the person sees now.
  var presentation: Presentation { connection.presentation }
  /// The navigation tree.
  func tree() async throws -> TreeNode { try await connection.tree() }
  /// What led there, a line each.
  func history() async throws -> [String] { try await connection.history() }
  /// How many pages show it.
  var pageCount: Int { pages.count }

  // MARK: Addresses

  /// The address of the session's pages.
  var base: String { "/~\(id)/" }

  /// The address of where the person is.
  var address: String { base + (presentation.url.flatMap(Self.path) ?? "") }

  /// What of a URL of the app stands in an address of this server; nil where there is nothing of that kind.
  static func path(of url: String) -> String? {
    url.firstRange(of: "://").map { String(url[$0.upperBound...]) }
  }

  private func noteScheme() {
    if let url = presentation.url, let end = url.firstRange(of: "://") { scheme = String(url[..<end.lowerBound]) }
  }

  /// Goes where an address of the session leads, if that is somewhere else.
  ///
  /// - Parameters:
  ///   - rest: the part of the address after ``base``, with its query.
  ///   - isFirst: whether the session begins there. That alone is not worth storing: a link of any site can do it.
  func go(to rest: String, isFirst: Bool = false) async {
    guard !rest.isEmpty, presentation.url.flatMap(Self.path) != rest else { return }
    await perform([.open("\(scheme)://\(rest)")], isFirst: isFirst)
  }

  // MARK: Without scripts

  /// Begins to answer a request: it is not put away before ``endRequest()``.
  func beginRequest() {
    requests += 1
    left = nil
  }

  /// Ends what ``beginRequest()`` began.
  func endRequest() {
    requests -= 1
    if requests == 0, pages.isEmpty { left = .now }
  }

  /// Does several things, one after the other, and keeps what is told of them for the next page.
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

  /// Reports an error to the operator, and returns the message for the user: the error may name files of the server.
  private func notDone(_ error: any Error) -> Update.Notice {
    didFail(error)
    return Update.Notice(.failure, "That could not be done just now. Try again in a moment.", detail: "\(error)")
  }

  /// The page as it is now.
  func page(_ frame: PageRenderer.Frame) -> HTML {
    defer { untold = [] }
    return PageRenderer(presentation: presentation).page(frame, notices: untold)
  }

  // MARK: Pages that follow

  /// Begins to send a page what changes.
  ///
  /// - Parameter revision: the presentation that it was made of; where that is another one by now, it gets all of it.
  func attach(_ page: LivePage, showing revision: Int) {
    pages[ObjectIdentifier(page)] = page
    left = nil
    page.shown = revision == presentation.revision ? presentation : nil
    flush(nil, to: page, answering: nil, isFirst: true)
  }

  /// Sends a page nothing more.
  func detach(_ page: LivePage) {
    guard pages.removeValue(forKey: ObjectIdentifier(page)) != nil else { return }
    if pages.isEmpty, requests == 0 { left = .now }
  }

  /// Tells all pages something.
  func tell(_ notice: Update.Notice) {
    for page in pages.values { send(to: page, answering: nil, isLost: false, notices: [notice]) }
  }

  /// Closes all pages' connections: they come again.
  func closePages() {
    for page in pages.values { page.close() }
    pages = [:]
    left = .now
  }

  /// Takes what a page says.
  func take(_ message: PageMessage.FromPage, from page: LivePage) {
    guard mayAct() else {
      return page.refuse("More than \(limits.eventsPerSecond) events a second came from this person.")
    }
    guard page.waiting < limits.waiting else { return page.refuse("It sends more than can be handled.") }
    guard let action = Press.action(message.press, content: message.text) else {
      return page.refuse("'\(message.press.prefix(80))' is nothing that a page says.")
    }
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

  /// Sends what came by itself.
  private func show(_ update: Update) {
    noteScheme()
    if pages.isEmpty {
      untold += update.notices.filter { !$0.text.isEmpty }
      if untold.count > 20 { untold.removeFirst(untold.count - 20) }
    }
    flush(update, to: nil, answering: nil)
  }

  /// Brings pages up to date.
  ///
  /// - Parameters:
  ///   - sender: the page whose event it answers.
  ///   - number: that event's number.
  private func flush(_ update: Update?, to sender: LivePage?, answering number: Int?, isFirst: Bool = false) {
    noteScheme()
    let notices = update?.notices.filter { !$0.text.isEmpty } ?? []
    for page in isFirst ? sender.map({ [$0] }) ?? [] : Array(pages.values) {
      let isSender = page === sender
      let first = isFirst ? untold : []
      if isFirst { untold = [] }
      send(
        to: page, answering: isSender ? number : nil, isLost: isSender && number != nil && update?.event == nil,
        transition: update?.transition, notices: notices + first, isForced: isFirst)
    }
  }

  private func send(
    to page: LivePage, answering number: Int?, isLost: Bool, transition: Update.Transition? = nil,
    notices: [Update.Notice], isForced: Bool = false
  ) {
    // A reader that does not read is told when it does: the last answer, the newest of the screen, and the last messages.
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
      changes = shown.revision == now.revision && shown == now ? [] : PageChanges(from: shown, to: now).changes
    } else {
      changes = PageChanges.whole(now)
    }
    let isElsewhere =
      page.address != address || page.shown?.canGoBack != now.canGoBack
      || page.shown?.asksBeforeLeaving != now.asksBeforeLeaving
    page.shown = now
    page.address = address
    guard number != nil || !changes.isEmpty || !notices.isEmpty || isForced || isElsewhere else { return }
    page.send(
      PageMessage.ToPage(
        answered: number, isLost: isLost ? true : nil, revision: now.revision,
        title: PageRenderer(presentation: now).title(page.application), address: address, top: now.top?.node ?? 0,
        canGoBack: now.canGoBack, asks: now.asksBeforeLeaving, changes: changes.map(PageMessage.Change.init),
        transition: transition,
        notices: notices.isEmpty ? nil : notices.map { PageRenderer.notice($0).text }))
  }

  /// Sends a page what it has missed.
  func catchUp(_ page: LivePage) {
    guard let missed = page.missed, page.isWritable else { return }
    page.missed = nil
    send(to: page, answering: missed.answered, isLost: missed.isLost, notices: missed.notices)
  }
}

/// What a page was not sent besides what changed on the screen.
struct MissedUpdate {
  /// The number of the last event that was answered.
  var answered: Int?
  var isLost = false
  var notices: [Update.Notice] = []
}

/// A page that follows what happens.
@MainActor protocol LivePage: AnyObject {
  /// What it shows, as far as it was sent; nil where it is to be sent everything.
  var shown: Presentation? { get set }
  /// The address that it was sent last.
  var address: String { get set }
  /// How many of its events are being handled, or wait for that.
  var waiting: Int { get set }
  /// Whether it takes what is sent.
  var isWritable: Bool { get }
  /// What was not sent, for it took nothing; nil where all was.
  var missed: MissedUpdate? { get set }
  /// The name of the application.
  var application: String { get }
  func send(_ message: PageMessage.ToPage)
  /// Ends the connection for something that no page does.
  func refuse(_ reason: String)
  /// Ends the connection; the page comes again.
  func close()
}
