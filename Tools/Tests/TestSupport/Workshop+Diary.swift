extension Workshop {
  /// A plugin that appends an entry to a file of its data folder.
  ///
  /// - Parameter keepsUnreadable: whether it leaves a file alone that it cannot read.
  public nonisolated static func diarySource(keepsUnreadable: Bool) -> String {
    """
    import Foundation
    import Gangway

    final class Diary: StackCoordinator {
      struct Route: NavigationRoute {}
      let start = Route()
      let file: URL
      init(_ file: URL) { self.file = file }
      func destination(for route: Route) -> Destination { .screen { [file] _ in Page(file: file) } }
    }
    struct Page: Screen {
      let file: URL
      var body: some Content {
        Button("Write") {
          let all = try? JSONDecoder().decode([String].self, from: Data(contentsOf: file))
          if \(keepsUnreadable), all == nil, FileManager.default.fileExists(atPath: file.path) { return }
          try JSONEncoder().encode((all ?? []) + ["Dear diary"]).write(to: file)
        }
      }
    }
    final class DiaryPlugin: Plugin {
      static let id = "diary", version = "1.0.0"
      func register(in registry: Registrar) {
        registry.tab("main", title: "Diary") { Diary($0.dataFolder.appending(path: "diary.json")) }
        registry.place("page") { (_: NoPayload, context) in Diary(context.dataFolder.appending(path: "diary.json")) }
      }
    }
    @c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(DiaryPlugin.self) }
    """
  }
}
