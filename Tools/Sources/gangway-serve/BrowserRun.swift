import ArgumentParser
@_spi(FrontEnd) import GangwayClient
import GangwayCommand
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayWeb

/// One user's app in a browser: every page shows the session of `gangway run` or `gangway attach`.
@MainActor final class BrowserRun: SessionSource, BrowserPage {
  private let session: any SessionConnection
  private let language: PageLanguage
  private let graph: (@MainActor @Sendable () async -> String)?
  private var notices: [Update.Notice]
  private let (codes, sender) = AsyncStream.makeStream(of: Int32.self)
  /// The name of the session in addresses.
  private static let name: SessionID = "main"

  /// Prepares to serve a session.
  ///
  /// - Parameters:
  ///   - notices: the notifications to show at the start.
  ///   - language: the language of the features.
  ///   - graph: draws the dependencies between plugins, for developers.
  init(
    _ session: any SessionConnection, _ notices: [Update.Notice], language: PageLanguage,
    graph: (@MainActor @Sendable () async -> String)?
  ) {
    (self.session, self.notices, self.language, self.graph) = (session, notices, language, graph)
  }

  /// Serves the session until ``stop(_:)``.
  ///
  /// - Returns: the exit code.
  /// - Throws: the exit code, if there is no free port.
  func run() async throws -> Int32 {
    var options = Site.Options()
    options.onlySession = Self.name
    options.graph = graph
    options.language = language
    let site: Site
    let server: WebServer
    do {
      let notice = try options.limits.fit(descriptors: DescriptorLimit.raise(), hosts: 2)
      if let notice { Locations.note(notice) }
      site = try Site(self, options)
      server = try await WebServer.start(site, port: 0)
    } catch let failure as WebServer.Failure {
      Locations.fail(failure)
      throw ExitCode(1)
    }
    func say(_ words: (String) -> String) {
      _ = Locations.output(words("http://127.0.0.1:\(server.port)\(site.makeEntrance())") + "\n")
    }
    site.didEnter = { say(Words.addressForBrowser) }
    say(Words.open)
    var code: Int32 = 0
    for await number in codes {
      code = number
      break
    }
    await server.stop()
    return code
  }

  /// Ends ``run()``.
  func stop(_ code: Int32) { sender.yield(code) }

  // MARK: The session

  /// Unused, because the app ends if no host stays up.
  var didEnd: (SessionID, any Error) -> Void = { _, _ in }
  func open(
    _ id: SessionID, of person: String, isOwners: Bool, isKept: Bool
  ) async throws -> (session: any SessionConnection, notices: [Update.Notice]) {
    defer { notices = [] }
    return (session, notices)
  }
  func keep(_ id: SessionID, of person: String) throws {}
  func isStored(_ id: SessionID, of person: String) -> Bool { id == Self.name }
  var unstoredCount: Int { 0 }
  func hasSessions(of person: String) -> Bool { true }
  func forget(_ person: String) {}
  func copy(_ id: SessionID, to other: SessionID, of person: String) async throws {}
  func putAway(_ id: SessionID, of person: String) async {}
}
