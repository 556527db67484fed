@_spi(FrontEnd) import GangwayProtocol

/// The values that the user left in inputs: restored as their elements appear, and up to date while they are covered.
extension Session {
  /// The inputs of each entry that do not have their stored values yet, because their elements are missing.
  package var awaitedInputs: [NodeID: Set<ElementID>] {
    navigation.table.nodes.values.reduce(into: [:]) { if !$1.awaitedInputs.isEmpty { $0[$1.id] = $1.awaitedInputs } }
  }

  /// Restores the inputs of an entry that have appeared; returns whether there were any.
  func restoreValues(of node: Node) -> Bool {
    guard let screen = node.screen, !node.awaitedInputs.isEmpty else { return false }
    _ = refresh(node)
    let restored = screen.restoreInputs(node.values, awaited: node.awaitedInputs) { _ = refresh(node) }
    guard !restored.isEmpty else { return false }
    node.awaitedInputs.subtract(restored)
    navigation.table.noteValues(of: node, screen)
    return true
  }

  /// Renders the covered screens again whose inputs have stored values, if a rendered value has changed.
  ///
  /// Several screens may show one value. The user changes it on the screen on top, and each screen below shows the
  /// change. Otherwise, the older value of a covered screen would be stored, and would replace the newer one when the
  /// screen is shown after a restart.
  func refreshCovered(_ visible: VisibleTree) {
    let covered = navigation.table.touched.values.filter { $0.screen?.isStale == true }
    guard !covered.isEmpty else { return }
    let shown = visible.layers.flatMap(\.screens)
    for node in covered where node.awaitedInputs.isEmpty && !shown.contains(where: { $0 === node }) {
      _ = refresh(node)
      node.screen?.stop()
    }
  }
}
