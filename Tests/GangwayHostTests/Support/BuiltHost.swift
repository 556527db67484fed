import Foundation

/// The real host, as built beside the tests, in its own process.
///
/// The tests have their own copy of the framework, so they must not load plugins.
struct BuiltHost {
  struct Result {
    let status: Int32
    let output: String
    let errors: String
    var lines: [Substring] { output.split(separator: "\n") }
  }

  /// The folder of the host, the framework and the sample plugins.
  static let folder: String = {
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
    return URL(fileURLWithPath: path).deletingLastPathComponent().path
  }()

  static var executable: String { folder + "/gangway-host" }

  /// The cache folder of this run's hosts. They share it, like several hosts on one machine.
  static let caches: URL = FileManager.default.temporaryDirectory.appendingPathComponent("gangway-caches-\(getpid())")

  /// Runs the host to its end.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    executable: String = BuiltHost.executable
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    var values = ProcessInfo.processInfo.environment
    values["SWIFT_BACKTRACE"] = "enable=no"
    values["XDG_CACHE_HOME"] = caches.path
    process.environment = values.merging(environment) { $1 }
    let scratch = try Scratch()
    let output = try scratch.file("output")
    let errors = try scratch.file("errors")
    let given = try scratch.file("input", Data(input.utf8))
    process.standardInput = try FileHandle(forReadingFrom: given)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    let code = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    return Result(
      status: code, output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}

/// A folder that is deleted after the test.
final class Scratch: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("gangway-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  @discardableResult func file(_ name: String, _ content: Data = Data(), mode: Int = 0o644) throws -> URL {
    let url = folder.appendingPathComponent(name)
    try content.write(to: url)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    return url
  }
}
