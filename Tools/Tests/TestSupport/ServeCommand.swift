import Foundation

/// A running `gangway serve`.
@_spi(FrontEnd) public final class ServeCommand: Sendable {
  private let process = Process()
  private let output = Pipe()
  private let errors: String
  /// The port of the printed address; 0 if none was printed.
  public let port: Int
  /// The path of the printed address.
  public let entrance: String

  /// Starts the server, and waits for the address that it prints.
  ///
  /// - Parameters:
  ///   - arguments: the arguments after `serve` and the state folder.
  ///   - workshop: the folder for the server's state, data and errors.
  ///   - environment: additional variables of the server and its hosts.
  ///   - limit: limits of the process, as arguments of `ulimit`, such as `-Sn 256`; nil for the limits of the test.
  @MainActor public init(
    _ arguments: [String], in workshop: Workshop, environment: [String: String] = [:], limit: String? = nil
  ) async throws {
    errors = workshop.path("errors-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    let command = [Workshop.built + "/gangway", "serve", "--state-dir", workshop.path("kept")] + arguments
    process.executableURL = URL(fileURLWithPath: limit == nil ? command[0] : "/bin/bash")
    process.arguments =
      limit.map { ["-c", "ulimit \($0) && exec \"$0\" \"$@\""] + command } ?? Array(command.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging([
      "XDG_STATE_HOME": workshop.path("state"), "XDG_DATA_HOME": workshop.path("data"),
      "XDG_CACHE_HOME": Workshop.caches, "XDG_CONFIG_HOME": workshop.path("config"),
    ]) { $1 }.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    let line = try await elsewhere { [output] in Self.line(of: output) }
    let address = line.firstMatch(of: /^Open http:\/\/127\.0\.0\.1:(\d+)(\/\S*)/)
    port = address.flatMap { Int($0.1) } ?? 0
    entrance = address.map { String($0.2) } ?? ""
  }

  /// Reads a line, one byte at a time, so that the next line stays.
  private static func line(of output: Pipe) -> String {
    var bytes = Data()
    while let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) {
      bytes += byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits for the next address that the server prints.
  ///
  /// - Returns: the text before the address, and its path.
  public func nextEntrance() async throws -> (text: String, path: String)? {
    let line = try await elsewhere { [output] in Self.line(of: output) }
    guard let address = line.firstMatch(of: /^(.*) http:\/\/127\.0\.0\.1:\d+(\/\S*)/) else { return nil }
    return (String(address.1), String(address.2))
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// The ID of the server's process.
  public var processID: Int32 { process.processIdentifier }

  /// The server's error output so far.
  public var complaints: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

  /// Ends the server in order.
  ///
  /// - Returns: the server's exit code.
  public func stop() async throws -> Int32 {
    try await elsewhere { [process] in
      kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
      return process.terminationStatus
    }
  }
}
