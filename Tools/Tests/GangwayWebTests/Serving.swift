import Foundation
import GangwayClient
import GangwayProtocol
import TestSupport
import Testing

@testable import GangwaySupervisor
@testable import GangwayWeb

/// A server over real hosts, for a test.
@MainActor final class Serving {
  let workshop: Workshop
  private(set) var shelf: SessionShelf
  private(set) var site: Site
  private(set) var server: WebServer
  private let plugins: [String]
  private let change: @MainActor (inout Site.Options) -> Void

  /// Opens a server for the plugins.
  init(_ plugins: [String], _ change: @escaping @MainActor (inout Site.Options) -> Void = { _ in }) async throws {
    workshop = try Workshop()
    (self.plugins, self.change) = (plugins, change)
    (shelf, site, server) = try await Self.open(workshop, plugins, change, port: 0)
  }

  private static func open(
    _ workshop: Workshop, _ plugins: [String], _ change: (inout Site.Options) -> Void, port: Int
  ) async throws -> (SessionShelf, Site, WebServer) {
    let options = workshop.options(plugins) { $0.keepsSpare = true }
    let shelf = try SessionShelf(options, folder: workshop.path("sessions"))
    var settings = Site.Options()
    settings.peopleFile = workshop.path("people.json")
    change(&settings)
    let site = Site(Shelved(shelf), settings)
    return (shelf, site, try await WebServer.start(site, port: port))
  }

  /// Ends the server in order and opens it anew, on the same port.
  func restart() async throws {
    let port = server.port
    await stop()
    (shelf, site, server) = try await Self.open(workshop, plugins, change, port: port)
  }

  /// The address of a path.
  func address(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }
  /// An address that lets one browser in.
  func entrance() -> String { address(site.makeEntrance()) }
  /// Kills the host that has the sessions, and waits until there is another.
  func killHost() async throws {
    let hosts = shelf.hostProcessIDs
    for host in hosts { kill(host, SIGKILL) }
    try await eventually { !self.shelf.hostProcessIDs.isEmpty && self.shelf.hostProcessIDs != hosts }
  }

  func stop() async {
    await server.stop()
    await shelf.stop()
  }
}

/// The sessions of a shelf.
@MainActor private final class Shelved: WebSessionSource {
  private let shelf: SessionShelf
  init(_ shelf: SessionShelf) { self.shelf = shelf }
  func open(_ id: String, of person: String) async throws -> (session: any SessionConnection, notices: [Update.Notice])
  {
    let (keeper, notices) = try await shelf.open(id, of: person)
    return (keeper, notices)
  }
  func isStored(_ id: String, of person: String) -> Bool { shelf.isKnown(id, of: person) }
  func copy(_ id: String, to other: String, of person: String) async throws { shelf.copy(id, to: other) }
  func putAway(_ id: String, of person: String) async { await shelf.putAway(id) }
}

/// Waits until something is so.
@MainActor func eventually(seconds: Double = 20, _ condition: @MainActor () throws -> Bool) async throws {
  let limit = ContinuousClock.now + .seconds(seconds)
  while try !condition() {
    try #require(ContinuousClock.now < limit, "not within \(seconds) s")
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// Does something that waits, on another thread than the main one, which has the server.
func elsewhere<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: .init(catching: work)) }
  }
}
