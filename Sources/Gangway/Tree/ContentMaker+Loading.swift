import GangwayProtocol

/// Making again what had to wait for a plugin, or for the person.
extension ContentMaker {
  /// Makes what waits for a plugin, once it has been loaded or refused.
  func awaitLoad(_ load: PluginLoad) {
    guard awaitedLoads.insert(load.plugin).inserted else { return }
    hooks.run(load.plugin) { [weak self, hooks] in
      await hooks.waiting(tell: {}, load.wait)
      guard let self else { return }
      awaitedLoads.remove(load.plugin)
      remake { if case .loading(load.plugin, _) = $0.phase { true } else { false } }
    }
  }

  /// Tries once more to load the plugin of an entry that could not be shown.
  func retry(_ node: Node) {
    guard case .absent(let plugin, _, _) = node.phase else { return }
    registry.retry(plugin)
    remake { if case .absent(plugin, _, _) = $0.phase { true } else { false } }
  }

  /// Stops waiting for the plugin of an entry. Code that is being loaded cannot be stopped: should it arrive, it is there.
  func cancelLoad(_ node: Node) {
    guard case .loading(let plugin, let origin) = node.phase else { return }
    node.phase = .absent(plugin: plugin, reason: "its loading was cancelled", origin)
    hooks.noteChange()
  }

  /// Does without what is stored of a flow, or of the first entry of one, which this build cannot read.
  func startOver(_ node: Node) {
    guard case .failed(let failure, _) = node.phase, failure.isStored else { return }
    if node.state == nil, let flow = node.parent, let stack = flow.stack {
      empty(flow)
      do {
        try startStack(stack, flow)
      } catch {
        services.log("[\(flow.plugin ?? "app")] '\(flow.title)' could not be started over: \(error)")
      }
      table.markChanged(flow)
      return hooks.noteChange()
    }
    empty(node)
    (node.state, node.stateSchema) = (nil, nil)
    remake { $0 === node }
  }

  /// Forgets what is in a flow, as what was stored of it.
  private func empty(_ flow: Node) {
    for child in flow.children {
      for node in child.subtree { table.noteRemoved(node) }
      endings.discard(child)
    }
    (flow.children, flow.modalCount, flow.selection) = ([], 0, nil)
  }

  /// Makes entries anew: what is seen now, the others when they are shown.
  private func remake(_ isMeant: (Node) -> Bool) {
    let meant = table.nodes.values.filter(isMeant).sorted { $0.depth < $1.depth }
    guard !meant.isEmpty else { return }
    let root = table.root
    for node in meant {
      // What a plugin stood in the way of is made as an entry from a checkpoint is.
      node.phase = .waiting(node === root ? .new : node.origin == .new ? .checkpoint : node.origin)
      table.markChanged(node)
    }
    if meant.contains(where: { $0 === root }) { start() }
    for node in meant where node !== root && table.nodes[node.id] === node && table.isVisible(node) { activate(node) }
    hooks.noteChange()
  }
}
