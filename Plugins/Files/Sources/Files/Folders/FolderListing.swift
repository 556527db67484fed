import Foundation
import Glibc

/// The order of files in a folder. Folders come first.
enum FileOrder: String, Codable, CaseIterable, Sendable {
  case name = "Name"
  case newest = "Newest first"
  case largest = "Largest first"
}

/// One file in a folder.
struct FileEntry: Hashable, Sendable, Identifiable {
  /// The escaped name.
  let id: String
  let kind: FileKind
  /// Whether it is a folder, or a link to one.
  let isFolder: Bool
  var isHidden: Bool { id.hasPrefix(".") }
}

/// The content of a folder.
///
/// A read takes only the names. A visible row asks for its data when it is rendered, so a folder of 100,000 files is
/// one pass.
struct FolderListing: Sendable {
  let entries: [FileEntry]

  /// Reads a folder.
  ///
  /// - Parameter root: the folder that must contain the folder.
  /// - Throws: ``FileError``.
  @concurrent static func read(_ path: EscapedPath, within root: EscapedPath = .root) async throws -> FolderListing {
    try path.check(within: root)
    guard let folder = path.withPointer({ opendir($0) }) else { throw FileError(errno, path) }
    defer { closedir(folder) }
    let descriptor = dirfd(folder)
    var entries: [FileEntry] = []
    errno = 0
    while let entry = readdir(folder) {
      let type = entry.pointee.d_type
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in Array(buffer.prefix { $0 != 0 }) }
      if bytes == [46] || bytes == [46, 46] { continue }
      var kind = FileKind(entry: type)
      var isFolder = kind == .folder
      // A link counts as its target. Some file systems do not report the kind of a file.
      if kind == .link || kind == .unknown {
        var status = stat()
        let name = bytes.map { CChar(bitPattern: $0) } + [0]
        if kind == .unknown, fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
          kind = FileKind(mode: status.st_mode)
        }
        isFolder = fstatat(descriptor, name, &status, 0) == 0 && FileKind(mode: status.st_mode) == .folder
      }
      entries.append(FileEntry(id: EscapedPath.escape(bytes), kind: kind, isFolder: isFolder))
      errno = 0
    }
    if errno != 0 { throw FileError(errno, path) }
    return FolderListing(entries: entries)
  }

  /// Returns the matching entries in order.
  ///
  /// - Parameters:
  ///   - path: the folder, in case the order needs data of each file.
  ///   - search: a text in the names, in any case.
  @concurrent func arranged(
    in path: EscapedPath, by order: FileOrder, showsHidden: Bool, search: String
  ) async -> [FileEntry] {
    let wanted = search.lowercased()
    let shown = entries.filter { entry in
      (showsHidden || !entry.isHidden) && (wanted.isEmpty || entry.id.lowercased().contains(wanted))
    }
    switch order {
    case .name:
      let keys = shown.map { $0.id.lowercased() }
      return shown.indices.sorted { a, b in
        if shown[a].isFolder != shown[b].isFolder { return shown[a].isFolder }
        return keys[a] == keys[b] ? shown[a].id < shown[b].id : keys[a] < keys[b]
      }
      .map { shown[$0] }
    case .newest: return Self.sorted(shown, in: path) { -$0.changed.timeIntervalSince1970 }
    case .largest: return Self.sorted(shown, in: path) { -Double($0.size) }
    }
  }

  private static func sorted(
    _ entries: [FileEntry], in path: EscapedPath, _ rank: (FileFacts) -> Double
  ) -> [FileEntry] {
    // Relative to the folder, a lookup does not walk through all the folders above.
    guard let folder = path.withPointer({ opendir($0) }) else { return entries }
    defer { closedir(folder) }
    let descriptor = dirfd(folder)
    let ranks = entries.map { entry in
      var status = stat()
      let name = (EscapedPath.unescape(entry.id) ?? []).map { CChar(bitPattern: $0) } + [0]
      return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? rank(FileFacts(status)) : 0
    }
    return entries.indices.sorted { a, b in
      if entries[a].isFolder != entries[b].isFolder { return entries[a].isFolder }
      return ranks[a] == ranks[b] ? entries[a].id < entries[b].id : ranks[a] < ranks[b]
    }
    .map { entries[$0] }
  }
}
