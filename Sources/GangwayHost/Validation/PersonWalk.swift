@_spi(FrontEnd) import GangwayProtocol

/// A random walk of user actions, the same for the same seed and the same screens.
///
/// It leaves out destructive actions. So a walk through a system console ends no process of this machine.
@_spi(FrontEnd) public struct PersonWalk: Sendable {
  /// SplitMix64. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
  struct Generator: RandomNumberGenerator, Sendable {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private var random: Generator
  /// The buttons and switches on the way, with their labels, and whether the walk has used them.
  private var controls: [String: (label: String, isUsed: Bool)] = [:]

  /// Begins a walk with a seed.
  public init(seed: UInt64) { random = Generator(state: seed) }

  /// Returns the next action; nil if none is possible.
  public mutating func next(on presentation: Presentation) -> Event.Action? {
    var choices: [Event.Action] = []
    var unused: [(key: String, action: Event.Action)] = []
    if let top = presentation.top {
      let screen = presentation.path.last?.title ?? ""
      for element in presentation.reachable where element.isEnabled && Self.isHarmless(element) {
        let actions = actions(on: element, .init(node: top.node, element: element.id))
        choices += actions
        guard [.tap, .toggle].contains(element.kind.traits.action), let action = actions.first else { continue }
        let key = "\(screen) \(element.id)"
        if controls[key] == nil { controls[key] = (element.label, false) }
        if controls[key]?.isUsed == false { unused.append((key, action)) }
      }
    }
    // A user tries what is new. So half of the steps do, and a rare button is not left out by chance.
    if Bool.random(using: &random), let new = unused.randomElement(using: &random) {
      controls[new.key]?.isUsed = true
      return new.action
    }
    if presentation.alert == nil {
      for bar in presentation.tabBars { choices += bar.filter { !$0.isSelected }.map { .tab($0.node) } }
    }
    if presentation.canGoBack { choices.append(.back) }
    let choice = choices.randomElement(using: &random)
    if let used = unused.first(where: { $0.action == choice }) { controls[used.key]?.isUsed = true }
    return choice
  }

  /// The labels of the buttons and switches that the walk saw and never used.
  var unused: [String] { Set(controls.values.filter { !$0.isUsed }.map(\.label)).sorted() }

  /// Whether a walk may use an element. To discard the changes of a form loses nothing of a user's.
  private static func isHarmless(_ element: Element) -> Bool {
    element.role != .destructive || element.id.rawValue.hasPrefix("gangway.unsaved")
  }

  /// Returns actions that show other rows, select rows, and sort by a column.
  private mutating func rows(of element: Element, _ target: Event.ElementReference) -> [Event.Action] {
    var actions: [Event.Action] = []
    let keys = element.keys ?? element.children.compactMap(\.key)
    if let rowCount = element.rowCount, rowCount > 0 {
      actions.append(.window(target, first: Int.random(in: 0..<rowCount, using: &random), count: 50))
    }
    if element.selects != nil {
      actions.append(.select(target, keys: keys.randomElement(using: &random).map { [$0] } ?? []))
    }
    if let column = (element.columns ?? []).filter({ $0.isSortable == true }).randomElement(using: &random) {
      actions.append(.sort(target, column: column.id, order: column.order == .ascending ? .descending : .ascending))
    }
    return actions
  }

  private mutating func actions(on element: Element, _ target: Event.ElementReference) -> [Event.Action] {
    switch element.kind.traits.action {
    case .tap where element.kind != .row || element.role == .button: return [.tap(target)]
    case .tap, .expand: return element.isExpanded.map { [.expand(target, isExpanded: !$0)] } ?? []
    case .submit: return [.submit(target)]
    case .edit:
      let edit = Event.Action.edit(target, text: texts(for: element).randomElement(using: &random) ?? "")
      return element.kind == .number ? [.edit(target, text: element.stepped(by: 1) ?? "1"), edit] : [edit]
    case .window: return rows(of: element, target)
    case .toggle: return [.toggle(target, isOn: element.value != "on")]
    case .choose:
      return element.options.randomElement(using: &random).map { [.choose(target, option: $0.id)] } ?? []
    case .cell:
      guard let row = element.cells.indices.randomElement(using: &random),
        let column = element.cells[row].indices.randomElement(using: &random), element.cells[row][column].isEnabled
      else { return [] }
      return [.cell(target, row: row, column: column)]
    case nil: return []
    }
  }

  /// Returns texts that a user may type into an element, valid and not.
  private func texts(for element: Element) -> [String] {
    switch element.kind {
    case .number: ["", "0", "1", "-7", "2.5", "1e400", "many"]
    case .date: ["", "2026-11-22", "09:30", "2026-11-22T09:30", "0001-01-01T00:00", "2026-02-30T10:00", "soon"]
    default: ["", "a", "Ann", "27", "ü 漢 🙂", "two\nlines", String(repeating: "long ", count: 40)]
    }
  }
}
