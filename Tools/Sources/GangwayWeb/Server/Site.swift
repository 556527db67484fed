import GangwayClient
import GangwayProtocol

/// What a server serves: finds the session that a request is about, and answers it.
@MainActor public final class Site {
  /// How a site is set up.
  public struct Options: Sendable {
    /// The name of the application, which stands in titles.
    public var name = "Gangway"
    /// The language of its features.
    public var language = PageLanguage.english
    /// The scheme of its addresses.
    public var scheme = "gangway"
    /// Other names of the server than those of this machine, as a proxy has.
    public var names: [String] = []
    /// Whether whoever comes is let in; else one needs a key.
    public var isOpen = false
    /// The name of the only session there is, which everybody sees; nil where each page has one of its own.
    public var onlySession: String?
    /// Where it is kept who may come in; nil for nowhere.
    public var peopleFile: String?
    /// How much is taken of anybody.
    public var limits = WebLimits()
    /// Where it is counted what happens; shown at `/_gangway/metrics`.
    public var metrics = PrometheusMetrics()
    /// How the plugins hang together, as a picture (SVG), for who develops; nil where it is not shown.
    public var graph: (@MainActor @Sendable () async -> String)?
    /// Makes the options of `gangway serve`.
    public init() {}
  }

  let options: Options
  let people: People
  let sessions: OpenSessions
  private(set) var requests = RequestGuard(names: [], port: 0)
  private(set) var cookie = "gangway"
  /// What is counted.
  let metrics: SiteMetrics
  /// Called when a key was used: another may be wanted.
  public var didEnter: () -> Void = {}
  /// Called with why sessions cannot be shown: what whoever runs the server can do something about.
  public var didFail: (any Error) -> Void {
    get { sessions.didFail }
    set { sessions.didFail = newValue }
  }

  /// Makes a site; ``WebServer`` opens it to the network.
  ///
  /// - Throws: ``WebServer/Failure`` where the file of who may come in cannot be read.
  public init(_ source: any SessionSource, _ options: Options = Options()) throws(WebServer.Failure) {
    self.options = options
    metrics = SiteMetrics(options.metrics)
    sessions = OpenSessions(source, options, metrics)
    do {
      people = try People(file: options.peopleFile, limits: options.limits)
    } catch {
      throw WebServer.Failure(description: "\(error)")
    }
    let isOpen = options.isOpen
    people.hasNothing = { [source, sessions] person in
      // Who was let in by a key could not come in again.
      isOpen && !source.hasSessions(of: person.id) && !sessions.hasAny(of: person)
    }
    people.didForget = { [source] in source.forget($0) }
  }

  /// Learns on which port it is.
  func open(on port: Int) {
    requests = RequestGuard(names: options.names, port: port)
    // Cookies are of a host, whatever the port: servers on the same one keep theirs apart.
    cookie = "gangway-\(port)"
    sessions.start()
  }

  /// Ends it: all sessions are stored.
  func close() async { await sessions.close() }

  /// The path of an address that lets one browser in, once.
  public func makeEntrance() -> String { "/_gangway/enter?key=\(people.makeKey())" }

  // MARK: Requests

  /// Answers a request.
  func answer(_ request: WebRequest) async -> WebResponse {
    let isActing = request.method == "POST"
    if let refusal = requests.refusal(of: request, isActing: isActing) {
      metrics.refusals.increment()
      return Self.refuse(421, "Not here", refusal)
    }
    guard ["GET", "HEAD", "POST"].contains(request.method) else {
      return Self.refuse(405, "Not that", "Pages are read (GET) and sent (POST), and that was '\(request.method)'.")
    }
    if request.isAhead {
      // To open a page is to go there, and to be let in: neither is done for what a browser takes to come next.
      return Self.refuse(503, "Not ahead of time", "This page is made when it is opened. Open it.")
    }
    if request.path == "/_gangway" || request.path.hasPrefix("/_gangway/") { return await answerOwn(request) }
    do {
      guard let person = person(known: request) else {
        if options.isOpen, !isActing { return greet(request) }
        metrics.refusals.increment()
        return Self.refuse(
          403, "Who are you?",
          "This browser has not been let in. Open the address that 'gangway serve' printed last; each lets one browser in, once."
        )
      }
      var response = try await answer(request, of: person)
      if people.renew(person) { response.headers.append(setCookie(person, request)) }
      return response
    } catch let refusal as Refusal {
      metrics.refusals.increment()
      return Self.refuse(refusal.status, refusal.title, refusal.text)
    } catch {
      didFail(error)
      return Self.refuse(503, "Not now", "\(Self.notNow) Load this again in a moment.")
    }
  }

