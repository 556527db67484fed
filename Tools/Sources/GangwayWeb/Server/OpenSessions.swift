@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol

/// The running sessions.
///
/// Each session is opened once for all simultaneous requests, and parked when no user looks at it any more.
@MainActor final class OpenSessions {
  private let source: any SessionSource
  private let options: Site.Options
  private let setting: PageSetting
  private let metrics: SiteMetrics
  private(set) var all: [SessionID: WebSession] = [:] {
    didSet { metrics.sessions.set(all.count) }
  }
  /// The owners of sessions that have a place and are not open yet, by session name.
  private var admitted: [SessionID: String] = [:]
  /// The rate limits of users, by user ID; users without recent requests have no entry.
  private var allowances: [String: TokenBucket] = [:]
  /// The sessions that are being opened, by name.
  private var opening: [SessionID: Task<WebSession, any Error>] = [:]
  /// The sessions that are being parked; a request waits for the end before it opens the session again.
  private var closing: [SessionID: (person: String, task: Task<Void, Never>)] = [:]
  private var sweeping: Task<Void, Never>?
  /// Called when a session cannot be shown, with the reason.
  var didFail: (any Error) -> Void = { _ in }

  init(_ source: any SessionSource, _ options: Site.Options, _ words: PageWords, _ metrics: SiteMetrics) {
    (self.source, self.options, self.metrics) = (source, options, metrics)
    setting = PageSetting(scheme: options.scheme, words: words)
    source.didEnd = { [weak self] in self?.hasEnded($0, $1) }
  }

  /// Starts to park sessions that no user looks at.
  func start() {
    let interval = Duration.seconds(max(1, min(15, options.limits.leaveSeconds / 2)))
    sweeping = Task { [weak self] in
      while (try? await Task.sleep(for: interval)) != nil { await self?.putAwayTheLeft() }
    }
  }

  /// Stores all sessions and parks them.
  func close() async {
    sweeping?.cancel()
    for session in all.values { await putAway(session) }
  }

  /// Returns a new session for a user, or the only session of the server.
  ///
  /// - Parameter other: the session to copy; nil to begin at the start.
  /// - Throws: ``ErrorPage`` if too many sessions are open, and the errors of the source.
  func begin(for person: People.Person, from other: WebSession? = nil) async throws -> WebSession {
    if let only = options.onlySession { return try await open(only, of: person) }
    return try await open(SessionID(rawValue: People.secret()), of: person, from: other)
  }

  /// Returns whether a user has any running session, including sessions that are being opened.
  func hasAny(of person: People.Person) -> Bool {
    all.values.contains { $0.person.id == person.id } || admitted.values.contains(person.id)
  }

  /// Counts an event or request of a user, from any of their pages.
  ///
  /// - Returns: whether the user stays within the rate limit.
  func mayAct(_ person: People.Person) -> Bool {
    let full = TokenBucket(burst: options.limits.burst, perSecond: options.limits.eventsPerSecond)
    return allowances[person.id, default: full].take()
  }

  /// The number of sessions, open or parked, whose latest changes are not stored.
  var unstoredCount: Int { all.values.count { $0.isUnstored } + source.unstoredCount }

  /// Returns a session by its name; nil if the user has no session of this name.
  ///
  /// - Throws: the errors of ``begin(for:from:)``.
  func session(_ id: SessionID, of person: People.Person) async throws -> WebSession? {
    guard all[id] != nil || opening[id] != nil || isPutAway(id, of: person) else { return nil }
    let session = try await open(id, of: person)
    return isTheirs(session, person) ? session : nil
  }

  /// Returns whether a user has a session of this name, without opening it.
  func has(_ id: SessionID, of person: People.Person) -> Bool {
    if let session = all[id] { return isTheirs(session, person) }
    return admitted[id] == person.id || isPutAway(id, of: person)
  }

  private func isTheirs(_ session: WebSession, _ person: People.Person) -> Bool {
    session.person.id == person.id || session.id == options.onlySession
  }

