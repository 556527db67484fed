import FoundationEssentials

/// The data files of a plugin, damaged to see whether the plugin keeps what it cannot read.
struct DamagedFiles {
  private let folder: URL
  private var files: [String: Data] = [:]

  /// The number of damaged files.
  var count: Int { files.count }

  /// Whether the folder has a file now.
  var hasFile: Bool { !Self.names(in: folder).isEmpty }

  /// Replaces the content of each file of a folder with a text that no feature can read.
  init(in folder: URL) {
    self.folder = folder
    for name in Self.names(in: folder) {
      let content = Data("This is not the content of \(name).".utf8)
      if (try? content.write(to: folder.appending(path: name))) != nil { files[name] = content }
    }
  }

  /// The files whose content is nowhere in the folder any more. A plugin may move such a file to another name.
  var lost: [String] {
    let kept = Set(Self.contents(in: folder).values)
    return files.filter { !kept.contains($0.value) }.map(\.key).sorted()
  }

  /// Returns the contents of all regular files, by path relative to the folder.
  static func contents(in folder: URL) -> [String: Data] {
    names(in: folder).reduce(into: [:]) { $0[$1] = try? Data(contentsOf: folder.appending(path: $1)) }
  }

  /// Returns the paths of all regular files, relative to the folder.
  static func names(in folder: URL) -> [String] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.filter {
      (try? FileManager.default.attributesOfItem(atPath: folder.appending(path: $0).path))?[.type] as? FileAttributeType
        == .typeRegular
    }
  }
}
