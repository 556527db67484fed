import Glibc

/// Where plugins are looked for, and which of those found are wanted.
struct PluginSearch {
  /// A file that may be a plugin.
  struct Candidate: Hashable {
    let path: String
    /// Whether the person named it, so that it must work.
    let isNamed: Bool
    /// The id it was named by, which it must have.
    let wantedID: String?
  }

  /// Folders in the order in which they are searched; a file name found in one hides it in later ones.
  let folders: [String]

  /// The search path: the given folders, those of the environment, the folder of the host.
  init(folders: [String], environment: String?, hostFolder: String) {
    let fromEnvironment = (environment ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    self.folders = folders + fromEnvironment + [hostFolder]
  }

  /// Every file `lib….so` on the search path, in the order of their names within a folder.
  func files() -> [String] {
    var seen: Set<String> = ["libGangway.so"]
    var found: [String] = []
    for folder in folders {
      for name in Self.names(in: folder).sorted() where name.hasSuffix(".so") && seen.insert(name).inserted {
        found.append(folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)")
      }
    }
    return found
  }

  /// The files to try: all that were found, or those that were asked for by id or path.
  ///
  /// - Throws: a refusal naming the ids there are, where one that was asked for is not among them.
  func candidates(selection: [String]) throws(Refusal) -> [Candidate] {
    let files = files()
    guard !selection.isEmpty else { return files.map { Candidate(path: $0, isNamed: false, wantedID: nil) } }
    var candidates: [Candidate] = []
    for name in selection {
      if name.contains("/") || name.hasSuffix(".so") {
        candidates.append(Candidate(path: name, isNamed: true, wantedID: nil))
      } else if let file = files.first(where: { Self.id(ofFile: $0) == Self.normal(name) }) {
        candidates.append(Candidate(path: file, isNamed: true, wantedID: name))
      } else {
        throw Refusal(
          .find, .missing,
          "there is no plugin '\(name)': no file lib\(Self.capitalized(name)).so in "
            + folders.map { "'\($0)'" }.joined(separator: ", "),
          advice: "Found: \(files.isEmpty ? "none" : files.map { Self.id(ofFile: $0) }.joined(separator: ", ")). "
            + "Name one of these, a path to a library, or another folder with --plugins-dir.")
      }
    }
    return candidates
  }

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

  private static func capitalized(_ id: String) -> String {
    id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
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
