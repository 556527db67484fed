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

  init(start path: EscapedPath) { start = .folder(path) }

  func destination(for route: Route) -> Destination {
    switch route {
    case .folder(let path):
      .screen(.detail) { router in FolderScreen(folder: Folder(path, self), router: router) }
    case .file(let path): .screen(.detail) { router in FileScreen(file: ShownFile(path), router: router) }
    }
  }
}
