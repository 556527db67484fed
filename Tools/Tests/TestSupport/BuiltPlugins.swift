import Foundation
import Subprocess

/// The plugins that tests build. They are stored beside the framework, so each source is compiled only once.
@MainActor enum BuiltPlugins {
  private static let folder = Workshop.built + "/test-plugins"
  /// The builds of this run, by the folder of the plugin.
  private static var builds: [String: Task<String, any Error>] = [:]

  /// Returns the library of a plugin that needs no other libraries.
  ///
  /// - Returns: the library's path. All tests share the file, so copy it before changing it.
  /// - Throws: ``Workshop/BuildFailed`` with the compiler's output.
  static func library(_ name: String, _ source: String) async throws -> String {
    let folder = "\(folder)/\(name)-\(String(hash(source), radix: 16))"
    if let build = builds[folder] { return try await build.value }
    let build = Task { try await find(name, source, in: folder) }
    builds[folder] = build
    return try await build.value
  }

  /// Compiles a source.
  ///
  /// - Parameter options: additional options of the compiler.
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
    // The stamp is written last, so an unfinished build has none.
    unlink(stampFile)
    try source.write(toFile: file, atomically: true, encoding: .utf8)
    try await compile(name, file, to: library)
    try stamp.write(toFile: stampFile, atomically: true, encoding: .utf8)
    return library
  }

  /// Returns the stamp of a library: the framework's file and interfaces, and the version of the options used here.
  private static func stamp() throws -> String {
    try ["libGangway.so", "Modules/Gangway.swiftmodule", "Modules/GangwayProtocol.swiftmodule"].map { file in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(Workshop.built)/\(file)")
      let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      return "\(file) \(attributes[.size] ?? 0) \(time)"
    }.joined(separator: "\n") + "\noptions 1\n"
  }

  /// Returns the 64-bit FNV-1a hash of a text; callers also compare the source itself.
  ///
  /// Source: Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm", 1991.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
