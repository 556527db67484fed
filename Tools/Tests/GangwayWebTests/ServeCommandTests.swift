import Foundation
import TestSupport
import Testing

/// `gangway serve` as whoever runs a server has it.
@MainActor @Suite(.serialized) struct ServeCommandTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func serve(_ arguments: [String] = []) async throws -> ServeCommand {
    try await ServeCommand(["--plugin", "scenes"] + arguments, in: workshop)
  }

  /// Browsers know a server by its port, and a page that is open comes again where it was.
  @Test func withoutAPortItHasTheOneOfLastTime() async throws {
    let first = try await serve()
    let (port, entrance) = (first.port, first.entrance)
    let visitor = try await elsewhere { try #require(Visitor.enter(entrance, port: port)) }
    try await elsewhere { #expect(visitor.page("scenes/2?text=kept").contains("You typed: kept")) }
    #expect(try await first.stop() == 0)
    let second = try await serve()
    #expect(second.port == port)
    #expect(second.complaints.isEmpty, "\(second.complaints)")
    try await elsewhere { #expect(visitor.page().contains("You typed: kept")) }
    #expect(try await second.stop() == 0)

    // One that is named is the one of last time from then on.
    let free = try await serve(["--port", "0"])
    _ = try await free.stop()
    let third = try await serve()
    #expect(third.port == free.port)
    #expect(try await third.stop() == 0)
  }

  @Test func aPortThatIsTakenIsSaidAndAnotherIsHad() async throws {
    let first = try await serve()
    let second = try await serve()
    #expect(second.port != 0 && second.port != first.port)
    #expect(second.complaints.contains("Port \(first.port)"), "\(second.complaints)")
    #expect(second.complaints.contains("--state-dir"), "\(second.complaints)")
    // Whoever names a port means that one.
    let named = try await serve(["--port", "\(first.port)"])
    #expect(named.port == 0)
    #expect(named.complaints.contains("Port \(first.port) of 127.0.0.1 cannot be had"), "\(named.complaints)")
    #expect(try await named.stop() == 1)
    #expect(try await second.stop() == 0)
    #expect(try await first.stop() == 0)
  }

  @Test func whatIsNoPortIsNone() async throws {
    try FileManager.default.createDirectory(atPath: workshop.path("kept"), withIntermediateDirectories: true)
    for text in ["", "port\n", "-1\n", "70000\n", String(repeating: "9", count: 10_000)] {
      try text.write(toFile: workshop.path("kept/port"), atomically: true, encoding: .utf8)
      let server = try await serve()
      #expect(server.port > 0)
      #expect(server.complaints.isEmpty, "\(server.complaints)")
      #expect(try await server.stop() == 0)
    }
  }
}
