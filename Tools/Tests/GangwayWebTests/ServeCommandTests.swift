import Foundation
import TestSupport
import Testing

/// `gangway serve` as whoever runs a server has it.
@MainActor @Suite(.serialized) struct ServeCommandTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// The command, from its first line to its end.
  private final class Server: Sendable {
    private let process = Process()
    private let errors: String
    let port: Int
    let entrance: String

    /// Starts it and waits for the address that it prints.
    @MainActor init(_ arguments: [String], in workshop: Workshop) async throws {
      errors = workshop.path("errors-\(UUID().uuidString)")
      _ = FileManager.default.createFile(atPath: errors, contents: nil)
      process.executableURL = URL(fileURLWithPath: Workshop.built + "/gangway")
      process.arguments = ["serve", "--plugin", "scenes", "--state-dir", workshop.path("kept")] + arguments
      process.environment = ProcessInfo.processInfo.environment.merging([
        "XDG_STATE_HOME": workshop.path("state"), "XDG_DATA_HOME": workshop.path("data"),
        "XDG_CACHE_HOME": Workshop.caches, "XDG_CONFIG_HOME": workshop.path("config"),
      ]) { $1 }
      let output = Pipe()
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = FileHandle(forWritingAtPath: errors)
      try process.run()
      let line = try await elsewhere {
        var bytes = Data()
        while !bytes.contains(UInt8(ascii: "\n")) {
          let more = output.fileHandleForReading.availableData
          guard !more.isEmpty else { break }
          bytes += more
        }
        return String(decoding: bytes, as: UTF8.self)
      }
      let address = line.firstMatch(of: /^Open http:\/\/127\.0\.0\.1:(\d+)(\/\S*)/)
      port = address.flatMap { Int($0.1) } ?? 0
      entrance = address.map { String($0.2) } ?? ""
    }

    /// What it complained of so far.
    var complaints: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

    /// Ends it in order.
    func stop() async throws -> Int32 {
      try await elsewhere { [process] in
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        return process.terminationStatus
      }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
  }

  /// Browsers know a server by its port, and a page that is open comes again where it was.
  @Test func withoutAPortItHasTheOneOfLastTime() async throws {
    let first = try await Server([], in: workshop)
    let (port, entrance) = (first.port, first.entrance)
    let visitor = try await elsewhere { try #require(Visitor.enter(entrance, port: port)) }
    try await elsewhere { #expect(visitor.page("scenes/2?text=kept").contains("You typed: kept")) }
    #expect(try await first.stop() == 0)
    let second = try await Server([], in: workshop)
    #expect(second.port == port)
    #expect(second.complaints.isEmpty, "\(second.complaints)")
    try await elsewhere { #expect(visitor.page().contains("You typed: kept")) }
    #expect(try await second.stop() == 0)

    // One that is named is the one of last time from then on.
    let free = try await Server(["--port", "0"], in: workshop)
    _ = try await free.stop()
    let third = try await Server([], in: workshop)
    #expect(third.port == free.port)
    #expect(try await third.stop() == 0)
  }

  @Test func aPortThatIsTakenIsSaidAndAnotherIsHad() async throws {
    let first = try await Server([], in: workshop)
    let second = try await Server([], in: workshop)
    #expect(second.port != 0 && second.port != first.port)
    #expect(second.complaints.contains("Port \(first.port)"), "\(second.complaints)")
    #expect(second.complaints.contains("--state-dir"), "\(second.complaints)")
    // Whoever names a port means that one.
    let named = try await Server(["--port", "\(first.port)"], in: workshop)
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
      let server = try await Server([], in: workshop)
      #expect(server.port > 0)
      #expect(server.complaints.isEmpty, "\(server.complaints)")
      #expect(try await server.stop() == 0)
    }
  }
}
