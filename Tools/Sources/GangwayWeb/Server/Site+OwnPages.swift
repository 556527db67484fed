@_spi(FrontEnd) import GangwayProtocol

/// The server's own pages, under `/_gangway`.
extension Site {
  /// Answers a request for one of the server's own pages.
  func answerOwn(_ request: WebRequest) async -> WebResponse {
    switch request.path {
    case "/_gangway/\(WebAssets.version).css", "/_gangway/\(version).css": return WebAssets.style.response(to: request)
    case "/_gangway/\(version).js": return module.response(to: request)
    case "/_gangway/health": return health()
    case "/_gangway/metrics" where request.isDirect:
      return .text(options.metrics.text, type: PrometheusMetrics.type)
    case "/_gangway/enter": return request.isHead ? .header : enter(request)
    case "/_gangway/welcome" where options.isOpen: return request.isHead ? .header : welcome(request)
    case "/_gangway", "/_gangway/": return await inspector(request)
    case "/_gangway/graph.svg":
      guard isForDevelopers(request), person(known: request) != nil, let graph = options.graph else { break }
      var response = WebResponse.text(await graph(), type: "image/svg+xml")
      // The SVG picture has inline styles.
      response.headers.append(("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"))
      return response
    default:
      if let file = options.brand.response(to: request) { return file }
    }
    return Self.refuse(404, Words.RefusalTitle.nothingHere, Words.Refusal.noPage(String(request.path.prefix(200))))
  }

  // MARK: Where there are many

  /// Returns whether a request is answered even when nearly all connections are taken.
  ///
  /// These are requests of known and invited users, and of monitoring.
  func goesFirst(_ request: WebRequest) -> Bool {
    switch request.path {
    case "/_gangway/health": true
    case "/_gangway/metrics": request.isDirect
    case "/_gangway/enter": people.isKey(key(of: request))
    default: person(known: request) != nil
    }
  }

  /// Returns the answer for a stranger when nearly all connections are taken.
  func sendAway() -> WebResponse {
    metrics.refusals.increment()
    var response = Self.refuse(503, Words.RefusalTitle.busy, Words.Refusal.busy)
    response.headers.append(("Retry-After", "30"))
    return response
  }

  // MARK: Coming in

  private func key(of request: WebRequest) -> String {
    WebRequest.fields(request.query).first { $0.name == "key" }?.value ?? ""
  }

  private func enter(_ request: WebRequest) -> WebResponse {
    // The page opens the next address itself, because a browser from another site sends no cookie with a redirect.
    let welcome = WebResponse.page(
      .message(
        title: words[.welcome], text: words[.opening], version: WebAssets.version, language: options.language, next: "/"
      ))
    do {
      // With a new cookie, the browser would lose its sessions. A key that gives nothing new stays valid for another
      // browser.
      if let person = person(known: request) {
        if try people.promote(person, with: key(of: request)) { didEnter() }
        return welcome
      }
      guard let person = try people.enter(with: key(of: request)) else {
        metrics.refusals.increment()
        return Self.refuse(403, Words.RefusalTitle.alreadyUsed, Words.Refusal.alreadyUsed)
      }
      didEnter()
      var response = welcome
      response.headers.append(setCookie(person, request))
      return response
    } catch {
      return turnAway(error)
    }
  }

  /// Reports why no new user is admitted, and returns a page for the user without server internals.
  private func turnAway(_ reason: any Error) -> WebResponse {
    metrics.refusals.increment()
    didFail(reason)
    if let refusal = reason as? ErrorPage { return Self.refuse(refusal.status, refusal.title, refusal.text) }
    return Self.refuse(503, Words.RefusalTitle.notNow, Words.Refusal.noNewUsers)
  }

  /// Gives a newcomer a cookie, and redirects to check that the cookie comes back.
  ///
  /// Without the check, a browser that keeps no cookies would become a new user with each request.
  func greet(_ request: WebRequest) -> WebResponse {
    let place = request.path + (request.query.isEmpty ? "" : "?" + request.query)
    var response = WebResponse.redirect(to: "/_gangway/welcome?to=" + Press.encoded(place))
    response.headers.append(setCookie(people.greet(), request))
    return response
  }

  private func welcome(_ request: WebRequest) -> WebResponse {
    let place = WebRequest.fields(request.query).first { $0.name == "to" }?.value ?? "/"
    do {
      guard let cookie = request.cookie(cookie), try people.welcome(cookie) != nil else {
        metrics.refusals.increment()
        return Self.refuse(403, Words.RefusalTitle.cookiesNeeded, Words.Refusal.cookiesNeeded)
      }
      // Two slashes would redirect to another server.
      return .redirect(to: "/" + place.drop { $0 == "/" || $0 == "\\" })
    } catch {
      return turnAway(error)
    }
  }

  private func health() -> WebResponse {
    let pages = sessions.all.values.reduce(0) { $0 + $1.pageCount }
    let unstored = sessions.unstoredCount
    // The status code stays 200: a monitor that restarts the server would lose the changes that are not stored.
    return .text(
      #"{"status":"\#(unstored == 0 ? "ok" : "not storing")","sessions":\#(sessions.all.count),"pages":\#(pages),"#
        + #""unstored":\#(unstored)}"# + "\n", type: "application/json")
  }

  // MARK: For developers

  /// Returns whether a request comes from this machine, under a loopback name, and not through a proxy.
  private func isForDevelopers(_ request: WebRequest) -> Bool {
    request.isLocal && request.isDirect && request.headers["host"].map(requests.isLoopback) == true
  }

  /// Returns a page with the user's sessions, with their navigation trees and histories, and the plugin graph.
  private func inspector(_ request: WebRequest) async -> WebResponse {
    guard isForDevelopers(request) else {
      return Self.refuse(404, Words.RefusalTitle.nothingHere, Words.Refusal.onlyLocal(request.path))
    }
    guard let person = person(known: request) else {
      return Self.refuse(403, Words.RefusalTitle.unknownBrowser, Words.Refusal.unknownDeveloper)
    }
    var page = InspectorPage(
      sessions: [], hasGraph: options.graph != nil, isFollowing: request.query.hasPrefix("follow"))
    for session in sessions.all.values.sorted(by: { $0.id.rawValue < $1.id.rawValue })
    where session.person.id == person.id || session.id == options.onlySession {
      var shown = InspectorPage.Session(
        title: session.presentation.top?.title ?? "", address: session.address, pages: session.pageCount)
      do {
        (shown.tree, shown.history) = (try await session.tree(), try await session.history())
      } catch {
        shown.problem = "\(error)"
      }
      page.sessions.append(shown)
    }
    return .page(page.page(version: WebAssets.version))
  }
}
