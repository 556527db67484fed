/// Walking over elements without making an array of all of them, as `flattened` does: a screen is looked at many times for
/// each event.
extension [Element] {
  /// Calls `body` with every element and its descendants, in the order in which they are drawn.
  package func visit(_ body: (Element) -> Void) {
    withUnsafeBufferPointer { elements in
      for index in elements.indices {
        body(elements[index])
        if !elements[index].children.isEmpty { elements[index].children.visit(body) }
      }
    }
  }

  /// The first element, at any depth, for which a condition holds.
  package func firstElement(where condition: (Element) -> Bool) -> Element? {
    withUnsafeBufferPointer { elements in
      for index in elements.indices {
        if condition(elements[index]) { return elements[index] }
        if !elements[index].children.isEmpty, let found = elements[index].children.firstElement(where: condition) {
          return found
        }
      }
      return nil
    }
  }

  /// The element of an id, at any depth.
  package func element(_ id: ElementID) -> Element? { firstElement { $0.id == id } }

  /// Whether a condition holds for an element, at any depth.
  package func containsElement(where condition: (Element) -> Bool) -> Bool { firstElement(where: condition) != nil }

  /// The last element of a kind, at any depth.
  package func lastElement(_ kind: Element.Kind) -> Element? {
    var found: Element?
    visit { element in if element.kind == kind { found = element } }
    return found
  }
}
