/// Visits of elements without an array of all of them, as `flattened` makes one. Each event visits a screen many times.
extension [Element] {
  /// Calls `body` with every element and its descendants, in drawing order.
  package func visit(_ body: (Element) -> Void) {
    withUnsafeBufferPointer { elements in
      for index in elements.indices {
        body(elements[index])
        if !elements[index].children.isEmpty { elements[index].children.visit(body) }
      }
    }
  }

  /// Returns the first element, at any depth, that meets a condition.
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

  /// Returns the element with an id, at any depth.
  package func element(_ id: ElementID) -> Element? { firstElement { $0.id == id } }

  /// Returns whether an element, at any depth, meets a condition.
  package func containsElement(where condition: (Element) -> Bool) -> Bool { firstElement(where: condition) != nil }

  /// Returns the last element of a kind, at any depth.
  package func lastElement(_ kind: Element.Kind) -> Element? {
    var found: Element?
    visit { element in if element.kind == kind { found = element } }
    return found
  }
}
