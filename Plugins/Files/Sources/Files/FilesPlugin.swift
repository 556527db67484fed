import Foundation
import Gangway

/// The plugin's section of the app's configuration.
struct FilesConfiguration: Codable {
  /// The absolute path of the only folder to show; nil to show all folders, from the user's home.
  var root: String?
}

/// The folders of this machine and their content.
final class FilesPlugin: Plugin {
  static let id = "files"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.tab("main", title: "Files", symbol: "▤", order: 50) { context in
      guard let root = try context.configuration(as: FilesConfiguration.self)?.root else {
        return FilesCoordinator(start: .home)
      }
      guard let path = EscapedPath(root) else {
        throw FileError(.root, "The root '\(root)' in the configuration is not an absolute path.")
      }
      return FilesCoordinator(start: path, root: path)
    }
    registry.link("files", tab: "main")
    registry.link("files/in/*path", samples: ["usr"]) { (path: String) in
      FilesCoordinator.Route.folder(try Self.path(path))
    } url: { route in
      if case .folder(let path) = route, path != .home { String(path.text.dropFirst()) } else { nil }
    }
    registry.link("files/at/*path", samples: ["etc/passwd"]) { (path: String) in
      FilesCoordinator.Route.file(try Self.path(path))
    } url: { route in
      if case .file(let path) = route { String(path.text.dropFirst()) } else { nil }
    }
  }

  private static func path(_ text: String) throws -> EscapedPath {
    guard let path = EscapedPath("/" + text) else { throw FileError(.root, "'\(text)' is not a path.") }
    return path
  }
}

extension EscapedPath {
  /// The user's home folder.
  static var home: EscapedPath {
    ProcessInfo.processInfo.environment["HOME"].flatMap { EscapedPath(bytes: $0.utf8).text }.flatMap(EscapedPath.init)
      ?? .root
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(FilesPlugin.self) }
