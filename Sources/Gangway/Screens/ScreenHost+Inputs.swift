import GangwayProtocol

/// What inputs hold: what of it is stored, and how it comes back.
extension ScreenHost {
  /// What an input holds, as it is stored; nil where there is nothing to store.
  ///
  /// Text that could not be taken is not what the input holds: the framework keeps it (`ScreenState`).
  func storedValue(of element: Element) -> String? {
    held.isEmpty ? Self.shownValue(of: element) : held[element.id] ?? Self.shownValue(of: element)
  }

  /// What an input shows and may be stored; nil where there is nothing to store.
  private static func shownValue(of element: Element) -> String? {
    switch element.kind {
    case .field: element.role == .secure ? nil : element.value
    case .toggle, .picker, .date, .number, .disclosure, .tabs: element.value
    case .list, .table: element.selection?.joined(separator: String(separator))
    default: nil
    }
  }

  /// Stands between the keys of selected rows: the unit separator of ASCII.
  private static let separator: Character = "\u{1F}"

  /// Remembers what an input holds when it is rendered for the first time.
  ///
  /// - Returns: whether it holds that.
  func noteFirstValue(_ value: String, of input: ElementID) -> Bool {
    if let first = firstValues[input] { return first == value }
    firstValues[input] = value
    return true
  }

  /// Has an input that was left show what it holds as all others do.
  func rewrite(_ input: ElementID) {
    if state[input, .draft] != nil, state[input, .problem] == nil { state.forgetRefusal(of: input) }
  }

  /// Forgets refusals that are over, for the author's code has set a value since.
  ///
  /// - Parameter awaited: the inputs into which what was stored is still to be put.
  func forgetOldRefusals(awaited: Set<ElementID>) {
    guard state.hasDrafts else { return }
    for input in elements.flattened where state[input.id, .base] != nil && !awaited.contains(input.id) {
      if !refused.contains(input.id), held[input.id] == nil { state.forgetRefusal(of: input.id) }
    }
  }

  /// Has inputs that are there hold what was stored of them.
  ///
  /// One may follow or bound another, as a time follows its date. So what is refused is tried again for as long as others take theirs, and
  /// text that could not be taken before is put in last.
  ///
  /// - Parameters:
  ///   - values: what was stored, by the id of the element.
  ///   - awaited: what is to be put back.
  ///   - refresh: renders the screen again.
  /// - Returns: what has been put back; not what is not there yet, or whose option, or row, is not.
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

  /// What came of putting back what was stored of an input.
  private enum Restored {
    /// It holds it.
    case held
    /// It does not take it now.
    case refused
    /// The option, or a row, is not there yet.
    case missing
  }

  private func restore(_ value: String, in element: Element) -> Restored {
    guard value != storedValue(of: element) else { return .held }
    if element.role != .secure, case .edit(let edit) = handlers[element.id, .edit] {
      edit(value)
      if state[element.id, .draft] != nil { return .refused }
    }
    if case .toggle(let set) = handlers[element.id, .toggle] { set(value == "on") }
    if case .choose(let choose) = handlers[element.id, .choose] { return choose(value) ? .held : .missing }
    if case .select(let select) = handlers[element.id, .select] {
      return select(value.split(separator: Self.separator).map(String.init)).isEmpty ? .held : .missing
    }
    return .held
  }
}
