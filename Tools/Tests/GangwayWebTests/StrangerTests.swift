import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// Requests of browsers that are not admitted.
@MainActor @Suite(.serialized) struct StrangerTests {
  /// The server does not keep the bodies of unknown browsers in memory.
  @Test func bodiesOfStrangersAreNotKept() async throws {
    let workshop = try Workshop()
    let server = try await ServeCommand(["--plugin", "scenes"], in: workshop)
    let (port, entrance, process) = (server.port, server.entrance, server.processID)
    try await elsewhere {
      let visitor = try #require(Visitor.enter(entrance, port: port))
      let before = ProcessMemory.resident(process)
      #expect(before > 0)
      let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1_900_000)
      let head = "POST / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 2000000\r\n\r\n"
      let many = (0..<30).compactMap { RawConnection(port, from: "127.0.2.\($0 + 1)") }
      #expect(many.count == 30)
      for connection in many {
        connection.send(head)
        connection.send(part)
      }
      // The server answers each request at the end of its body, so all bodies have arrived by the last answer.
      var most = ProcessMemory.resident(process)
      for connection in many {
        connection.send([UInt8](repeating: UInt8(ascii: "x"), count: 100_000))
        #expect(connection.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 403"))
        most = max(most, ProcessMemory.resident(process))
      }
      // All bodies together have 60 MB.
      #expect(most - before < 24, "30 bodies took the server from \(before) to \(most) MB")
      // A user's form arrives complete, even if it is long.
      let form = "token=x&text=" + String(repeating: "y", count: 1_900_000)
      let answer = visitor.ask("POST", "/~\(visitor.session)/", body: form)
      #expect(answer.contains("The form is not from a page of this server"), "\(answer.prefix(300))")
    }
    #expect(try await server.stop() == 0)
  }

  /// A stranger's body that is announced as too long is refused before it arrives.
  @Test(arguments: ["2000000", "9223372036854775807"]) func longBodiesOfStrangersAreNotWaitedFor(_ length: String)
    async throws
  {
    let serving = try await Serving(["scenes"])
    let visitor = try await serving.visitor()
    try await elsewhere {
      let stranger = try #require(RawConnection(visitor.port))
      stranger.send("POST / HTTP/1.1\r\nHost: 127.0.0.1:\(visitor.port)\r\nContent-Length: \(length)\r\n\r\nx")
      let answer = stranger.read(until: "\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 403") && answer.contains("Connection: close"), "\(answer)")
      stranger.send([UInt8](repeating: UInt8(ascii: "x"), count: 200_000))
      #expect(stranger.closes())
      #expect(visitor.page().contains("HTTP/1.1 200"))
    }
    await serving.stop()
  }

  /// An admitted browser keeps its sessions, and leaves a second address for another browser.
  @Test func aBrowserThatIsInKeepsItsCookie() async throws {
    let serving = try await Serving(["scenes"])
    let visitor = try await serving.visitor()
    let entrance = serving.site.makeEntrance()
    try await elsewhere {
      #expect(visitor.page("scenes/2?text=kept").contains("You typed: kept"))
      let again = visitor.ask("GET", entrance)
      #expect(again.hasPrefix("HTTP/1.1 200") && !again.contains("Set-Cookie"), "\(again)")
      #expect(visitor.page().contains("You typed: kept"))
      let other = try #require(Visitor.enter(entrance, port: visitor.port))
      #expect(other.cookie != visitor.cookie)
    }
    await serving.stop()
  }

  /// Metrics are for the operator only, so requests through a proxy do not get them.
  @Test(arguments: [
    "X-Real-IP", "CF-Connecting-IP", "True-Client-IP", "X-Client-IP", "X-Cluster-Client-IP", "Fastly-Client-IP",
    "X-Envoy-External-Address", "CF-Ray", "X-Forwarded-For", "Forwarded", "Via",
  ])
  func metricsAreNotForRequestsOfAProxy(_ header: String) async throws {
    let serving = try await Serving(["scenes"])
    let visitor = try await serving.visitor()
    try await elsewhere {
      #expect(visitor.ask("GET", "/_gangway/metrics", isKnown: false).hasPrefix("HTTP/1.1 200"))
      let answer = visitor.ask("GET", "/_gangway/metrics", headers: "\(header): 192.0.2.1\r\n", isKnown: false)
      #expect(answer.hasPrefix("HTTP/1.1 404"), "\(answer)")
    }
    await serving.stop()
  }
}
