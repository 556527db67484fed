import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// Features that a server shows to its owner alone.
@MainActor @Suite(.serialized) struct OwnerTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop()
    try FileManager.default.createDirectory(atPath: workshop.path("shown"), withIntermediateDirectories: true)
    try Data("the combination".utf8).write(to: URL(fileURLWithPath: workshop.path("shown/secret.txt")))
    let text = #"""
      {"start": "scenes.main", "ownerOnly": ["files"], "plugins": {"files": {"root": "\#(workshop.path("shown"))"}},
       "tabs": {"expected": [{"tab": "files.main", "title": "Files"}]}}
      """#
    try Data(text.utf8).write(to: URL(fileURLWithPath: workshop.path("app.json")))
  }

  private func serve(_ arguments: [String] = []) async throws -> ServeCommand {
    try await ServeCommand(
      ["--plugin", "scenes", "--plugin", "files", "--config", workshop.path("app.json")] + arguments, in: workshop)
  }

  /// Every way that a user may try to open the feature.
  private nonisolated static let ways = ["", "files", "files/in/", "files/at/etc/passwd"]

  private nonisolated static func sees(_ visitor: Visitor) -> Bool {
    ways.contains { way in
      let page = visitor.page(way)
      return page.contains(">Files<") || page.contains("secret.txt") || page.contains("root:")
    }
  }

  @Test func theFirstAddressIsTheOwnersAndTheOthersDoNotSeeTheFeature() async throws {
    let server = try await serve()
    let (port, entrance) = (server.port, server.entrance)
    let owner = try await elsewhere { try #require(Visitor.enter(entrance, port: port)) }
    let next = try #require(try await server.nextEntrance())
    #expect(next.text == "The address above has been used. Address for another user:")
    let other = try await elsewhere {
      #expect(Self.sees(owner))
      let other = try #require(Visitor.enter(next.path, port: port))
      #expect(other.page().contains("Scene 1") && !Self.sees(other))
      #expect(Self.sees(owner))
      return other
    }
    #expect(try await server.stop() == 0)

    // The same after a restart, where the printed address is not the owner's any more.
    let again = try await serve()
    let (later, another) = (again.port, again.entrance)
    #expect(later == port)
    try await elsewhere {
      let owner = try #require(Visitor.enter("/", port: later, cookie: owner.cookie))
      let other = try #require(Visitor.enter("/", port: later, cookie: other.cookie))
      #expect(Self.sees(owner) && !Self.sees(other))
      let third = try #require(Visitor.enter(another, port: later))
      #expect(!Self.sees(third))
    }
    #expect(try await again.stop() == 0)

    // The owner has a second browser.
    let more = try await serve(["--owner-address"])
    let (port3, own) = (more.port, more.entrance)
    try await elsewhere {
      let second = try #require(Visitor.enter(own, port: port3))
      #expect(Self.sees(second))
    }
    #expect(try await more.stop() == 0)
  }

  @Test func whereAnyoneMayComeOnlyTheOwnersAddressShowsIt() async throws {
    let server = try await serve(["--anyone", "--owner-address"])
    let port = server.port
    let owners = try #require(try await server.nextEntrance())
    #expect(owners.text == "For the owner:")
    try await elsewhere {
      let greeted = Visitor(port: port, cookie: "", session: "").ask("GET", "/", isKnown: false)
      let cookie = try #require(greeted.firstMatch(of: /Set-Cookie: ([^;]+);/)).1
      let welcome = try #require(greeted.firstMatch(of: /Location: ([^\r]+)/)).1
      _ = Visitor(port: port, cookie: String(cookie), session: "").ask("GET", String(welcome))
      let stranger = try #require(Visitor.enter("/", port: port, cookie: String(cookie)))
      #expect(stranger.page().contains("Scene 1") && !Self.sees(stranger))
      let owner = try #require(Visitor.enter(owners.path, port: port))
      #expect(Self.sees(owner) && !Self.sees(stranger))
    }
    #expect(try await server.stop() == 0)
  }

  @Test func aBrowserThatIsInBecomesTheOwnersByTheOwnersAddress() async throws {
    let server = try await serve(["--owner-address"])
    let (port, first) = (server.port, server.entrance)
    _ = try await elsewhere { try #require(Visitor.enter(first, port: port)) }
    let next = try #require(try await server.nextEntrance())
    let other = try await elsewhere { try #require(Visitor.enter(next.path, port: port)) }
    try await elsewhere {
      let seen = Self.sees(other)
      #expect(!seen)
    }
    #expect(try await server.stop() == 0)

    let again = try await serve(["--owner-address"])
    let (later, owners) = (again.port, again.entrance)
    try await elsewhere {
      let known = try #require(Visitor.enter("/", port: later, cookie: other.cookie))
      #expect(!Self.sees(known))
      #expect(known.ask("GET", owners).hasPrefix("HTTP/1.1 200"))
      let own = try #require(Visitor.enter("/", port: later, cookie: other.cookie))
      #expect(Self.sees(own))
      // The address works once.
      #expect(known.ask("GET", owners, isKnown: false).hasPrefix("HTTP/1.1 403"))
    }
    #expect(try await again.stop() == 0)
    let third = try await serve()
    let port3 = third.port
    try await elsewhere {
      let own = try #require(Visitor.enter("/", port: port3, cookie: other.cookie))
      #expect(Self.sees(own))
    }
    #expect(try await third.stop() == 0)
  }

  @Test func aServerWithNothingForTheOthersIsRefused() async throws {
    let server = try await ServeCommand(
      ["--plugin", "files", "--config", workshop.path("app.json")], in: workshop)
    #expect(server.port == 0)
    #expect(
      server.complaints.contains(
        "Every plugin given with --plugin (files) is in 'ownerOnly', so users other than the owner would get"))
    #expect(try await server.stop() != 0)
  }
}
