import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// Several requests on one connection.
@MainActor @Suite struct PipeliningTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// A client that sends requests without reading answers can use only a limited part of the server's memory.
  @Test func answersThatNobodyReadsAreNotMade() async throws {
    let server = try await ServeCommand(["--plugin", "scenes"], in: workshop)
    let (port, entrance, process) = (server.port, server.entrance, server.processID)
    try await elsewhere {
      let visitor = try #require(Visitor.enter(entrance, port: port))
      let page = visitor.page()
      let style = try #require(
        page.firstMatch(of: /href="(\/_gangway\/[^"]+\.css[^"]*)"/).map { String($0.1) }, "\(page)")
      let size = visitor.ask("GET", style, isKnown: false).utf8.count
      #expect(size > 4_096, "The style sheet has \(size) bytes")
      let before = ProcessMemory.resident(process)
      #expect(before > 0)
      let connection = try #require(RawConnection(port, seconds: 2))
      let request = "GET \(style) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
      var (sent, most, isFull) = (0, before, false)
      // All answers together would be 20,000 times as long as one. The client waits for answers while the system's
      // buffers have room for them: the server closes a connection with too many waiting requests.
      while sent < 20_000, connection.send(String(repeating: request, count: 10)) {
        sent += 10
        if isFull { usleep(1_000) } else { isFull = !connection.awaitArrival(of: 10 * size) }
        most = max(most, ProcessMemory.resident(process))
      }
      #expect(sent > 100 && sent < 20_000)
      #expect(most - before < 24, "\(sent) requests took the server from \(before) to \(most) MB")
      // The client had more waiting requests than a connection may have.
      #expect(connection.closes())
      #expect(visitor.page().contains("Scene 1"))
      // A client that reads gets the answers in order.
      let reader = try #require(RawConnection(port))
      reader.send(
        String(repeating: request, count: 15) + "GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      let answers = reader.readAll().components(separatedBy: "HTTP/1.1 ").dropFirst()
      #expect(answers.map { $0.prefix(3) } == Array(repeating: "200", count: 15) + ["421"])
    }
    _ = try await server.stop()
  }

  /// Proxies reuse a connection for requests of many users.
  @Test func aPageCanFollowOnAConnectionThatHadOtherRequests() async throws {
    let server = try await ServeCommand(["--plugin", "scenes"], in: workshop)
    let (port, entrance) = (server.port, server.entrance)
    try await elsewhere {
      let visitor = try #require(Visitor.enter(entrance, port: port))
      let connection = try #require(RawConnection(port))
      for _ in 0..<3 {
        connection.send(
          "GET /_gangway/health HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nCookie: \(visitor.cookie)\r\n\r\n")
        let head = connection.read(until: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200"), "\(head)")
        let length = try #require(head.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) })
        var body: [UInt8] = []
        while body.count < length, let part = connection.read(), !part.isEmpty { body += part }
        #expect(body.count == length)
      }
      connection.send(
        "GET /_gangway/follow?session=\(visitor.session)&revision=-1 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
          + "Origin: http://127.0.0.1:\(port)\r\nCookie: \(visitor.cookie)\r\nConnection: Upgrade\r\n"
          + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
      let answer = connection.read(until: "\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 101"), "\(answer)")
      #expect(connection.readMessage()?.contains("Scene 1") == true)
    }
    _ = try await server.stop()
  }
}
