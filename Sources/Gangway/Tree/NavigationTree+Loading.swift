import GangwayProtocol

/// Waiting for plugins that are loaded because somebody goes where they are needed.
extension NavigationTree {
  /// The ids of what stands in the place of a flow whose plugin is not there.
  enum Stand {
    static let retry: ElementID = "gangway.retry"
    static let cancel: ElementID = "gangway.cancel"
  }

  /// Sees to it that a plugin is there before a plan begins, and gives way to the person as a plan does.
  func fetch(_ plugin: String, _ intent: Intent) async throws {
    try await carryOut(intent) { _ in
      if let reason = try registry.obtain(plugin) {
        throw NavigationError(.unknownPlace, "The plugin \(plugin) is not there: \(reason)")
      }
    }
  }

  /// Makes what waits for a plugin, once it has been loaded or refused.
  func awaitLoad(_ load: PluginLoad) {
    guard awaitedLoads.insert(load.plugin).inserted else { return }
    run(load.plugin) { [weak self] in
      await load.wait()
      guard let self else { return }
      awaitedLoads.remove(load.plugin)
      remake { if case .loading(load.plugin) = $0.content { true } else { false } }
    }
  }

  /// Tries once more to load the plugin of an entry that could not be shown.
  func retry(_ node: Node) {
    guard case .absent(let plugin, _) = node.content else { return }
    registry.retry(plugin)
    remake { if case .absent(plugin, _) = $0.content { true } else { false } }
  }

  /// Stops waiting for the plugin of an entry. Code that is being loaded cannot be stopped: should it arrive, it is there.
  func cancelLoad(_ node: Node) {
    guard case .loading(let plugin) = node.content else { return }
    node.content = .absent(plugin: plugin, reason: "its loading was cancelled")
    noteChange()
  }

  /// Makes entries anew, as those from a checkpoint are: what is seen now, the others when they are shown.
  private func remake(_ isMeant: (Node) -> Bool) {
    let meant = nodes.values.filter(isMeant).sorted { $0.depth < $1.depth }
    guard !meant.isEmpty else { return }
    for node in meant {
      node.content = .dormant
      node.isRestored = node !== root
    }
    if meant.contains(where: { $0 === root }) {
      do {
        try start()
      } catch {
        root.content = .placeholder("\(error)")
      }
    }
    for node in meant where node !== root && nodes[node.id] === node && isVisible(node) { activate(node) }
    noteChange()
  }

  private func noteChange() {
    commits += 1
    didCommit()
  }
}
