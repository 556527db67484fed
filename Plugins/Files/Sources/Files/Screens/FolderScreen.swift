import Gangway
import Observation

/// A folder, as last read.
@MainActor @Observable final class Folder {
  let path: EscapedPath
  @ObservationIgnored let files: FilesCoordinator
  var search = ""
  /// The visible entries in order; nil before the first read.
  private(set) var entries: [FileEntry]?
  private(set) var problem: FileError?
  /// A number that rises with each change on disk.
  private(set) var version = 0
  @ObservationIgnored private var listing: (version: Int, FolderListing)?
  /// The number of hidden entries.
  private(set) var hiddenCount = 0

  /// Whether no folder above may be shown.
  var isRoot: Bool { path == .root || path == files.root }

  init(_ path: EscapedPath, _ files: FilesCoordinator) {
    self.path = path
    self.files = files
  }

  /// The inputs of the rows. A change of them arranges the rows again.
  struct Key: Hashable {
    let version: Int
    let order: FileOrder
    let showsHidden: Bool
    let search: String
  }
  var key: Key {
    Key(version: version, order: files.state.order, showsHidden: files.state.showsHidden, search: search)
  }

  func arrange(_ key: Key) async {
    do {
      if listing?.version != key.version {
        listing = (key.version, try await FolderListing.read(path, within: files.root))
      }
      guard let listing = listing?.1 else { return }
      let found = await listing.arranged(in: path, by: key.order, showsHidden: key.showsHidden, search: key.search)
      guard !Task.isCancelled else { return }
      if entries != found { entries = found }
      hiddenCount = key.showsHidden ? 0 : listing.entries.count { $0.isHidden }
      problem = nil
    } catch let error as FileError {
      (problem, entries, listing) = (error, nil, nil)
    } catch {}
  }

  /// Follows changes on disk.
  func follow() async {
    for await _ in FileWatch.changes(in: path) {
      version += 1
      // Read a constantly changing folder at most five times a second.
      try? await Task.sleep(for: .milliseconds(200))
    }
  }

  func refresh() { version += 1 }
}

struct FolderScreen: Screen {
  @Bindable var folder: Folder
  let router: Router<FilesCoordinator>

  var title: String? { folder.path.name }

  var body: some Content {
    content.task { await folder.follow() }.task(id: folder.key) { await folder.arrange(folder.key) }
  }

  @ContentBuilder private var content: ContentGroup {
    @Bindable var files = folder.files
    Text(folder.path.text).id("path")
    if let problem = folder.problem {
      Empty(
        problem.isGone ? "This folder is gone" : "Could not read this folder", symbol: "▸", text: problem.description
      ) {
        Button("Try again") { folder.refresh() }
        if !folder.isRoot { Button("Parent folder") { try await router.show(.folder(folder.path.parent)) } }
      }
    } else if let entries = folder.entries {
      rows(entries).searchable(text: $folder.search, prompt: "Search here")
        .onBack(isEnabled: !folder.search.isEmpty) { folder.search = "" }
      Picker("Order", selection: $files.state.order, options: FileOrder.allCases) { $0.rawValue }
      Toggle("Hidden files\(folder.hiddenCount > 0 ? " (\(folder.hiddenCount))" : "")", isOn: $files.state.showsHidden)
        .id("hidden")
    } else {
      Progress("Reading")
    }
    if !folder.isRoot {
      Toolbar { Button("Up") { try await router.show(.folder(folder.path.parent)) }.keyboardShortcut("u") }
    }
  }

  @ContentBuilder private func rows(_ entries: [FileEntry]) -> ContentGroup {
    if entries.isEmpty {
      Empty(
        folder.search.isEmpty ? "This folder is empty" : "No results", symbol: "▸",
        text: folder.search.isEmpty ? "" : "No name contains '\(folder.search)'.")
    } else {
      List(entries) { entry in
        FileRow(
          entry: entry, path: folder.path.appending(entry.id), root: folder.files.root, router: router)
      }.id(
        "files")
    }
  }
}

struct FileRow: Content {
  let entry: FileEntry
  let path: EscapedPath
  let root: EscapedPath
  let router: Router<FilesCoordinator>

  var body: some Content {
    // Read when the row becomes visible. The target of a link may be outside of the root.
    let facts = entry.isFolder ? nil : try? FileFacts(path, follows: entry.kind == .link && root == .root)
    Row(entry.id) { try await router.show(entry.isFolder ? .folder(path.resolved()) : .file(path)) }
      // Where a link leads is known when it is pressed.
      .url(entry.kind == .link ? nil : router.url(of: entry.isFolder ? .folder(path) : .file(path)))
      .symbol(entry.isFolder ? (entry.kind == .link ? "→" : "▸") : entry.kind.symbol)
      .badge(facts.map { $0.kind == .file ? FileFacts.bytes($0.size) : $0.kind.word })
  }
}
