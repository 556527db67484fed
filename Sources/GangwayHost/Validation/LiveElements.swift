import GangwayProtocol

/// Which elements of a session's screens change although nobody does anything: they are not compared with what comes back.
struct LiveElements {
  /// An element, by the node of its screen and its id.
  struct Key: Hashable {
    let node: NodeID
    let element: ElementID
  }

  private var keys: Set<Key> = []
  /// How often each was another, since ``begin()``.
  private var changes: [Key: Int] = [:]

  /// Begins to look on while nobody does anything.
  mutating func begin() { changes = [:] }

  /// The elements of a presentation that hold no others, and those that hold rows.
  static func contents(_ presentation: Presentation) -> [Key: Element] {
    var contents: [Key: Element] = [:]
    for pane in presentation.layers.flatMap(\.columns) {
      for element in pane.elements.flattened {
        var alone = element
        alone.children = []
        contents[Key(node: pane.node, element: element.id)] = alone
      }
    }
    return contents
  }

  /// Notes what is another than a moment before. What was so twice does it again and again; once is something that was loaded.
  mutating func note(_ before: [Key: Element], _ now: [Key: Element]) {
    for (key, element) in now where before[key].map({ $0 != element }) ?? false {
      changes[key, default: 0] += 1
      if changes[key] == 2 { keys.insert(key) }
    }
  }

  /// The presentation as text, without what changes by itself, and without secrets, which never come back.
  func text(_ presentation: Presentation) -> String {
    var presentation = presentation
    for index in presentation.layers.indices {
      let node = presentation.layers[index].node
      presentation.layers[index].elements = stripped(presentation.layers[index].elements, node)
    }
    return presentation.plainText
  }

  private func stripped(_ elements: [Element], _ node: NodeID) -> [Element] {
    elements.filter { !keys.contains(Key(node: node, element: $0.id)) }.map { element in
      var element = element
      if element.role == .secure { (element.value, element.problem) = (nil, nil) }
      element.children = stripped(element.children, node)
      // Without its secrets a form may not be complete.
      if element.kind == .form, element.children.flattened.contains(where: { $0.role == .secure }) {
        for index in element.children.indices where element.children[index].kind == .button {
          (element.children[index].isEnabled, element.children[index].detail) = (true, nil)
        }
      }
      return element
    }
  }
}
