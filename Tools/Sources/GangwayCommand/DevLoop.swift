import GangwayClient
import GangwayProtocol
import GangwaySupervisor
import Glibc

/// Follows the sources of packages while their app runs.
@MainActor final class DevLoop {
  /// A package, and the plugin that it is in the app.
  struct Followed {
    let package: PluginPackage
    /// Where SwiftPM builds its library, and where the app finds it.
    let built: String
    let installed: String
    /// Its sources, as they were built last.
    var sources: [String: FileState] = [:]
    /// Why it did not build; empty where it did.
    var failure: [String] = []
  }

  private var followed: [Followed]
  private let folder: String
  private let supervisor: Supervisor
  /// How often it is still tried to lead the person to the first of the features, once that is there.
  private var tabAttempts: Int

  private static let tabAttempts = 50
  /// How long changes are waited for.
  private static let pollingTime: Duration = .milliseconds(150)
  /// How much of what the compiler says is shown.
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

  /// The plugin's id, which its file has had since it first came up.
  private func plugin(_ index: Int) -> String? {
    supervisor.statuses.values.first { $0.file == followed[index].installed }?.id
  }

  /// Builds a package whose sources changed, and puts what was built in the place of the feature.
  private func follow(_ index: Int) async {
    let package = followed[index].package
    let plugin = plugin(index)
    let name = plugin ?? package.name
    supervisor.say("Building \(name) …", plugin: plugin)
    do throws(PluginPackage.Failure) {
      try await package.build { [supervisor] progress in
        supervisor.setProgress(plugin, .init("Building \(name)", progress.done, of: progress.count))
      }
      supervisor.setProgress(plugin, nil)
      _ = try package.install(followed[index].built, in: folder)
    } catch {
      supervisor.setProgress(plugin, nil)
      return fail(
        index,
        ["\(name) \(error.summary); \(plugin == nil ? "nothing of it runs." : "the version before keeps running.")"]
          + error.lines)
    }
    followed[index].failure = []
    do {
      if let plugin {
        let text = try await supervisor.reload(plugin)
        supervisor.setBanner(plugin, [])
        supervisor.say(text, plugin: plugin)
      } else {
        // Until now it was never let in: the next host looks into it again.
        tellFailures()
        try await supervisor.restart()
      }
    } catch {
      fail(index, ["\(error)"])
    }
  }

  /// Says at the place of the feature what is wrong, the version before goes on; where there is no such place, on every screen.
  private func fail(_ index: Int, _ lines: [String]) {
    let shown =
      lines.prefix(Self.shownLines)
      + (lines.count > Self.shownLines ? ["… and \(lines.count - Self.shownLines) more"] : [])
    followed[index].failure = Array(shown)
    guard let plugin = plugin(index) else { return tellFailures() }
    supervisor.setBanner(plugin, Array(shown))
  }

  private func tellFailures() {
    supervisor.setBanner(nil, followed.indices.filter { plugin($0) == nil }.flatMap { followed[$0].failure })
  }

  /// Leads the person to the first feature, if there is a tab of it, and they are not there.
  private func openTab() async {
    guard tabAttempts > 0, let plugin = plugin(0) else { return }
    // What is known of a file comes before the host has its tab; some features have none.
    tabAttempts -= 1
    guard let tree = try? await supervisor.tree(), let tab = tree.tab(of: plugin) else { return }
    let isShown = supervisor.presentation.tabBars.contains { $0.contains { $0.node == tab && $0.isSelected } }
    if !isShown {
      guard let update = try? await supervisor.send(.tab(tab)) else { return }
      // The answer is told to who asked; the front end did not.
      supervisor.onUpdate(update)
    }
    tabAttempts = 0
  }
}

extension TreeNode {
  /// The first tab that a plugin has.
  fileprivate func tab(of plugin: String) -> NodeID? {
    for child in children {
      if child.style == "tab", child.plugin == plugin { return child.id }
      if let found = child.tab(of: plugin) { return found }
    }
    return nil
  }
}
