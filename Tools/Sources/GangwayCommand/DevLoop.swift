@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
import Glibc

/// A loop that follows the sources of packages while their app runs.
@MainActor final class DevLoop {
  /// A package with its plugin in the app.
  struct Followed {
    let package: PluginPackage
    /// The path where SwiftPM builds the library, and the path where the app finds it.
    let built: String
    let installed: String
    /// The state of the sources at the last build.
    var sources: [String: FileState] = [:]
    /// The reasons why the build failed; empty after a successful build.
    var failure: [String] = []
  }

  private var followed: [Followed]
  private let folder: String
  private let supervisor: Supervisor
  /// The number of remaining attempts to open the first plugin's tab after its start.
  private var tabAttempts: Int

  private static let tabAttempts = 50
  /// The interval between two checks for changes.
  private static let pollingTime: Duration = .milliseconds(150)
  /// The most compiler messages to show.
  private static let shownLines = 8

  init(_ followed: [Followed], folder: String, supervisor: Supervisor, opensTab: Bool) {
    self.followed = followed
    self.folder = folder
    self.supervisor = supervisor
    tabAttempts = opensTab ? Self.tabAttempts : 0
  }

  func run() async {
    for index in followed.indices where !followed[index].failure.isEmpty { fail(index, followed[index].failure) }
    await supervisor.listed()
    while !Task.isCancelled {
      await openTab()
      for index in followed.indices {
        let now = followed[index].package.sources
        guard now != followed[index].sources else { continue }
        followed[index].sources = now
        await follow(index)
      }
      guard (try? await Task.sleep(for: Self.pollingTime)) != nil else { return }
    }
  }

  /// Returns the plugin's id, which is known once its file has come up.
  private func plugin(_ index: Int) -> PluginID? {
    supervisor.statuses.values.first { $0.file == followed[index].installed }?.id
  }

  /// Builds a package whose sources have changed and replaces its plugin in the app.
  private func follow(_ index: Int) async {
    let package = followed[index].package
    let plugin = plugin(index)
    let name = plugin?.rawValue ?? package.name
    supervisor.say(Words.Development.building(name), plugin: plugin)
    do throws(PluginPackage.Failure) {
      try await package.build { [supervisor] progress in
        supervisor.setProgress(plugin, .init(Words.Development.progress(name), progress.done, of: progress.count))
      }
      supervisor.setProgress(plugin, nil)
      _ = try package.install(followed[index].built, in: folder)
    } catch {
      supervisor.setProgress(plugin, nil)
      let words = plugin == nil ? Words.Development.nothingRuns : Words.Development.previousRuns
      return fail(index, [words(name, error.summary)] + error.lines)
    }
    followed[index].failure = []
    do {
      if let plugin {
        let text = try await supervisor.reload(plugin)
        supervisor.setBanner(plugin, [])
        supervisor.say(text, plugin: plugin)
      } else {
        // The plugin was never accepted, so the next host has to scan its file again.
        tellFailures()
        try await supervisor.restart()
      }
    } catch {
      fail(index, ["\(error)"])
    }
  }

  /// Shows errors on the plugin's screens, or on all screens if it has none.
  ///
  /// The previous version keeps running.
  private func fail(_ index: Int, _ lines: [String]) {
    let shown =
      lines.prefix(Self.shownLines)
      + (lines.count > Self.shownLines ? [Words.Development.more(lines.count - Self.shownLines)] : [])
    followed[index].failure = Array(shown)
    guard let plugin = plugin(index) else { return tellFailures() }
    supervisor.setBanner(plugin, Array(shown))
  }

  private func tellFailures() {
    supervisor.setBanner(nil, followed.indices.filter { plugin($0) == nil }.flatMap { followed[$0].failure })
  }

  /// Opens the tab of the first plugin, if it has one that is not selected yet.
  private func openTab() async {
    guard tabAttempts > 0, let plugin = plugin(0) else { return }
    // A plugin may be known before the host has its tab, and some plugins have no tab.
    tabAttempts -= 1
    guard let tree = try? await supervisor.tree(), let tab = tree.tab(of: plugin) else { return }
    let isShown = supervisor.presentation.tabBars.contains { $0.contains { $0.node == tab && $0.isSelected } }
    if !isShown {
      guard let update = try? await supervisor.send(.tab(tab)) else { return }
      // The caller receives the answer, but the front end must show it.
      supervisor.onUpdate(update)
    }
    tabAttempts = 0
  }
}

extension TreeNode {
  /// Returns the first tab of a plugin.
  fileprivate func tab(of plugin: PluginID) -> NodeID? {
    for child in children {
      if child.style == "tab", child.plugin == plugin { return child.id }
      if let found = child.tab(of: plugin) { return found }
    }
    return nil
  }
}
