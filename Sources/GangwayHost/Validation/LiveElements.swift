@_spi(FrontEnd) import GangwayProtocol

/// The elements of a session's screens that change without any user action. They are not compared with restored
/// screens.
struct LiveElements {
  /// An element, by the node of its screen and its id.
  struct Key: Hashable {
    let node: NodeID
    let element: ElementID
  }

  private var keys: Set<Key> = []
  /// The number of changes of each element since ``begin()``.
  private var changes: [Key: Int] = [:]

  /// Starts to observe, while there is no user action.
  mutating func begin() { changes = [:] }

  /// Returns the elements of all screens of a presentation, each without its children.
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

  /// Records the elements that changed. A second change shows a live element; a single change may be content that
  /// loaded.
  mutating func note(_ before: [Key: Element], _ now: [Key: Element]) {
    for (key, element) in now where before[key].map({ $0 != element }) ?? false {
      changes[key, default: 0] += 1
      if changes[key] == 2 { keys.insert(key) }
    }
  }

  /// Returns the presentation as text, without live elements, the state of work, and secrets, which are never
  /// restored.
  func text(_ presentation: Presentation) -> String {
    var presentation = presentation
    for index in presentation.layers.indices {
      let node = presentation.layers[index].node
      presentation.layers[index].elements = stripped(presentation.layers[index].elements, node)
    }
    return presentation.plainText
  }

  /// Returns whether an element shows the state of work, which a restored screen does again: progress and its failure.
  private func isPassing(_ element: Element) -> Bool {
    element.kind == .progress || element.kind == .banner && element.role == .problem
  }

  private func stripped(_ elements: [Element], _ node: NodeID) -> [Element] {
    elements.filter { !isPassing($0) && !keys.contains(Key(node: node, element: $0.id)) }.map { element in
      var element = element
      if element.role == .secure { (element.value, element.problem) = (nil, nil) }
      element.children = stripped(element.children, node)
      // A form may be incomplete without its secrets.
      if element.kind == .form, element.children.flattened.contains(where: { $0.role == .secure }) {
        for index in element.children.indices where element.children[index].kind == .button {
          (element.children[index].isEnabled, element.children[index].detail) = (true, nil)
        }
      }
      return element
    }
  }
}
