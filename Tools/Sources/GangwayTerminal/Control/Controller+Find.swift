@_spi(FrontEnd) import GangwayProtocol

/// Moving to an element by its first letters, with or without the find key.
extension Controller {
  /// The longest time between two letters of the same word.
  private static let typingTime: Duration = .seconds(1)

  /// Starts a search that takes all letters, even those of commands.
  mutating func beginFind() -> Outcome {
    state.find = .init(text: "", time: .now, isOpen: true)
    return .redraw
  }

  /// Moves to the next element that begins with a letter; nil if there is none.
  mutating func find(_ letter: Character, _ view: TerminalView) -> Outcome? {
    guard let outcome = goTo(String(letter), view, from: 1) else { return nil }
    state.find = .init(text: String(letter), time: .now, isOpen: false)
    return outcome
  }

  /// Handles a key while letters are typed to find an element; nil for keys that act on the app.
  mutating func handleFind(_ key: Key, _ view: TerminalView) -> Outcome? {
    guard var find = state.find else { return nil }
    guard find.isOpen || ContinuousClock.now - find.time < Self.typingTime else {
      state.find = nil
      return nil
    }
    switch key {
    case .character(let character):
      find.text.append(character)
      find.time = .now
      let outcome = goTo(find.text, view, from: 0)
      state.find = outcome == nil && !find.isOpen ? nil : find
      return outcome ?? (find.isOpen ? .redraw : nil)
    case .backspace where find.isOpen && !find.text.isEmpty:
      find.text.removeLast()
      state.find = find
      return goTo(find.text, view, from: 0) ?? .redraw
    case .tab where find.isOpen, .down where find.isOpen:
      return goTo(find.text, view, from: 1, isNext: true) ?? .redraw
    case .backTab where find.isOpen, .up where find.isOpen:
      return goTo(find.text, view, from: -1, isNext: true) ?? .redraw
    case .escape where find.isOpen, .backspace where find.isOpen:
      state.find = nil
      return .redraw
    default:
      state.find = nil
      return nil
    }
  }

  /// A target of the search: an element, or a row of a table.
  private struct Place {
    var element: Element
    var row: Int?
    var name: String
  }

  private static func places(_ presentation: Presentation, _ state: ViewState) -> [Place] {
    presentation.focusable(state).flatMap { element -> [Place] in
      guard element.kind == .table else {
        let name = element.label.isEmpty ? [element].flattened.lazy.map(\.label).first { !$0.isEmpty } : element.label
        return [Place(element: element, name: name ?? "")]
      }
      return element.cells.indices.dropFirst().map { row in
        Place(element: element, row: row, name: element.cells[row].first?.text ?? "")
      }
    }
  }

  /// Moves focus to the first target that begins with a text or has a word that does; nil if there is none.
  ///
  /// - Parameters:
  ///   - step: the offset from the focused target at which to start; negative to search backward.
  ///   - isNext: whether a match inside the name counts as much as one at its beginning.
  private mutating func goTo(_ text: String, _ view: TerminalView, from step: Int, isNext: Bool = false) -> Outcome? {
    let presentation = view.presentation
    guard !text.isEmpty, let node = presentation.top?.node else { return nil }
    let places = Self.places(presentation, state)
    let focused = presentation.focused(state)?.id
    let row = focused.flatMap { state.gridCells[.init(node: node, element: $0)]?.row }
    let now =
      places.firstIndex { $0.element.id == focused && ($0.row == nil || $0.row == row) }
      ?? places.firstIndex { $0.element.id == focused } ?? 0
    let wanted = text.lowercased()
    let order = places.indices.map { offset in
      (now + (step < 0 ? -offset : offset) + step + 2 * places.count) % places.count
    }
    func begins(_ place: Int) -> Bool { places[place].name.lowercased().hasPrefix(wanted) }
    func has(_ place: Int) -> Bool {
      places[place].name.lowercased().split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(wanted) }
    }
    let found = isNext ? order.first { begins($0) || has($0) } : order.first(where: begins) ?? order.first(where: has)
    guard let found else { return nil }
    let place = places[found]
    if let row = place.row {
      state.gridCells[.init(node: node, element: place.element.id), default: (0, 0)].row = row
    }
    return move(to: place.element.id, node)
  }
}
