@_spi(FrontEnd) import GangwayProtocol

/// The keyboard focus of a screen, as its bindings, its forms and its stored state want it.
@MainActor final class ScreenFocus {
  typealias Bindings = [ElementID: (binding: Binding<Bool>, isFocused: Bool)]

  private var bindings: Bindings = [:]
  /// The element that a binding or a form wants the focus for.
  var wanted: ElementID?
  /// The focus of a restored screen, until its element exists.
  private var stored: ElementID?
  /// The element that has the focus since a binding or a form wanted it, for the next update.
  private var moved: ElementID?

  init(_ stored: ElementID?) { self.stored = stored }

  /// Notes the bindings of a new render.
  ///
  /// A binding that was true before does not request the focus again, because the user may have moved on.
  func note(_ bindings: Bindings, exists: (ElementID) -> Bool) {
    let before = self.bindings
    self.bindings = bindings
    // A restored screen keeps the focus of the user, whatever its bindings say at first.
    if let stored, exists(stored) { return note(stored) }
    for (id, bound) in bindings where bound.isFocused && before[id]?.isFocused != true { wanted = id }
  }

  /// Moves the focus to the wanted element, once it exists.
  ///
  /// - Returns: the element; nil if none is wanted.
  func move(exists: (ElementID) -> Bool) -> ElementID? {
    guard let wanted, exists(wanted) else { return nil }
    self.wanted = nil
    note(wanted)
    moved = wanted
    return wanted
  }

  /// Updates the bindings to the present keyboard focus.
  func note(_ element: ElementID?) {
    stored = nil
    for (id, bound) in bindings where bound.isFocused != (id == element) {
      bindings[id]?.isFocused = id == element
      bound.binding.wrappedValue = id == element
    }
  }

  /// Returns the element that the focus has moved to since the last update.
  func takeMoved() -> ElementID? {
    defer { moved = nil }
    return moved
  }
}
