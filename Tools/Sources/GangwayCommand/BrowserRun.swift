import ArgumentParser
import GangwayClient
import GangwayProtocol
import GangwaySupervisor
import GangwayWeb

/// One person's app in a browser: the session of `gangway run`, whatever page asks.
@MainActor final class BrowserRun: WebSessionSource {
  private let supervisor: Supervisor
  private var notices: [Update.Notice]
  private let (codes, sender) = AsyncStream.makeStream(of: Int32.self)
  /// The name of the session in addresses.
  private static let session = "main"

  init(_ supervisor: Supervisor, _ notices: [Update.Notice]) { (self.supervisor, self.notices) = (supervisor, notices) }

  /// Serves it until it is stopped.
  ///
  /// - Returns: the exit code.
  /// - Throws: the exit code, where there is no port to be had.
  func run() async throws -> Int32 {
    var options = Site.Options()
    options.onlySession = Self.session
    let site = Site(self, options)
    let server: WebServer
    do {
      server = try await WebServer.start(site, port: 0)
    } catch let failure as WebServer.Failure {
      Locations.complain("gangway: \(failure)")
      throw ExitCode(1)
    }
    func say(_ text: String) { _ = Locations.output("\(text) http://127.0.0.1:\(server.port)\(site.makeEntrance())\n") }
    site.didEnter = { say("That address was used. For another browser:") }
    say("Open")
    var code: Int32 = 0
    for await number in codes {
      code = number
      break
    }
    await server.stop()
    return code
  }

  /// Ends it.
  func stop(_ code: Int32) { sender.yield(code) }

  // MARK: The session

  func open(_ id: String, of person: String) async throws -> (session: any SessionConnection, notices: [Update.Notice])
  {
    defer { notices = [] }
    return (supervisor, notices)
  }
  func isStored(_ id: String, of person: String) -> Bool { id == Self.session }
  func copy(_ id: String, to other: String, of person: String) async throws {}
  func putAway(_ id: String, of person: String) async {}
}
