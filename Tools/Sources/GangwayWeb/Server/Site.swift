@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// The site of a server, which finds the session of a request and answers the request.
@_spi(FrontEnd) @MainActor public final class Site {
  /// The options of a site.
  public struct Options: Sendable {
    /// The application's name, for page titles.
    public var name = "Gangway"
    /// The language of the features.
    public var language = PageLanguage.english
    /// The owner's look.
    public var brand = Brand()
    /// The scheme of the application's URLs.
    public var scheme = "gangway"
    /// The server's names apart from those of this machine, such as the name of a proxy.
    public var names: [String] = []
    /// Whether the server admits anyone; if not, a browser needs a key.
    public var isOpen = false
    /// The name of the only session, which every page shows; nil to give each page its own session.
    public var onlySession: SessionID?
    /// The file of the known users; nil to store no users.
    public var peopleFile: String?
    /// The limits of clients.
    public var limits = WebLimits()
    /// The counters of the server, shown at `/_gangway/metrics`.
    public var metrics = PrometheusMetrics()
    /// Draws the dependencies between plugins as SVG, for developers; nil to show no graph.
    public var graph: (@MainActor @Sendable () async -> String)?
    /// Creates the options of `gangway serve`.
    public init() {}
  }

  let options: Options
  let people: People
  let sessions: OpenSessions
  private(set) var requests = RequestGuard(names: [], port: 0)
  private(set) var cookie = "gangway"
  let metrics: SiteMetrics
  /// The framework's own words: of the language, and of the owner.
  let words: PageWords
  /// The script of pages, with the words, and the version in its name.
  let module: WebAssets.File
  let version: String
  /// The number of files that each user is sending now.
  var uploading: [String: Int] = [:]
  /// The number of files that are being sent to each user now.
  var downloading: [String: Int] = [:]
  /// Called after a browser used up a key, because the operator may want another one.
  public var didEnter: () -> Void = {}
  /// Called when sessions cannot be shown, with a reason that the operator can act on.
  public var didFail: (any Error) -> Void {
    get { sessions.didFail }
    set { sessions.didFail = newValue }
  }

  /// Creates a site; ``WebServer`` opens it to the network.
  ///
  /// - Throws: ``WebServer/Failure`` if the file of the known users cannot be read.
  public init(_ source: any SessionSource, _ options: Options = Options()) throws(WebServer.Failure) {
    self.options = options
    metrics = SiteMetrics(options.metrics)
    words = options.brand.words(for: options.language)
    module = WebAssets.module(words)
    version = WebAssets.hash(WebAssets.style.bytes + module.bytes)
    sessions = OpenSessions(source, options, words, metrics)
    do {
      people = try People(PeopleFile(path: options.peopleFile), limits: options.limits)
    } catch {
      throw WebServer.Failure(description: "\(error)")
    }
    let isOpen = options.isOpen
    people.hasNothing = { [source, sessions] person in
      // A user who was admitted by a key could not sign in again.
      isOpen && person.isOwner != true && !source.hasSessions(of: person.id) && !sessions.hasAny(of: person)
    }
    people.didForget = { [source] in source.forget($0) }
  }

  /// Starts the site on a port.
  func open(on port: Int) {
    requests = RequestGuard(names: options.names, port: port)
    // Browsers share cookies between all ports of a host, so each server names its own cookie.
    cookie = "gangway-\(port)"
    sessions.start()
  }

  /// Stores all sessions and parks them.
  func close() async { await sessions.close() }

  /// Returns the path of an address that admits one browser, once.
  ///
  /// - Parameter isOwners: whether the browser is the owner's.
  public func makeEntrance(isOwners: Bool = false) -> String {
    "/_gangway/enter?key=\(people.makeKey(isOwners: isOwners))"
  }

  /// Whether an owner is known, so that the next address is for another user.
  public var hasOwner: Bool { people.hasOwner }

  // MARK: Requests

  func answer(_ request: WebRequest) async -> WebResponse {
    let isActing = request.method == "POST"
    if let refusal = requests.refusal(of: request, isActing: isActing) {
      metrics.refusals.increment()
      return Self.refuse(421, Words.RefusalTitle.notHere, refusal)
    }
    guard ["GET", "HEAD", "POST"].contains(request.method) else {
      return Self.refuse(405, Words.RefusalTitle.notAllowed, Words.Refusal.method(request.method))
    }
    if request.isAhead {
      // Opening a page changes the session and can admit the browser. A prefetch must do neither.
      return Self.refuse(503, Words.RefusalTitle.noPrefetch, Words.Refusal.noPrefetch)
    }
    if request.path == "/_gangway" || request.path.hasPrefix("/_gangway/") { return await answerOwn(request) }
    do {
      guard let person = person(known: request) else {
        if options.isOpen, !isActing { return greet(request) }
        metrics.refusals.increment()
        return Self.refuse(403, Words.RefusalTitle.unknownBrowser, Words.Refusal.unknownBrowser)
      }
      var response = try await answer(request, of: person)
      if people.renew(person) { response.headers.append(setCookie(person, request)) }
      return response
    } catch let refusal as ErrorPage {
      metrics.refusals.increment()
      return Self.refuse(refusal.status, refusal.title, refusal.text)
    } catch {
      didFail(error)
      return Self.refuse(503, Words.RefusalTitle.notNow, "\(Self.notNow) \(Words.Refusal.reload)")
    }
  }

