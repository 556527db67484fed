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
  private let source: any SessionSource
  let people: People
  private(set) var sessions: [String: WebSession] = [:] {
    didSet { metrics.sessions.set(sessions.count) }
  }
  /// Sessions that are being opened, by their names.
  private var opening: [String: Task<WebSession, any Error>] = [:]
  /// Sessions that are being put away: they are opened again when they are stored.
  private var closing: [String: Task<Void, Never>] = [:]
  private var sweeping: Task<Void, Never>?
  private(set) var requests = RequestGuard(names: [], port: 0)
  private(set) var cookie = "gangway"
  /// What is counted.
  let metrics: SiteMetrics
  /// Called when a key was used: another may be wanted.
  public var didEnter: () -> Void = {}

  /// Makes a site; ``WebServer`` opens it to the network.
  ///
  /// - Throws: ``WebServer/Failure`` where the file of who may come in cannot be read.
  public init(_ source: any SessionSource, _ options: Options = Options()) throws(WebServer.Failure) {
    (self.source, self.options) = (source, options)
    metrics = SiteMetrics(options.metrics)
    do {
      people = try People(file: options.peopleFile, limits: options.limits)
    } catch {
      throw WebServer.Failure(description: "\(error)")
    }
  }

  /// Learns on which port it is.
  func open(on port: Int) {
    requests = RequestGuard(names: options.names, port: port)
    // Cookies are of a host, whatever the port: servers on the same one keep theirs apart.
    cookie = "gangway-\(port)"
    sweeping = Task { [weak self] in
      while (try? await Task.sleep(for: .seconds(15))) != nil { await self?.putAwayTheLeft() }
    }
  }

  /// Ends it: all sessions are stored.
  func close() async {
    sweeping?.cancel()
    for session in sessions.values { await putAway(session) }
  }

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
      return try await answer(request, of: person)
    } catch let failure as Refusal {
      metrics.refusals.increment()
      return failure.response
    } catch {
      return Self.refuse(503, "Not now", "\(error)")
    }
  }

  /// Why a request is not answered as asked.
  private struct Refusal: Error { let response: WebResponse }

  /// Whose request it is, where they have been here before.
  func person(known request: WebRequest) -> People.Person? { request.cookie(cookie).flatMap(people.person) }

  func setCookie(_ person: People.Person, _ request: WebRequest) -> (String, String) {
    // Who says so untruly does without a cookie, and nobody else.
    let isSecure = request.headers["x-forwarded-proto"] == "https"
    return (
      "Set-Cookie",
      "\(cookie)=\(person.cookie); Path=/; HttpOnly; SameSite=\(options.isOpen ? "Lax" : "Strict"); "
        + "\(isSecure ? "Secure; " : "")Max-Age=31536000"
    )
  }

  private func answer(_ request: WebRequest, of person: People.Person) async throws -> WebResponse {
    let rest = String(request.path.dropFirst()) + (request.query.isEmpty ? "" : "?" + request.query)
    guard rest.hasPrefix("~") else {
      // Somebody who comes anew: a session of their own, where the link leads.
      let session = try await begin(for: person)
      await session.go(to: rest)
      return .redirect(to: session.address)
    }
    let parts = rest.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let (id, place) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    guard let session = try await session(id, of: person) else {
      // A bookmark of a session that is gone leads to the same place in a new one. Two slashes would lead to another server.
      return .redirect(to: "/" + place.drop { $0 == "/" || $0 == "\\" })
    }
    if place == "_copy", options.onlySession == nil {
      let copy = try await begin(for: person, from: session)
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
      throw Refusal(
        response: Self.refuse(403, "Not from here", "The form is not from a page of this server. Load the page again."))
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

  // MARK: Sessions

  private func begin(for person: People.Person, from other: WebSession? = nil) async throws -> WebSession {
    if let only = options.onlySession { return try await open(only, of: person) }
    let id = People.secret()
    if let other { try await source.copy(other.id, to: id, of: person.id) }
    return try await open(id, of: person)
  }

  /// A session by its name; nil where the person has none of it.
  private func session(_ id: String, of person: People.Person) async throws -> WebSession? {
    if sessions[id] != nil || opening[id] != nil {
      let session = try await open(id, of: person)
      return session.person.id == person.id || id == options.onlySession ? session : nil
    }
    // A name that nobody gave out is in no folder, and none that is no name is looked for there.
    guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy(Self.isOfName),
      source.isStored(id, of: person.id)
    else { return nil }
    return try await open(id, of: person)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// A session, opened once however many ask for it.
  private func open(_ id: String, of person: People.Person) async throws -> WebSession {
    if let session = sessions[id] { return session }
    if let opening = opening[id] { return try await opening.value }
    let task = Task { [source, options] in
      await closing[id]?.value
      try await makeRoom(for: person)
      let (connection, notices) = try await source.open(id, of: person.id)
      let session = WebSession(
        id, of: person, connection, notices: notices, scheme: options.scheme, limits: options.limits)
      session.didAnswer = metrics.note
      session.didChangePages = { [metrics] in metrics.pages.increment(by: Double($0)) }
      sessions[id] = session
      return session
    }
    opening[id] = task
    defer { opening[id] = nil }
    return try await task.value
  }

  /// Puts the session away that was left first, where there are too many.
  private func makeRoom(for person: People.Person) async throws {
    func first(_ isMeant: (WebSession) -> Bool) -> WebSession? {
      sessions.values.filter { $0.left != nil && isMeant($0) }.min { ($0.left ?? .now) < ($1.left ?? .now) }
    }
    let own = sessions.values.count { $0.person.id == person.id }
    if own >= options.limits.sessionsPerPerson {
      guard let idle = first({ $0.person.id == person.id }) else {
        throw Refusal(
          response: Self.refuse(
            429, "Too many", "\(own) pages of yours are open, and that is the most. Close one and load this again."))
      }
      await putAway(idle)
    }
    if sessions.count >= options.limits.sessions {
      guard let idle = first({ _ in true }) else {
        throw Refusal(
          response: Self.refuse(
            503, "Full", "\(sessions.count) pages are open, and that is the most. Come again later."))
      }
      await putAway(idle)
    }
  }

  private func putAwayTheLeft() async {
    let limit = Duration.seconds(options.limits.leaveSeconds)
    for session in sessions.values where session.id != options.onlySession {
      if let left = session.left, .now - left > limit { await putAway(session) }
    }
  }

  private func putAway(_ session: WebSession) async {
    guard sessions.removeValue(forKey: session.id) != nil else { return }
    session.closePages()
    let task = Task { [source] in await source.putAway(session.id, of: session.person.id) }
    closing[session.id] = task
    await task.value
    closing[session.id] = nil
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
    let fields = WebRequest.fields(request.query)
    guard let id = fields.first(where: { $0.name == "session" })?.value,
      let session = try? await session(id, of: person)
    else { return nil }
    return (session, fields.first { $0.name == "revision" }.flatMap { Int($0.value) } ?? -1)
  }

  // MARK: Pages without a session

  /// A page that says why there is no other.
  static func refuse(_ status: Int, _ title: String, _ text: String) -> WebResponse {
    .page(.message(title: title, text: text, version: WebAssets.version), status: status)
  }
}
