import FoundationEssentials
@_spi(FrontEnd) import GangwayProtocol
import Glibc

/// The files of one folder, of which the user chooses one for a feature.
///
/// The folder is read once. So a slow disk does not delay each key.
struct FileChoice: Equatable {
  struct Entry: Equatable {
    let name: String
    let isFolder: Bool
    /// The number of bytes of a file.
    let size: Int
  }

  let target: Event.ElementReference
  /// The label of the picker.
  let label: String
  /// The files that the feature takes; see `Element.Attributes.accepts`.
  let accepts: [String]
  let maximumBytes: Int?
  let folder: String
  /// The folders by name, then the files by name.
  let entries: [Entry]
  /// The reason why the folder cannot be read; nil if it was read.
  let problem: String?

  /// The most entries of a folder that are listed.
  private static let maximumEntries = 10_000

  /// Reads a folder.
  ///
  /// - Parameters:
  ///   - element: the picker, on the screen of a node.
  ///   - folder: the path of the folder.
  init(_ element: Element, of node: NodeID, in folder: String) {
    self.init(
      .init(node: node, element: element.id), element.label, element.accepts ?? [], element.maximumBytes, folder)
  }

  /// Returns the choice of the same picker in another folder.
  func inFolder(_ folder: String) -> FileChoice { FileChoice(target, label, accepts, maximumBytes, folder) }

  private init(
    _ target: Event.ElementReference, _ label: String, _ accepts: [String], _ maximumBytes: Int?, _ folder: String
  ) {
    (self.target, self.label, self.accepts, self.maximumBytes) = (target, label, accepts, maximumBytes)
    self.folder = folder
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
      problem = names.isEmpty ? Words.Files.empty : nil
    } catch {
      names = []
      problem = Words.Files.unreadable
    }
    // A name shows the extension, but no media type. The feature checks the file in any case.
    let endings = accepts.allSatisfy { $0.hasPrefix(".") } ? accepts : []
    entries = names.prefix(Self.maximumEntries).compactMap { name in
      var status = stat()
      guard stat(Self.path(name, in: folder), &status) == 0 else { return nil }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: return Entry(name: name, isFolder: true, size: 0)
      case S_IFREG where endings.isEmpty || endings.contains { name.lowercased().hasSuffix($0) }:
        return Entry(name: name, isFolder: false, size: Int(status.st_size))
      default: return nil
      }
    }.sorted { ($0.isFolder ? 0 : 1, $0.name.lowercased()) < ($1.isFolder ? 0 : 1, $1.name.lowercased()) }
  }

  private static func path(_ name: String, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Returns the items that a typed text leaves: the folder above, the folders and the files.
  ///
  /// A text that begins with `/` or `~` is a path. Names that begin with a dot are listed for a text that does, too.
  func items(matching query: String) -> [ListedItem] {
    if query.hasPrefix("/") || query.hasPrefix("~") { return [.init(title: query, action: .path(query))] }
    var above: [ListedItem] = []
    if folder != "/", query.isEmpty {
      let parent = folder.split(separator: "/").dropLast().joined(separator: "/")
      above = [.init(title: "../", action: .path("/" + parent))]
    }
    // The list always has the folder above, so this line says why there is nothing else.
    if query.isEmpty, let problem { above.append(.init(title: problem)) }
    let isHidden = query.hasPrefix(".")
    let matching = entries.compactMap { entry -> (entry: Entry, score: Int)? in
      guard entry.name.hasPrefix(".") == isHidden else { return nil }
      return FuzzyMatch.score(query, in: entry.name).map { (entry, $0) }
    }
    // Without a text, all scores are equal, and the order stays.
    let sorted = query.isEmpty ? matching : matching.sorted { $1.score < $0.score }
    return above
      + sorted.map { found in
        ListedItem(
          title: found.entry.name + (found.entry.isFolder ? "/" : ""),
          detail: found.entry.isFolder ? "" : FileSize.text(found.entry.size),
          action: .path(Self.path(found.entry.name, in: folder)))
      }
  }

  /// The folder in which the first choice begins: the one in which the app was started.
  static var firstFolder: String { FileManager.default.currentDirectoryPath }

  /// Returns a path without `~`.
  static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/") else { return path }
    return (ProcessInfo.processInfo.environment["HOME"] ?? "") + path.dropFirst()
  }

  /// Returns a path with `~` for the home folder.
  static func shortened(_ path: String) -> String {
    guard let home = ProcessInfo.processInfo.environment["HOME"], home.count > 1 else { return path }
    return path == home ? "~" : path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
  }

  /// Returns whether a path is one of a folder.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
