@_spi(FrontEnd) import GangwayProtocol

/// The values that the user left in inputs: restored as their elements appear, and up to date while they are covered.
extension Session {
  /// The inputs of each entry that do not have their stored values yet, because their elements are missing.
  package var awaitedInputs: [NodeID: Set<ElementID>] {
    navigation.table.nodes.values.reduce(into: [:]) { if !$1.awaitedInputs.isEmpty { $0[$1.id] = $1.awaitedInputs } }
  }

  /// Restores the inputs of an entry that have appeared; returns whether there were any.
  ///
  /// The states of coordinators stay: each was restored by itself, and the user may have changed it since on another
  /// screen. So an input that shows a part of such a state keeps what it shows.
  func restoreValues(of node: Node) -> Bool {
    guard let screen = node.screen, !node.awaitedInputs.isEmpty else { return false }
    _ = refresh(node)
    guard screen.contains(anyOf: node.awaitedInputs) else { return false }
    let states = node.ancestry.filter(\.isStateRestored).compactMap {
      $0.coordinator.flatMap { CoordinatorState(of: $0) }
    }
    let restored = screen.restoreInputs(node.values, awaited: node.awaitedInputs) { _ = refresh(node) }
    guard !restored.isEmpty else { return false }
    for state in states { state.putBack() }
    _ = refresh(node)
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

/// The state of a coordinator at one moment.
@MainActor private struct CoordinatorState {
  /// Gives the coordinator this state again, unless it still has it.
  let putBack: () -> Void

  /// Notes the state; nil if it cannot be encoded.
  init?<C: Coordinator>(of coordinator: C) {
    guard let text = try? C._stateCoding.encode(coordinator.state) else { return nil }
    putBack = {
      guard (try? C._stateCoding.encode(coordinator.state)) != text else { return }
      if let state = try? C._stateCoding.decode(text) { coordinator.state = state }
    }
  }
}