  /// What people are told while there is nothing to show sessions: the reason names files of the server.
  static let notNow = "The features do not start at the moment. What you did is kept, and it is tried again."

  /// Whose request it is, where they have been here before.
  func person(known request: WebRequest) -> People.Person? { request.cookie(cookie).flatMap(people.person) }

  func setCookie(_ person: People.Person, _ request: WebRequest) -> (String, String) {
    // Who says so untruly does without a cookie, and nobody else.
    let isSecure = request.headers["x-forwarded-proto"] == "https"
    return (
      "Set-Cookie",
      "\(cookie)=\(person.cookie); Path=/; HttpOnly; SameSite=\(options.isOpen ? "Lax" : "Strict"); "
        + "\(isSecure ? "Secure; " : "")Max-Age=\(People.cookieDays * 86_400)"
    )
  }

  private func answer(_ request: WebRequest, of person: People.Person) async throws -> WebResponse {
    guard sessions.mayAct(person) else {
      throw Refusal(
        429, "Too fast",
        "More than \(options.limits.eventsPerSecond) things a second are being asked for by you. Wait a moment, and load this again."
      )
    }
    let rest = String(request.path.dropFirst()) + (request.query.isEmpty ? "" : "?" + request.query)
    guard rest.hasPrefix("~") else {
      if request.isHead { return .header }
      // Somebody who comes anew: a session of their own, where the link leads.
      let session = try await sessions.begin(for: person)
      session.beginRequest()
      defer { session.endRequest() }
      await session.go(to: rest, isFirst: true)
      return .redirect(to: session.address)
    }
    let parts = rest.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let (id, place) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    // A bookmark of a session that is gone leads to the same place in a new one. Two slashes would lead to another server.
    let anew = WebResponse.redirect(to: "/" + place.drop { $0 == "/" || $0 == "\\" })
    if request.isHead { return sessions.has(id, of: person) ? .header : anew }
    guard let session = try await sessions.session(id, of: person) else { return anew }
    session.beginRequest()
    defer { session.endRequest() }
    if place == "_copy", options.onlySession == nil {
      let copy = try await sessions.begin(for: person, from: session)
      return .redirect(to: copy.address)
    }
    if request.method == "POST" { return try await take(request, session, of: person) }
    await session.go(to: place)
    // An address that leads nowhere is put back.
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
      throw Refusal(403, "Not from here", "The form is not from a page of this server. Load the page again.")
    }
    let actions = FormPost.actions(fields, on: session.presentation)
    await session.perform(actions)
    return .redirect(to: session.address)
  }

  private func frame(_ session: WebSession, of person: People.Person) -> PageRenderer.Frame {
    .init(
      base: session.base, formToken: person.formToken, version: WebAssets.version, name: options.name,
      scheme: session.scheme, isShared: options.onlySession != nil, language: options.language)
  }

  // MARK: Pages that follow

  /// The session that a page may follow; nil where it may not.
  ///
  /// - Parameter request: that for the connection, with the session's name in its query.
  func follow(_ request: WebRequest) async -> (session: WebSession, revision: Int)? {
    guard requests.refusal(of: request, isActing: true) == nil, request.headers["origin"] != nil,
      request.path == "/_gangway/follow", let person = person(known: request)
    else {
      metrics.refusals.increment()
      return nil
    }
    // Coming again and again is something that is done, too.
    guard sessions.mayAct(person) else { return nil }
    let fields = WebRequest.fields(request.query)
    guard let id = fields.first(where: { $0.name == "session" })?.value,
      let session = try? await sessions.session(id, of: person)
    else { return nil }
    return (session, fields.first { $0.name == "revision" }.flatMap { Int($0.value) } ?? -1)
  }

  // MARK: Pages without a session

  /// A page that says why there is no other.
  static func refuse(_ status: Int, _ title: String, _ text: String) -> WebResponse {
    var response = WebResponse.page(.message(title: title, text: text, version: WebAssets.version), status: status)
    if status == 429 { response.headers.append(("Retry-After", "1")) }
    return response
  }
}
