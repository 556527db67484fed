import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// Requests at the limit of connections: some clients have priority.
@MainActor @Suite(.serialized) struct ConnectionLimitTests {
  nonisolated private static func health(_ connection: RawConnection?, _ port: Int) -> String {
    guard let connection else { return "" }
    connection.send("GET /_gangway/health HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
    return connection.readAll()
  }

  /// Opens pages of a user that follow the user's session.
  nonisolated private static func pages(_ count: Int, of visitor: Visitor) throws -> [RawConnection] {
    try (0..<count).map { _ in
      let (page, answer) = try #require(visitor.follow())
      #expect(answer.hasPrefix("HTTP/1.1 101"), "\(answer)")
      return page
    }
  }

  @Test func theOldestSilentConnectionGivesWayToANewOne() async throws {
    let serving = try await Serving(["scenes"]) { $0.limits.connections = 8 }
    let port = serving.server.port
    try await elsewhere {
      let silent = (1...8).compactMap { RawConnection(port, from: "127.0.1.\($0)") }
      #expect(silent.count == 8)
      #expect(Self.health(RawConnection(port), port).hasPrefix("HTTP/1.1 200"))
      #expect(silent[0].read() == [])
      for connection in silent.dropFirst(4) { #expect(!connection.isClosed) }
    }
    await serving.stop()
  }

  @Test func whoIsKnownGoesBeforeStrangers() async throws {
    let serving = try await Serving(["scenes"]) { $0.limits.connections = 16 }
    let (one, other) = (try await serving.visitor(), try await serving.visitor())
    let (port, entrance) = (serving.server.port, serving.site.makeEntrance())
    try await elsewhere {
      let open = try Self.pages(13, of: one) + Self.pages(1, of: other)
      // A stranger gets no connection although one place is free.
      let refused = other.ask("GET", "/", isKnown: false)
      #expect(refused.hasPrefix("HTTP/1.1 503") && refused.contains("Retry-After: 30\r\n"), "\(refused)")
      #expect(refused.contains("Try again in a minute."), "\(refused)")
      // Known users, invited users and monitors still get an answer.
      #expect(other.page().contains("<h1"))
      let form = "x=" + String(repeating: "y", count: 10_000)
      let answer = other.ask("POST", "/~\(other.session)/", body: form)
      #expect(answer.contains("The form is not from a page of this server"), "\(answer)")
      #expect(Self.health(RawConnection(port), port).hasPrefix("HTTP/1.1 200"))
      #expect(Visitor.enter(entrance, port: port) != nil)
      for page in open { #expect(!page.isClosed) }
    }
    await serving.stop()
  }

  @Test func whereAllPlacesAreInUseANewConnectionIsClosed() async throws {
    let serving = try await Serving(["scenes"]) { $0.limits.connections = 5 }
    let (one, other) = (try await serving.visitor(), try await serving.visitor())
    let port = serving.server.port
    try await elsewhere {
      var open = try Self.pages(4, of: one) + Self.pages(1, of: other)
      #expect(Self.health(RawConnection(port), port) == "")
      for page in open { #expect(!page.isClosed) }
      open.removeLast()
      let patience = Patience(.seconds(10))
      var answer = ""
      while answer.isEmpty, !patience.hasEnded { answer = Self.health(RawConnection(port), port) }
      #expect(answer.hasPrefix("HTTP/1.1 200"))
    }
    await serving.stop()
  }

  @Test func oneAddressCannotTakeAllPlaces() async throws {
    let serving = try await Serving(["scenes"]) { $0.limits.connections = 256 }
    let port = serving.server.port
    try await elsewhere {
      let others = (0..<10).compactMap { _ in RawConnection(port, from: "127.0.1.2") }
      let many = (0..<40).compactMap { _ in RawConnection(port, from: "127.0.1.1") }
      #expect(many.count == 40)
      // Of one address, the last 32 connections stay open.
      for connection in many.prefix(8) { #expect(connection.read() == []) }
      for connection in many.dropFirst(8) + others { #expect(!connection.isClosed) }
      // A user at the same address, for example behind a proxy, still gets an answer.
      #expect(Self.health(RawConnection(port, from: "127.0.1.1"), port).hasPrefix("HTTP/1.1 200"))
    }
    await serving.stop()
  }

  /// A user's connections beyond their share are closed first, like those of strangers.
  @Test func onePersonCannotTakeAllPlaces() async throws {
    let serving = try await Serving(["scenes"]) { $0.limits.connections = 40 }
    let (one, other) = (try await serving.visitor(), try await serving.visitor())
    try await elsewhere {
      let many = try Self.pages(40, of: one)
      #expect(other.page().contains("<h1"))
      #expect(other.follow()?.answer.hasPrefix("HTTP/1.1 101") == true)
      let patience = Patience(.seconds(10))
      while !many.contains(where: \.isClosed), !patience.hasEnded { usleep(10_000) }
      let closed = many.filter(\.isClosed)
      #expect((1...8).contains(closed.count), "\(closed.count)")
      for page in many.prefix(32) { #expect(!page.isClosed) }
    }
    await serving.stop()
  }

  /// Checks the limits that the server derives from its descriptors and hosts.
  ///
  /// - Parameters:
  ///   - descriptors: the most open descriptors of the process.
  ///   - hosts: the number of hosts.
  ///   - isolates: whether each session has its own host.
  ///   - connections: the expected limit of connections.
  ///   - sessions: the expected limit of sessions.
  @Test(arguments: [
    (65_536, 2, false, 4_096, 5_000), (65_536, 2, true, 4_096, 5_000), (20_000, 2, false, 4_096, 5_000),
    (4_096, 2, false, 2_004, 668), (1_024, 2, false, 468, 156), (1_024, 2, true, 468, 52), (256, 1, false, 90, 30),
  ])
  func descriptorsAreSharedOut(_ descriptors: Int, _ hosts: Int, _ isolates: Bool, _ connections: Int, _ sessions: Int)
    throws
  {
    var limits = WebLimits()
    let notice = try limits.fit(descriptors: descriptors, hosts: hosts, isolatesSessions: isolates)
    #expect(limits.connections == connections && limits.sessions == sessions)
    #expect((notice == nil) == (connections == 4_096 && sessions == 5_000), "\(notice ?? "")")
  }

  /// Each isolated session has a host, which takes memory.
  ///
  /// - Parameters:
  ///   - memory: the memory of the machine, in megabytes.
  ///   - sessions: the expected limit of sessions.
  ///   - perPerson: the expected limit of sessions per user.
  @Test(arguments: [(1_024, 16, 4), (4_096, 64, 16), (65_536, 1_024, 32), (16, 1, 1)])
  func isolatedSessionsAreBoundedByMemory(_ memory: Int, _ sessions: Int, _ perPerson: Int) throws {
    var limits = WebLimits()
    let notice = try limits.fit(descriptors: 65_536, hosts: 1, isolatesSessions: true, memory: memory << 20)
    #expect(limits.sessions == sessions && limits.sessionsPerPerson == perPerson)
    let text = try #require(notice)
    #expect(text.contains("\(memory) MB") && text.contains("limit of running sessions is \(sessions) "), "\(text)")
    // There are only a few shared hosts.
    var shared = WebLimits()
    #expect(try shared.fit(descriptors: 65_536, hosts: 1, memory: memory << 20) == nil)
    #expect(shared.sessions == WebLimits().sessions)
  }
}
