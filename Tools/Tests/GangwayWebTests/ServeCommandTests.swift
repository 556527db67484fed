import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

/// `gangway serve`, as a server's operator uses it.
@MainActor @Suite(.serialized) struct ServeCommandTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func serve(_ arguments: [String] = []) async throws -> ServeCommand {
    try await ServeCommand(["--plugin", "scenes"] + arguments, in: workshop)
  }

  /// Browsers identify a server by its port, so an open page reconnects to the same session.
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

    // An explicit port becomes the default of later runs.
    let free = try await serve(["--port", "0"])
    _ = try await free.stop()
    let third = try await serve()
    #expect(third.port == free.port)
    #expect(try await third.stop() == 0)
  }

  @Test func aPortThatIsTakenIsSaidAndAnotherIsHad() async throws {
    let first = try await serve()
    let taken = first.port
    #expect(try await first.stop() == 0)
    let elsewhere = try Workshop()
    let other = try await ServeCommand(["--plugin", "scenes", "--port", "\(taken)"], in: elsewhere)
    #expect(other.port == taken)
    let second = try await serve()
    #expect(second.port != 0 && second.port != taken)
    #expect(second.complaints.contains("port \(taken)"), "\(second.complaints)")
    #expect(try await second.stop() == 0)
    // An explicit port is never replaced by another one.
    let named = try await serve(["--port", "\(taken)"])
    #expect(named.port == 0)
    #expect(named.complaints.contains("Port \(taken) of 127.0.0.1 is not available"), "\(named.complaints)")
    #expect(try await named.stop() == 1)
    #expect(try await other.stop() == 0)
  }

  // MARK: The folder of its state

  /// Two servers would overwrite each other's sessions.
  @Test func aFolderThatAServerHasIsRefused() async throws {
    let first = try await serve()
    let second = try await serve(["--port", "0"])
    #expect(second.port == 0)
    #expect(second.complaints.contains("process \(first.processID)"), "\(second.complaints)")
    #expect(second.complaints.contains("--state-dir"), "\(second.complaints)")
    #expect(try await second.stop() == 73)
    // A killed server no longer holds the folder.
    kill(first.processID, SIGKILL)
    _ = try await first.stop()
    let third = try await serve()
    #expect(third.port > 0, "\(third.complaints)")
    #expect(try await third.stop() == 0)
  }

  /// Other users could add a cookie of their own to the folder, and use the server.
  @Test func aFolderThatOthersCanWriteToIsRefused() async throws {
    let kept = workshop.path("kept")
    try FileManager.default.createDirectory(
      atPath: kept, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for mode: mode_t in [0o777, 0o720, 0o702] {
      chmod(kept, mode)
      let server = try await serve()
      #expect(server.port == 0, "\(String(mode, radix: 8))")
      #expect(
        server.complaints.contains("'\(kept)'") && server.complaints.contains("mode \(String(mode, radix: 8))"),
        "\(server.complaints)")
      #expect(server.complaints.contains("chmod 700"), "\(server.complaints)")
      #expect(try await server.stop() == 73)
    }
    // A folder that others can read, as `mkdir` makes it, becomes private.
    chmod(kept, 0o755)
    let server = try await serve()
    #expect(server.port > 0, "\(server.complaints)")
    #expect(Self.mode(of: kept) == 0o700)
    #expect(try await server.stop() == 0)
    // Another user who can write beside a link could redirect it.
    try FileManager.default.moveItem(atPath: kept, toPath: workshop.path("real"))
    symlink(workshop.path("real"), kept)
    let linked = try await serve()
    #expect(linked.port == 0)
    #expect(linked.complaints.contains("link"), "\(linked.complaints)")
    #expect(try await linked.stop() == 73)
  }

  /// A user who can change the list can add a cookie of their own, and use the server.
  @Test func aListOfUsersThatOthersCanChangeIsRefused() async throws {
    let first = try await serve()
    let (port, entrance) = (first.port, first.entrance)
    let visitor = try await elsewhere {
      let visitor = try #require(Visitor.enter(entrance, port: port))
      #expect(visitor.page("scenes/2?text=kept").contains("You typed: kept"))
      return visitor
    }
    #expect(try await first.stop() == 0)
    let people = workshop.path("kept/people.json")
    #expect(Self.mode(of: people) == 0o600)
    for mode: mode_t in [0o666, 0o640] {
      chmod(people, mode)
      let second = try await serve()
      #expect(second.port == 0, "\(String(mode, radix: 8))")
      #expect(
        second.complaints.contains("people.json") && second.complaints.contains("mode \(String(mode, radix: 8))"),
        "\(second.complaints)")
      #expect(try await second.stop() == 1)
    }
    chmod(people, 0o600)
    let third = try await serve()
    try await elsewhere { #expect(visitor.page().contains("<h1")) }
    #expect(try await third.stop() == 0)
    try FileManager.default.moveItem(atPath: people, toPath: workshop.path("planted"))
    symlink(workshop.path("planted"), people)
    let linked = try await serve()
    #expect(linked.port == 0)
    #expect(linked.complaints.contains("people.json"), "\(linked.complaints)")
    #expect(try await linked.stop() == 1)
  }

  @Test func filesOfAServerArePrivateWhateverTheMask() async throws {
    let server = try await ServeCommand(["--plugin", "scenes"], in: workshop, limit: "-c 0 && umask 0")
    let (port, entrance) = (server.port, server.entrance)
    let visitor = try await elsewhere { try #require(Visitor.enter(entrance, port: port)) }
    try await elsewhere { #expect(visitor.page("scenes/2?text=kept").contains("You typed: kept")) }
    #expect(try await server.stop() == 0)
    let kept = workshop.path("kept")
    let files = try FileManager.default.subpathsOfDirectory(atPath: kept)
    #expect(files.contains("port") && files.contains("people.json"))
    #expect(files.contains { $0.hasPrefix("sessions/") && $0.hasSuffix(".json") })
    for file in files { #expect(Self.mode(of: "\(kept)/\(file)") & 0o077 == 0, "\(file)") }
  }

  private static func mode(of path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
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
