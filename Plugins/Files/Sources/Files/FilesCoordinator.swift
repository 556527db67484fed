import Gangway
import Observation

/// Folders, each beside its parent if there is room, and the files in them.
@Observable final class FilesCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case folder(EscapedPath)
    case file(EscapedPath)

    var title: String? {
      switch self {
      case .folder(let path), .file(let path): path.name
      }
    }
  }

  /// The appearance of folders, everywhere in the flow.
  struct State: Codable {
    var order = FileOrder.name
    var showsHidden = false
  }

  let start: Route
  var state = State()
  /// The folder that contains everything that the flow shows.
  @ObservationIgnored let root: EscapedPath

  init(start path: EscapedPath, root: EscapedPath = .root) {
    start = .folder(path)
    self.root = root
  }

  func destination(for route: Route) -> Destination {
    switch route {
    case .folder(let path):
      .screen(.detail) { router in FolderScreen(folder: Folder(path, self), router: router) }
    case .file(let path):
      .screen(.detail) { [root] router in FileScreen(file: ShownFile(path, within: root), router: router) }
    }
  }
}
