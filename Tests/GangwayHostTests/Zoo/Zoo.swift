import Foundation

/// Bad plugins, built from source or by changing the bytes of a good one.
enum Zoo {
  struct BuildFailed: Error, CustomStringConvertible { let description: String }

  /// The bytes of a good plugin.
  static var good: Data {
    get throws { try Data(contentsOf: URL(fileURLWithPath: BuiltHost.folder + "/libHello.so")) }
  }

  /// Builds a library from Swift source that imports the framework.
  static func swift(_ source: String, as name: String, in scratch: Scratch, _ options: [String] = []) throws -> String {
    let file = try scratch.file("\(name).swift", Data(source.utf8))
    let library = scratch.path("lib\(name).so")
    try run(
      "swiftc",
      [
        "-emit-library", "-o", library, file.path, "-module-name", name, "-swift-version", "6", "-parse-as-library",
        "-I", BuiltHost.folder + "/Modules", "-L", BuiltHost.folder, "-lGangway",
      ] + options)
    return library
  }

  /// Builds a library from C source.
  static func c(_ source: String, as name: String, in scratch: Scratch, _ options: [String] = []) throws -> String {
    let file = try scratch.file("\(name).c", Data(source.utf8))
    let library = scratch.path("lib\(name).so")
    try run("clang", ["-shared", "-fPIC", "-o", library, file.path] + options)
    return library
  }

  /// Returns the source of a plugin with an entry, which does nothing wrong except `register` and `extra`.
  static func plugin(_ name: String, id: String? = nil, register: String = "", extra: String = "") -> String {
    """
    import Gangway
    #if canImport(Glibc)
    import Glibc
    #endif
    final class \(name)Plugin: Plugin {
      static let id = "\(id ?? name.lowercased())", version = "1.0.0"
      func register(in registry: Registrar) throws { \(register) }
    }
    \(extra)
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(\(name)Plugin.self) }
    """
  }

  /// Returns the source of a flow with one screen.
  ///
  /// - Parameter body: the content of the screen.
  static func flow(_ name: String, showing body: String) -> String {
    """
    final class \(name)Flow: StackCoordinator {
      enum Route: NavigationRoute { case start }
      let start = Route.start
      func destination(for route: Route) -> Destination { .screen { \(name)Screen() } }
    }
    struct \(name)Screen: Screen {
      var body: some Content {
        \(body)
      }
    }
    """
  }

  /// Replaces bytes everywhere.
  static func patch(_ data: Data, _ old: String, _ new: String) throws -> Data {
    precondition(old.utf8.count == new.utf8.count)
    var data = data
    var start = data.startIndex
    var count = 0
    while let range = data.range(of: Data(old.utf8), in: start..<data.endIndex) {
      data.replaceSubrange(range, with: Data(new.utf8))
      start = range.upperBound
      count += 1
    }
    guard count > 0 else { throw BuildFailed(description: "'\(old)' is not in the library") }
    return data
  }

  private static func run(_ tool: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    try process.run()
    let said = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BuildFailed(description: "\(tool) failed: \(String(decoding: said, as: UTF8.self))")
    }
  }
}
