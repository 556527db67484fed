import Foundation

/// `gangway serve`, from its first line to its end.
public final class ServeCommand: Sendable {
  private let process = Process()
  private let errors: String
  /// The port in the address that it printed; 0 where it printed none.
  public let port: Int
  /// The path of the address that it printed.
  public let entrance: String

  /// Starts it and waits for the address that it prints.
  ///
  /// - Parameters:
  ///   - arguments: follow `serve` and the folder of its state.
  ///   - workshop: the folder of its state, data and errors.
  ///   - environment: variables that it and its hosts have, besides those of this process.
  ///   - limit: sets limits of the process, as a shell's `ulimit` takes them: `-Sn 256`; nil for those of the test.
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

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// The process of the server.
  public var processID: Int32 { process.processIdentifier }

  /// What it complained of so far.
  public var complaints: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }

  /// Ends it in order.
  ///
  /// - Returns: the code that it exits with.
  public func stop() async throws -> Int32 {
    try await elsewhere { [process] in
      kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
      return process.terminationStatus
    }
  }
}