  private func isPutAway(_ id: SessionID, of person: People.Person) -> Bool {
    // A session that is being parked may have no file yet.
    if let closing = closing[id] { return closing.person == person.id || id == options.onlySession }
    // Unknown names have no file. Text that cannot be a name is never looked up.
    return (1...64).contains(id.rawValue.utf8.count) && id.rawValue.utf8.allSatisfy(Self.isOfName)
      && source.isStored(id, of: person.id)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  private func open(
    _ id: SessionID, of person: People.Person, from other: WebSession? = nil
  ) async throws -> WebSession {
    if let session = all[id] { return session }
    if let opening = opening[id] { return try await opening.value }
    let task = Task { [source, options] in
      await closing[id]?.task.value
      try await admit(id, of: person)
      defer { admitted[id] = nil }
      if let other { try await source.copy(other.id, to: id, of: person.id) }
      // A copy contains the work of the original, so it is stored from the start.
      let (connection, notices) = try await source.open(
        id, of: person.id, isOwners: person.isOwner == true, isKept: other != nil)
      let session = WebSession(
        id, of: person, connection, notices: notices, setting, limits: options.limits)
      session.keep = { [source] in try source.keep(id, of: person.id) }
      session.mayAct = { [weak self] in self?.mayAct(person) == true }
      session.didFail = { [weak self] in self?.didFail($0) }
      session.didAnswer = metrics.note
      session.didChangePages = { [metrics] in metrics.pages.increment(by: Double($0)) }
      all[id] = session
      return session
    }
    opening[id] = task
    defer { opening[id] = nil }
    return try await task.value
  }

  /// Reserves a place for a session; if there is none, parks the session that was left first.
  ///
  /// - Throws: ``ErrorPage`` if all sessions are in use.
  private func admit(_ id: SessionID, of person: People.Person) async throws {
    let limits = options.limits
    while true {
      let own = all.values.count { $0.person.id == person.id } + admitted.values.count { $0 == person.id }
      let isOwn = own >= limits.sessionsPerPerson
      guard isOwn || all.count + admitted.count >= limits.sessions else { break }
      let left = all.values.filter { $0.left != nil && (!isOwn || $0.person.id == person.id) }
      guard let first = left.min(by: { ($0.left ?? .now) < ($1.left ?? .now) }) else {
        throw isOwn
          ? ErrorPage(429, Words.RefusalTitle.tooMany, Words.Refusal.tooManyPages(own))
          : ErrorPage(503, Words.RefusalTitle.full, Words.Refusal.pagesFull(limits.sessions))
      }
      await putAway(first)
    }
    // Until the session is open, later requests count this place as taken.
    admitted[id] = person.id
  }

  /// Sends a failure message to the pages of a session that no host can show, and parks it; the pages reconnect.
  private func hasEnded(_ id: SessionID, _ reason: any Error) {
    didFail(reason)
    guard let session = all[id] else { return }
    session.tell(.init(.failure, Site.notNow))
    Task { await putAway(session) }
  }

  private func putAwayTheLeft() async {
    for (person, var allowance) in allowances where allowance.isFull() { allowances[person] = nil }
    let limit = Duration.seconds(options.limits.leaveSeconds)
    for session in all.values where session.id != options.onlySession {
      if let left = session.left, .now - left > limit { await putAway(session) }
    }
  }

  private func putAway(_ session: WebSession) async {
    // The session may have been parked by now, and even opened again.
    guard all[session.id] === session else { return }
    all[session.id] = nil
    session.closePages()
    let task = Task { [source] in await source.putAway(session.id, of: session.person.id) }
    closing[session.id] = (session.person.id, task)
    await task.value
    // By now, the session may have been opened, and may be closing again.
    if closing[session.id]?.task == task { closing[session.id] = nil }
  }
}

/// The reason why a request is refused, as a page for the user.
struct ErrorPage: Error, CustomStringConvertible {
  let status: Int
  let title: String
  let text: String
  var description: String { text }

  init(_ status: Int, _ title: String, _ text: String) {
    (self.status, self.title, self.text) = (status, title, text)
  }
}
