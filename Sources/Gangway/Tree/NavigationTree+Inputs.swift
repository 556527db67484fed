import GangwayProtocol

/// What a person left in a screen's inputs, and where they were in it.
extension NavigationTree {
  /// Takes down what inputs hold, where that is not what they held at first. Secure fields are passed over.
  func noteValues(of node: Node, _ screen: ScreenHost) {
    screen.noteFirstValues()
    var values = node.values
    for element in screen.elements.flattened {
      guard let value = element.value, ScreenHost.isStored(element) else { continue }
      if values[element.id] != nil || screen.firstValues[element.id] != value { values[element.id] = value }
    }
    guard values != node.values, !node.hasValuesToRestore else { return }
    node.values = values
    markChanged(node)
  }

  func setFocus(_ element: ElementID?, of id: NodeID) {
    guard let node = nodes[id], node.focus != element else { return }
    node.focus = element
    markChanged(node)
  }

  func setScroll(_ lines: Int, of id: NodeID) {
    guard let node = nodes[id], node.scroll != lines else { return }
    node.scroll = max(0, lines)
    markChanged(node)
  }
}

extension ScreenHost {
  /// Whether what an element holds belongs in a checkpoint.
  static func isStored(_ element: Element) -> Bool {
    switch element.kind {
    case .field: element.role != .secure
    case .toggle, .picker: true
    default: false
    }
  }

  /// Remembers what inputs hold that are rendered for the first time.
  func noteFirstValues() {
    for element in elements.flattened where Self.isStored(element) && firstValues[element.id] == nil {
      firstValues[element.id] = element.value
    }
  }
}
