import Glibc

/// The search for plugins.
struct PluginSearch {
  /// The folders in search order. A file in one folder hides files of the same name in later folders.
  let folders: [String]

  /// Makes a search of the given folders, then those of the environment, then the installed plugins, then the host's
  /// folder.
  init(folders: [String], environment: String?, hostFolder: String) {
    let fromEnvironment = (environment ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    let all = folders + fromEnvironment + [Folders.plugins].filter { access($0, F_OK) == 0 } + [hostFolder]
    self.folders = all
    found = Found { Self.files(in: all) }
  }

  /// Returns every file `lib….so` on the search path, sorted by name within a folder.
  func files() -> [String] { found.files }

  /// The found files. The folders are read once.
  private final class Found {
    lazy var files = search()
    private let search: () -> [String]
    init(_ search: @escaping () -> [String]) { self.search = search }
  }
  private let found: Found

  private static func files(in folders: [String]) -> [String] {
    var seen: Set<String> = ["libGangway.so"]
    var found: [String] = []
    for folder in folders {
      for name in names(in: folder).sorted() where name.hasSuffix(".so") && seen.insert(name).inserted {
        found.append(folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)")
      }
    }
    return found
  }

  /// Returns the file that is named after a plugin.
  func file(named id: String) -> String? { files().first { Self.id(ofFile: $0) == Self.normal(id) } }

  /// Returns whether a name from the user is a path and not an id.
  static func isPath(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".so") }

  /// Returns the id that a file's name stands for, such as `libMyNotes.so` for `my-notes`, without `-`, `_` and case.
  static func id(ofFile path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? path
    if name.hasSuffix(".so") { name.removeLast(3) }
    if name.hasPrefix("lib") { name.removeFirst(3) }
    return normal(name)
  }

  static func normal(_ name: String) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" }
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }
}

/// The search for the files that a host would try.
package enum HostFiles {
  /// Returns every library on the search path, the given folders first.
  ///
  /// - Parameter hostFolder: the folder of the host, which is searched last.
  package static func find(in folders: [String], hostFolder: String) -> [String] {
    let environment = getenv("GANGWAY_PLUGIN_PATH").map { String(cString: $0) }
    return PluginSearch(folders: folders, environment: environment, hostFolder: hostFolder).files()
  }
}
