import Glibc

/// Where plugins are looked for.
struct PluginSearch {
  /// Folders in the order in which they are searched; a file name found in one hides it in later ones.
  let folders: [String]

  /// The search path: the given folders, those of the environment, the folder of the host.
  init(folders: [String], environment: String?, hostFolder: String) {
    let fromEnvironment = (environment ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    let all = folders + fromEnvironment + [hostFolder]
    self.folders = all
    found = Found { Self.files(in: all) }
  }

  /// Every file `lib….so` on the search path, in the order of their names within a folder.
  func files() -> [String] { found.files }

  /// The folders are read once.
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

  /// The file whose name is that of a plugin.
  func file(named id: String) -> String? { files().first { Self.id(ofFile: $0) == Self.normal(id) } }

  /// Whether what a person named is a path and not an id.
  static func isPath(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".so") }

  /// The id that a file's name stands for: `libMyNotes.so` for `my-notes`, both without `-` and case.
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

/// The files that a host would try.
public enum HostFiles {
  /// Every library on the search path, the given folders first.
  ///
  /// - Parameter hostFolder: the folder of the host, which is searched last.
  public static func find(in folders: [String], hostFolder: String) -> [String] {
    let environment = getenv("GANGWAY_PLUGIN_PATH").map { String(cString: $0) }
    return PluginSearch(folders: folders, environment: environment, hostFolder: hostFolder).files()
  }
}
