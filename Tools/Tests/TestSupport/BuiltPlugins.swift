import Foundation
import Subprocess

/// Plugins that tests build. They are kept beside the framework that they are built against, so that each source is compiled once.
@MainActor enum BuiltPlugins {
  private static let folder = Workshop.built + "/test-plugins"
  /// What is being built, or was built in this run, by the folder of it.
  private static var builds: [String: Task<String, any Error>] = [:]

  /// The library of a plugin without libraries of its own.
  ///
  /// - Returns: the library's path. It is shared by all tests: copy it.
  /// - Throws: ``Workshop/BuildFailed`` with what the compiler said.
  static func library(_ name: String, _ source: String) async throws -> String {
    let folder = "\(folder)/\(name)-\(String(hash(source), radix: 16))"
    if let build = builds[folder] { return try await build.value }
    let build = Task { try await find(name, source, in: folder) }
    builds[folder] = build
    return try await build.value
  }

  /// Compiles a source.
  ///
  /// - Parameter options: more options of the compiler.
  static func compile(_ name: String, _ file: String, to library: String, _ options: [String] = []) async throws {
    let arguments =
      [
        "-emit-library", "-o", library, file, "-module-name", name, "-swift-version", "6", "-parse-as-library", "-I",
        Workshop.built + "/Modules", "-L", Workshop.built, "-lGangway", "-Xlinker", "--no-as-needed",
      ] + options
    let result = try await Subprocess.run(
      .name("swiftc"), arguments: Arguments(arguments), output: .string(limit: 1 << 16), error: .combinedWithOutput)
    guard result.terminationStatus.isSuccess else { throw Workshop.BuildFailed(description: result.standardOutput) }
  }

  private static func find(_ name: String, _ source: String, in folder: String) async throws -> String {
    let (library, file, stampFile) = ("\(folder)/lib\(name).so", "\(folder)/\(name).swift", "\(folder)/stamp")
    func text(_ file: String) -> String? { try? String(contentsOfFile: file, encoding: .utf8) }
    let stamp = try stamp()
    if text(file) == source, text(stampFile) == stamp, FileManager.default.fileExists(atPath: library) {
      return library
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // In this order: what is only begun has no stamp.
    unlink(stampFile)
    try source.write(toFile: file, atomically: true, encoding: .utf8)
    try await compile(name, file, to: library)
    try stamp.write(toFile: stampFile, atomically: true, encoding: .utf8)
    return library
  }

  /// What a library is built against: the framework's file and interface, and this source, which says how.
  private static func stamp() throws -> String {
    try ["libGangway.so", "Modules/Gangway.swiftmodule", "Modules/GangwayProtocol.swiftmodule"].map { file in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(Workshop.built)/\(file)")
      let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      return "\(file) \(attributes[.size] ?? 0) \(time)"
    }.joined(separator: "\n") + "\noptions 1\n"
  }

  /// The hash FNV-1a, of 64 bits: the source itself is compared, too.
  ///
  /// Source: Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm", 1991.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
