import GangwayClient
import GangwayProtocol

/// What a server serves: finds the session that a request is about, and answers it.
@MainActor public final class Site {
  /// How a site is set up.
  public struct Options: Sendable {
    /// The name of the application, which stands in titles.
    public var name = "Gangway"
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
    /// Makes the options of `gangway serve`.
    public init() {}
  }

  let options: Options
  private let source: any WebSessionSource
  private let people: People
  private var sessions: [String: WebSession] = [:]
  /// Sessions that are being opened, by their names.
  private var opening: [String: Task<WebSession, any Error>] = [:]
  private var sweeping: Task<Void, Never>?
  private var requests = RequestGuard(names: [], port: 0)
  private var cookie = "gangway"
  /// What has been counted.
  private(set) var counts = Counts()
  /// Called when a key was used: another may be wanted.
  public var didEnter: () -> Void = {}

  /// What a site counts.
  struct Counts {
    var events = 0
    var refusals = 0
    var latencies = LatencyCounts()
  }

  /// Makes a site; ``WebServer`` opens it to the network.
  public init(_ source: any WebSessionSource, _ options: Options = Options()) {
    (self.source, self.options) = (source, options)
    people = People(file: options.peopleFile)
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
      counts.refusals += 1
      return Self.refuse(421, "Not here", refusal)
    }
    guard ["GET", "HEAD", "POST"].contains(request.method) else {
      return Self.refuse(405, "Not that", "Pages are read (GET) and sent (POST), and that was '\(request.method)'.")
    }
    if request.path.hasPrefix("/_gangway/") { return await own(request) }
    do {
      guard let person = try person(of: request) else {
        counts.refusals += 1
        return Self.refuse(
          403, "Who are you?",
          "This browser has not been let in. Open the address that 'gangway serve' printed last; each lets one browser in, once."
        )
      }
      var response = try await answer(request, of: person)
      if request.cookie(cookie).flatMap(people.person) == nil { response.headers.append(setCookie(person)) }
      return response
    } catch let failure as Refusal {
      counts.refusals += 1
      return failure.response
    } catch {
      return Self.refuse(503, "Not now", "\(error)")
    }
  }

  /// Why a request is not answered as asked.
  private struct Refusal: Error { let response: WebResponse }

  private func person(of request: WebRequest) throws -> People.Person? {
    if let person = request.cookie(cookie).flatMap(people.person) { return person }
    return options.isOpen ? try people.add() : nil
  }

  private func setCookie(_ person: People.Person) -> (String, String) {
    (
      "Set-Cookie",
      "\(cookie)=\(person.id).\(person.secret); Path=/; HttpOnly; SameSite=\(options.isOpen ? "Lax" : "Strict"); "
        + "Max-Age=31536000"
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
      // A bookmark of a session that is gone leads to the same place in a new one.
      return .redirect(to: "/" + place)
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
    counts.events += actions.count
    await session.perform(actions)
    return .redirect(to: session.address)
  }

  private func frame(_ session: WebSession, of person: People.Person) -> PageRenderer.Frame {
    .init(
      base: session.base, formToken: person.formToken, version: WebAssets.version, name: options.name,
      scheme: session.scheme, isShared: options.onlySession != nil)
  }

  /// What is the server's own.
  private func own(_ request: WebRequest) async -> WebResponse {
    switch request.path {
    case "/_gangway/\(WebAssets.version).css": return WebAssets.style.response(to: request)
    case "/_gangway/\(WebAssets.version).js": return WebAssets.module.response(to: request)
    case "/_gangway/health": return health()
    case "/_gangway/enter":
      let key = WebRequest.fields(request.query).first { $0.name == "key" }?.value ?? ""
      do {
        guard let person = try people.enter(with: key) else {
          counts.refusals += 1
          return Self.refuse(
            403, "This address was used",
            "It let one browser in, once. Open the address that 'gangway serve' printed last.")
        }
        didEnter()
        // The page leads on by itself: a browser that came from elsewhere sends no cookie along with a redirect.
        var response = WebResponse.page(
          Self.message(title: "Welcome", text: "Opening…", next: "/"), status: 200)
        response.headers.append(setCookie(person))
        return response
      } catch {
        return Self.refuse(503, "Not now", "\(error)")
      }
    default: return Self.refuse(404, "Nothing here", "There is no '\(request.path.prefix(200))'.")
    }
  }

  private func health() -> WebResponse {
    let pages = sessions.values.reduce(0) { $0 + $1.pageCount }
    let text =
      #"{"status":"ok","sessions":\#(sessions.count),"pages":\#(pages),"events":\#(counts.events),"#
      + #""refusals":\#(counts.refusals),"latency":\#(counts.latencies.json)}"# + "\n"
    return WebResponse(
      headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")], body: Array(text.utf8))
  }

  // MARK: Sessions

  private func begin(for person: People.Person, from other: WebSession? = nil) async throws -> WebSession {
    if let only = options.onlySession {
      if let session = sessions[only] { return session }
      return try await open(only, of: person)
    }
    let id = People.secret()
    if let other { try await source.copy(other.id, to: id, of: person.id) }
    return try await open(id, of: person)
  }

  /// A session by its name; nil where the person has none of it.
  private func session(_ id: String, of person: People.Person) async throws -> WebSession? {
    if let session = sessions[id] { return session.person.id == person.id || id == options.onlySession ? session : nil }
    if let opening = opening[id] {
      let session = try await opening.value
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

  private func open(_ id: String, of person: People.Person) async throws -> WebSession {
    try await makeRoom(for: person)
    let task = Task { [source, options] in
      let (connection, notices) = try await source.open(id, of: person.id)
      return WebSession(
        id, of: person, connection, notices: notices, scheme: options.scheme, limits: options.limits)
    }
    opening[id] = task
    defer { opening[id] = nil }
    let session = try await task.value
    session.didAnswer = { [weak self] in
      self?.counts.events += 1
      self?.counts.latencies.note($0)
    }
    sessions[id] = session
    return session
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
    await source.putAway(session.id, of: session.person.id)
  }

  // MARK: Pages that follow

  /// The session that a page may follow; nil where it may not.
  ///
  /// - Parameter request: that for the connection, with the session's name in its query.
  func follow(_ request: WebRequest) async -> (session: WebSession, revision: Int)? {
    guard requests.refusal(of: request, isActing: true) == nil, request.headers["origin"] != nil,
      request.path == "/_gangway/follow", let person = request.cookie(cookie).flatMap(people.person)
    else {
      counts.refusals += 1
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
    .page(message(title: title, text: text, next: nil), status: status)
  }

  private static func message(title: String, text: String, next: String?) -> HTML {
    HTML { html in
      html.raw("<!doctype html>")
      html.element("html", ["lang": "en"]) { html in
        html.element("head") { html in
          html.open("meta", ["charset": "utf-8"])
          html.open("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
          html.open("meta", ["name": "color-scheme", "content": "light dark"])
          if let next { html.open("meta", ["http-equiv": "refresh", "content": .text("0; url=\(next)")]) }
          html.element("title", text: title)
          html.open("link", ["rel": "stylesheet", "href": .text("/_gangway/\(WebAssets.version).css")])
          html.open("link", ["rel": "icon", "href": "data:,"])
        }
        html.element("body", ["class": "message"]) { html in
          html.element("main") { html in
            html.element("h1", text: title)
            html.element("p", text: text)
          }
        }
      }
    }
  }
}

/// How long answers took, in classes each of which is twice as long as the one before, from a quarter of a millisecond.
struct LatencyCounts {
  private var classes = [Int](repeating: 0, count: 16)

  mutating func note(_ time: Duration) {
    var (limit, index) = (Duration.microseconds(250), 0)
    while time > limit, index < classes.count - 1 { (limit, index) = (limit * 2, index + 1) }
    classes[index] += 1
  }

  /// How many took how many milliseconds at the most.
  var json: String {
    let parts = classes.enumerated().filter { $0.element > 0 }.map { index, count in
      #""\#(Double(1 << index) / 4)":\#(count)"#
    }
    return "{" + parts.joined(separator: ",") + "}"
  }
}