  /// The message to users while no host can show sessions; the full reason names files of the server.
  static let notNow = Words.Refusal.appDoesNotStart

  /// Returns the known user who sent a request; nil for a stranger.
  func person(known request: WebRequest) -> People.Person? { request.cookie(cookie).flatMap(people.person) }

  func setCookie(_ person: People.Person, _ request: WebRequest) -> (String, String) {
    // A client that forges this header only loses its own cookie.
    let isSecure = request.headers["x-forwarded-proto"] == "https"
    // In a frame of another site, the browser keeps a cookie of its own for that site (Partitioned). Browsers that do
    // not know the attribute send the cookie with requests of any site: ``RequestGuard`` refuses all but pages.
    let isFramed = isSecure && !options.brand.frameAncestors.isEmpty
    let scope = isFramed ? "None; Partitioned" : options.isOpen ? "Lax" : "Strict"
    return (
      "Set-Cookie",
      "\(cookie)=\(person.cookie); Path=/; HttpOnly; SameSite=\(scope); "
        + "\(isSecure ? "Secure; " : "")Max-Age=\(People.cookieDays * 86_400)"
    )
  }

  private func answer(_ request: WebRequest, of person: People.Person) async throws -> WebResponse {
    guard sessions.mayAct(person) else {
      throw ErrorPage(
        429, Words.RefusalTitle.tooFast, Words.Refusal.tooFast(limit: options.limits.eventsPerSecond))
    }
    let rest = String(request.path.dropFirst()) + (request.query.isEmpty ? "" : "?" + request.query)
    guard rest.hasPrefix("~") else {
      if request.isHead { return .header }
      // A new visit gets a new session, at the place of the link.
      let session = try await sessions.begin(for: person)
      session.beginRequest()
      defer { session.endRequest() }
      await session.go(to: rest, isFirst: true)
      return .redirect(to: session.address)
    }
    let parts = rest.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let (id, place) = (SessionID(rawValue: String(parts[0])), parts.count > 1 ? String(parts[1]) : "")
    // An address of a deleted session opens the same place in a new session. Two slashes would redirect to another
    // server.
    let anew = WebResponse.redirect(to: "/" + place.drop { $0 == "/" || $0 == "\\" })
    if request.isHead { return sessions.has(id, of: person) ? .header : anew }
    guard let session = try await sessions.session(id, of: person) else { return anew }
    session.beginRequest()
    defer { session.endRequest() }
    if place == "_copy", options.onlySession == nil {
      let copy = try await sessions.begin(for: person, from: session)
      return .redirect(to: copy.address)
    }
    if place.hasPrefix("_file/"), request.method == "GET" {
      return download(session.offeredFile(String(place.dropFirst("_file/".count))), for: person)
    }
    if request.method == "POST" { return try await take(request, session, of: person) }
    await session.go(to: place)
    // If the address opened nothing, redirect to the session's current address.
    guard session.address == session.base + place || place.isEmpty && session.presentation.url == nil else {
      return .redirect(to: session.address)
    }
    return .page(session.page(frame(session, of: person)))
  }

  private func take(
    _ request: WebRequest, _ session: WebSession, of person: People.Person
  ) async throws -> WebResponse {
    let fields = WebRequest.fields(String(decoding: request.body, as: UTF8.self))
    guard let token = fields.first(where: { $0.name == "token" })?.value,
      People.isSame(token, person.formToken)
    else {
      throw ErrorPage(403, Words.RefusalTitle.wrongForm, Words.Refusal.wrongForm)
    }
    let actions = FormPost.actions(fields, on: session.presentation)
    await session.perform(actions)
    return .redirect(to: session.address)
  }

  private func frame(_ session: WebSession, of person: People.Person) -> PageRenderer.Frame {
    .init(
      base: session.base, formToken: person.formToken, version: version, name: options.name,
      isShared: options.onlySession != nil, language: options.language,
      look: options.brand.look)
  }

  // MARK: Pages that follow

  /// Returns the session that a page may follow, and the revision that the page shows; nil if it may follow none.
  ///
  /// - Parameter request: the request for the WebSocket, with the session's name in its query.
  func follow(_ request: WebRequest) async -> (session: WebSession, revision: Revision)? {
    guard requests.refusal(of: request, isActing: true) == nil, request.headers["origin"] != nil,
      request.path == "/_gangway/follow", let person = person(known: request)
    else {
      metrics.refusals.increment()
      return nil
    }
    // Reconnecting counts towards the rate limit, too.
    guard sessions.mayAct(person) else { return nil }
    let fields = WebRequest.fields(request.query)
    guard let id = fields.first(where: { $0.name == "session" }).map({ SessionID(rawValue: $0.value) }),
      let session = try? await sessions.session(id, of: person)
    else { return nil }
    let revision = fields.first { $0.name == "revision" }.flatMap { Int($0.value) }
    return (session, revision.map(Revision.init(rawValue:)) ?? -1)
  }

  // MARK: Pages without a session

  /// Returns a page that explains why the requested page is not shown.
  static func refuse(_ status: Int, _ title: String, _ text: String) -> WebResponse {
    var response = WebResponse.page(.message(title: title, text: text, version: WebAssets.version), status: status)
    if status == 429 { response.headers.append(("Retry-After", "1")) }
    return response
  }
}
