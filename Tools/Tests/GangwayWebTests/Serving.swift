import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// The command has the same conformances.
extension UserSessions: SessionSource {}
extension PrometheusMetrics: HostCounts {}

/// A server over real hosts, for a test.
@MainActor final class Serving {
  let workshop: Workshop
  private(set) var userSessions: UserSessions
  private(set) var site: Site
  private(set) var server: WebServer
  private let plugins: [String]
  private let hosts: Int
  private let isBreakable: Bool
  private let change: @MainActor (inout Site.Options) -> Void

  /// Opens a server for plugins.
  ///
  /// - Parameters:
  ///   - hasTrouble: whether to add a feature that crashes hosts.
  ///   - hosts: the number of hosts that share the sessions.
  ///   - isBreakable: whether the test can keep hosts from starting.
  init(
    _ plugins: [String], hasTrouble: Bool = false, hosts: Int = 1, isBreakable: Bool = false,
    _ change: @escaping @MainActor (inout Site.Options) -> Void = { _ in }
  ) async throws {
    workshop = try Workshop()
    self.plugins = (hasTrouble ? [try await workshop.trouble()] : []) + plugins
    (self.hosts, self.isBreakable, self.change) = (hosts, isBreakable, change)
    let port = try Self.freePort()
    (userSessions, site, server) = try await Self.open(workshop, self.plugins, hosts, isBreakable, change, port: port)
  }

  /// The ports of earlier servers of this process. Two tests never share one.
  private static var takenPorts: Set<Int> = []

  /// Returns a free port that no outgoing connection takes while the server restarts.
  ///
  /// Linux takes the ports of outgoing connections from 32,768 on: `ip_local_port_range` of ip(7).
  private static func freePort() throws -> Int {
    for _ in 0..<100 {
      let port = Int.random(in: 20_000..<32_000)
      if isFree(port), takenPorts.insert(port).inserted { return port }
    }
    throw POSIXError(.EADDRINUSE)
  }

  /// Returns whether a server can listen on a port.
  private static func isFree(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    // As for the server, old connections do not count: SO_REUSEADDR of socket(7).
    var reuses: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func open(
    _ workshop: Workshop, _ plugins: [String], _ hosts: Int, _ isBreakable: Bool,
    _ change: (inout Site.Options) -> Void, port: Int
  ) async throws -> (UserSessions, Site, WebServer) {
    var settings = Site.Options()
    let host = isBreakable ? try workshop.breakableHost() : nil
    let options = workshop.options(plugins) {
      if let host { $0.host = host }
      $0.keepsSpare = true
      $0.counts = settings.metrics
    }
    let userSessions = try UserSessions(options, hosts: hosts, folder: workshop.path("sessions"))
    settings.peopleFile = workshop.path("people.json")
    change(&settings)
    let site = try Site(userSessions, settings)
    return (userSessions, site, try await WebServer.start(site, port: port))
  }

  /// Ends the server in order, and opens it again on the same port.
  ///
  /// - Parameter meanwhile: a function to call in between.
  func restart(_ meanwhile: () throws -> Void = {}) async throws {
    let port = server.port
    await stop()
    try meanwhile()
    // A process that another test is starting holds the closed socket until it executes its program.
    try await eventually { Self.isFree(port) }
    (userSessions, site, server) = try await Self.open(workshop, plugins, hosts, isBreakable, change, port: port)
  }

  /// Returns the address of a path.
  func address(_ path: String) -> String { "http://127.0.0.1:\(server.port)\(path)" }
  /// Returns an address that admits one browser.
  func entrance() -> String { address(site.makeEntrance()) }

  /// Opens a page in a browser, with its own session.
  func visit(_ browser: Chromium, width: Int = 1280, height: Int = 900) async throws -> Chromium.Page {
    let entrance = entrance()
    return try await elsewhere {
      let page = try browser.open(width: width, height: height)
      try page.go(entrance)
      try page.wait(Self.live)
      return page
    }
  }
  /// Admits a user with a session.
  func visitor() async throws -> Visitor {
    let (port, entrance) = (server.port, site.makeEntrance())
    return try await elsewhere {
      let visitor = try #require(Visitor.enter(entrance, port: port))
      // The address works only once.
      #expect(visitor.ask("GET", entrance, isKnown: false).contains("403"))
      return visitor
    }
  }
  /// An expression for whether all events of a page have been answered.
  nonisolated static let answered = "!document.documentElement.hasAttribute('data-busy')"
  /// An expression for whether a page follows its session.
  nonisolated static let live = "document.documentElement.classList.contains('live')"

  /// Kills the host of the sessions, and waits for another.
  func killHost() async throws {
    let hosts = userSessions.hostProcessIDs
    for host in hosts { kill(host, SIGKILL) }
    // The end of the spare may be known first.
    try await eventually {
      let now = self.userSessions.hostProcessIDs
      return !now.isEmpty && Set(now).isDisjoint(with: hosts)
    }
  }

  func stop() async {
    await server.stop()
    await userSessions.stop()
  }
}

extension Chromium.Page {
  /// Types into a field by keyboard, and waits until the text has arrived.
  func type(_ text: String, into field: String) throws {
    try tab(to: "textbox", field)
    try type(text)
    try wait(Serving.answered)
  }
}
