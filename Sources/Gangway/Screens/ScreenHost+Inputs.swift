@_spi(FrontEnd) import GangwayProtocol

/// The values of inputs: which are stored, and how they are restored.
extension ScreenHost {
  /// Returns the value of an input to store; nil if there is none.
  ///
  /// A refused text is not the value of an input: `ScreenState` keeps it.
  func storedValue(of element: Element) -> String? {
    held.isEmpty ? Self.shownValue(of: element) : held[element.id] ?? Self.shownValue(of: element)
  }

  /// Returns the shown value of an input to store; nil if there is none.
  private static func shownValue(of element: Element) -> String? {
    switch element.kind.traits.stored {
    case .nothing: nil
    case .value: element.role == .secure ? nil : element.value
    case .selection: element.selection?.joined(separator: String(separator))
    }
  }

  /// The separator of the keys of selected rows: the ASCII unit separator.
  private static let separator: Character = "\u{1F}"

  /// Notes the value of an input at its first render.
  ///
  /// - Returns: whether the input still has its first value.
  func noteFirstValue(_ value: String, of input: ElementID) -> Bool {
    if let first = firstValues[input] { return first == value }
    firstValues[input] = value
    return true
  }

  /// Shows the value of an input in the standard spelling after the user has left the input.
  func rewrite(_ input: ElementID) {
    if state[input, .draft] != nil, state[input, .problem] == nil { state.forgetRefusal(of: input) }
  }

  /// Drops refusals that are obsolete because the author's code has set a value since.
  ///
  /// - Parameter awaited: the inputs that still wait for their stored values.
  func forgetOldRefusals(awaited: Set<ElementID>) {
    guard state.hasDrafts else { return }
    for input in elements.flattened where state[input.id, .base] != nil && !awaited.contains(input.id) {
      if !refused.contains(input.id), held[input.id] == nil { state.forgetRefusal(of: input.id) }
    }
  }

  /// Whether one of some elements exists.
  func contains(anyOf some: Set<ElementID>) -> Bool { elements.flattened.contains { some.contains($0.id) } }

  /// Restores the stored values of inputs that exist.
  ///
  /// One input may depend on another, as a time depends on its date. So refused values are tried again as long as other
  /// inputs accept theirs. Texts that were refused before come last.
  ///
  /// - Parameters:
  ///   - values: the stored values, by the id of the element.
  ///   - awaited: the inputs to restore.
  ///   - refresh: renders the screen again.
  /// - Returns: the restored inputs, without those whose element, option or row does not exist yet.
  func restoreInputs(_ values: [ElementID: String], awaited: Set<ElementID>, refresh: () -> Void) -> Set<ElementID> {
    let drafts = awaited.reduce(into: [:]) { $0[$1] = state[$1, .draft] }
    let refusals = awaited.reduce(into: [:]) { $0[$1] = drafts[$1] == nil ? state[$1, .problem] : nil }
    var (restored, open) = (Set<ElementID>(), awaited)
    while true {
      let (before, there) = (open.count, elements.flattened)
      var refused = Set<ElementID>()
      for element in there where open.contains(element.id) {
        switch values[element.id].map({ restore($0, in: element) }) ?? .held {
        case .held:
          open.remove(element.id)
          restored.insert(element.id)
        case .refused: refused.insert(element.id)
        case .missing: break
        }
      }
      refresh()
      guard !refused.isEmpty, open.count < before else {
        restored.formUnion(refused)
        break
      }
    }
    for (element, draft) in drafts where restored.contains(element) {
      if case .edit(let edit) = handlers[element, .edit] { edit(draft) }
    }
    for element in elements.flattened where restored.contains(element.id) {
      guard let problem = refusals[element.id] else { continue }
      state[element.id, .base] = element.value
      state[element.id, .problem] = problem
    }
    refresh()
    return restored
  }

  /// The result of restoring the stored value of an input.
  private enum Restored {
    /// The input has the value.
    case held
    /// The input refuses the value now.
    case refused
    /// The option, or a row, does not exist yet.
    case missing
  }

  private func restore(_ value: String, in element: Element) -> Restored {
    guard value != storedValue(of: element) else { return .held }
    if element.role != .secure, case .edit(let edit) = handlers[element.id, .edit] {
      edit(value)
      if state[element.id, .draft] != nil { return .refused }
    }
    if case .toggle(let set) = handlers[element.id, .toggle] { set(value == "on") }
    if case .expand(let expand) = handlers[element.id, .expand] { expand(value == "on") }
    if case .choose(let choose) = handlers[element.id, .choose] { return choose(value) ? .held : .missing }
    if case .select(let select) = handlers[element.id, .select] {
      return select(value.split(separator: Self.separator).map(String.init)).isEmpty ? .held : .missing
    }
    return .held
  }
}
