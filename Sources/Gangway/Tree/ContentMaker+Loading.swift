@_spi(FrontEnd) import GangwayProtocol

/// Creation of entries that had to wait for a plugin, or for the user.
extension ContentMaker {
  /// Creates the entries that wait for a plugin, once it has been loaded or refused.
  func awaitLoad(_ load: PluginLoad) {
    guard awaitedLoads.insert(load.plugin).inserted else { return }
    hooks.run(load.plugin) { [weak self, hooks] in
      await hooks.waiting(tell: {}, load.wait)
      guard let self else { return }
      awaitedLoads.remove(load.plugin)
      remake { if case .loading(load.plugin, _) = $0.phase { true } else { false } }
    }
  }

  /// Tries again to load the plugin of an entry that could not be shown.
  func retry(_ node: Node) {
    guard case .absent(let absence, _) = node.phase else { return }
    registry.retry(absence.plugin)
    remake { if case .absent(let other, _) = $0.phase { other.plugin == absence.plugin } else { false } }
  }

  /// Stops waiting for the plugin of an entry.
  ///
  /// Loading itself cannot stop: the code is still there if it arrives.
  func cancelLoad(_ node: Node) {
    guard case .loading(let plugin, let origin) = node.phase else { return }
    node.phase = .absent(.init(plugin: plugin, reason: "its loading was cancelled"), origin)
    hooks.noteChange()
  }

  /// Discards the stored state of a flow, or the stored first entry of one, that this build cannot read.
  func startOver(_ node: Node) {
    guard case .failed(let failure, _) = node.phase, failure.isStored else { return }
    if node.state == nil, let flow = node.parent, let stack = flow.stack {
      empty(flow)
      do {
        try startStack(stack, flow)
      } catch {
        services.log("[\(flow.plugin ?? "app")] '\(flow.title)' could not start over: \(error)")
      }
      table.markChanged(flow)
      return hooks.noteChange()
    }
    empty(node)
    (node.state, node.stateSchema) = (nil, nil)
    remake { $0 === node }
  }

  /// Removes everything in a flow, and the stored form of it.
  private func empty(_ flow: Node) {
    for child in flow.children {
      for node in child.subtree { table.noteRemoved(node) }
      removal.discard(child)
    }
    flow.setChildren([])
    (flow.modalCount, flow.selection) = (0, nil)
  }

  /// Creates entries again: the visible ones now, the others when they are shown.
  private func remake(_ isMeant: (Node) -> Bool) {
    let meant = table.nodes.values.filter(isMeant).sorted { $0.depth < $1.depth }
    guard !meant.isEmpty else { return }
    let root = table.root
    for node in meant {
      // An entry that a plugin blocked is made as an entry from a checkpoint.
      node.phase = .waiting(node === root ? .new : node.origin == .new ? .checkpoint : node.origin)
      table.markChanged(node)
    }
    if meant.contains(where: { $0 === root }) { start() }
    for node in meant where node !== root && table.nodes[node.id] === node && table.isVisible(node) { activate(node) }
    hooks.noteChange()
  }
}
