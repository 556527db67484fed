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
  /// Whether the walk presses destructive buttons, too.
  private let pressesDestructive: Bool
  /// The buttons and switches on the way, with their labels, and whether the walk has used them.
  private var controls: [String: (label: String, isUsed: Bool)] = [:]

  /// The likely values that were tried for each input: how many in vain, and the index of the last one that helped.
  private var corrections: [String: (vain: Int, good: Int)] = [:]
  /// The input of the last action, if the action corrected it.
  private var corrected: (key: String, element: ElementID)?

  /// Begins a walk with a seed.
  ///
  /// - Parameter pressesDestructive: whether the walk also presses buttons with the role `destructive`.
  public init(seed: UInt64, pressesDestructive: Bool = false) {
    random = Generator(state: seed)
    self.pressesDestructive = pressesDestructive
  }

  /// Returns the next action; nil if none is possible.
  ///
  /// - Parameter others: the tabs that the walk does not select.
  public mutating func next(on presentation: Presentation, without others: Set<NodeID> = []) -> Event.Action? {
    var choices = ActionGroups()
    var unused = ActionGroups()
    if let top = presentation.top {
      let screen = presentation.path.last?.title ?? ""
      if let correction = correction(on: presentation, top.node, screen) { return correction }
      for element in presentation.reachable where pressesDestructive || Self.isHarmless(element) {
        let key = "\(screen) \(element.id)"
        guard element.isEnabled else {
          // A form that can be submitted again is new.
          if element.role == .submit, controls[key] != nil { controls[key]?.isUsed = false }
          continue
        }
        let actions = actions(on: element, .init(node: top.node, element: element.id))
        let group = element.kind == .row ? "row" : "\(element.kind) \(element.label)"
        for action in actions { choices.add(action, key, to: group) }
        guard [.tap, .toggle, .file].contains(element.kind.traits.action), let action = actions.first else { continue }
        if controls[key] == nil { controls[key] = (element.label, false) }
        if controls[key]?.isUsed == false { unused.add(action, key, to: group) }
      }
    }
    // A user tries what is new. So half of the steps do, and a rare button is not left out by chance.
    if Bool.random(using: &random), let new = unused.randomElement(using: &random) {
      controls[new.key]?.isUsed = true
      return Self.prepared(new.action)
    }
    if presentation.alert == nil {
      for tab in presentation.tabBars.joined() where !tab.isSelected && !others.contains(tab.node) {
        choices.add(.tab(tab.node), "", to: tab.title)
      }
    }
    if presentation.canGoBack { choices.add(.back, "", to: "back") }
    let choice = choices.randomElement(using: &random)
    if let choice { controls[choice.key]?.isUsed = true }
    if case .submit(let form)? = choice?.action { noteSubmit(form.element, on: presentation) }
    return choice.flatMap { Self.prepared($0.action) }
  }

  /// Notes that Enter in a form has pressed the form's button.
  private mutating func noteSubmit(_ form: ElementID, on presentation: Presentation) {
    let screen = presentation.path.last?.title ?? ""
    let inside = presentation.reachable.first { $0.id == form }?.children.flattened ?? []
    for button in inside where button.role == .submit { controls["\(screen) \(button.id)"]?.isUsed = true }
  }

  /// The possible actions, in groups of equal elements: the many rows of a list do not hide the button beside it.
  private struct ActionGroups {
    private var groups: [[(action: Event.Action, key: String)]] = []
    private var indices: [String: Int] = [:]

    mutating func add(_ action: Event.Action, _ key: String, to group: String) {
      if let index = indices[group] { return groups[index].append((action, key)) }
      indices[group] = groups.count
      groups.append([(action, key)])
    }

    func randomElement(using random: inout Generator) -> (action: Event.Action, key: String)? {
      groups.randomElement(using: &random)?.randomElement(using: &random)
    }
  }

  /// Returns an action that corrects an input with a problem, as a user does; nil if there is none, and in one of four
  /// calls.
  private mutating func correction(on presentation: Presentation, _ node: NodeID, _ screen: String) -> Event.Action? {
    let wrong = presentation.reachable.filter { $0.isEnabled && $0.problem != nil && $0.kind.isInput }
    if let last = corrected, var tried = corrections[last.key], !wrong.contains(where: { $0.id == last.element }) {
      tried = (0, tried.good + tried.vain - 1)
      corrections[last.key] = tried
    }
    corrected = nil
    guard let element = wrong.randomElement(using: &random), !random.next().isMultiple(of: 4) else { return nil }
    let key = "\(screen) \(element.id)"
    let (target, values) = (
      Event.ElementReference(node: node, element: element.id), Self.likelyValues(for: element)
    )
    var tried = corrections[key] ?? (0, 0)
    // A value that was refused twice is refused.
    guard tried.vain < 2 * values.count else { return nil }
    let value = values[(tried.good + tried.vain) % values.count]
    tried.vain += 1
    (corrections[key], corrected) = (tried, (key, element.id))
    return switch element.kind.traits.action {
    case .edit: .edit(target, text: value)
    case .choose: .choose(target, option: value)
    case .toggle: .toggle(target, isOn: true)
    default: nil
    }
  }

  /// Returns values that rules are likely to accept.
  private static func likelyValues(for element: Element) -> [String] {
    switch element.kind.traits.action {
    case .choose: return element.options.map(\.id)
    case .toggle: return ["on"]
    default: break
    }
    switch element.kind {
    case .number: return [element.stepped(by: 1), "1", "27", "0.5"].compactMap(\.self)
    case .date:
      return [element.minimum, element.maximum, "2026-11-22", "09:30", "2026-11-22T09:30"].compactMap(\.self)
    default: return ["Ann", "27", "12.50", "2026-11-22", "ann@example.com", "https://example.com"]
    }
  }

  /// The labels of the buttons and switches that the walk saw, and none of which it used.
  var unused: [String] {
    let used = Set(controls.values.filter(\.isUsed).map(\.label))
    return Set(controls.values.map(\.label)).subtracting(used).sorted()
  }

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
    case .file: return [.file(target, Self.sampleFile(for: element))]
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

  /// Returns the name of a file that a user may choose, whose content may not fit; see ``prepared(_:)``.
  private static func sampleFile(for element: Element) -> HandedFile {
    HandedFile(
      name: "sample" + (element.accepts?.first { $0.hasPrefix(".") } ?? ".txt"),
      type: element.accepts?.first { $0.contains("/") && !$0.hasSuffix("*") }, path: "")
  }

  /// Returns an action that can be sent: the file that it hands over exists. Returns nil if no file can be made.
  private static func prepared(_ action: Event.Action) -> Event.Action? {
    guard case .file(let target, let file) = action else { return action }
    guard let path = try? HandoverFolder().make(holding: Array("name,count\nsample,1\n".utf8)) else { return nil }
    return .file(target, HandedFile(name: file.name, type: file.type, path: path))
  }

  /// Returns texts that a user may type into an element, valid and not.
  private func texts(for element: Element) -> [String] {
    switch element.kind {
    case .number: ["", "0", "1", "-7", "2.5", "99999999999", "1e20", "1e400", "many"]
    case .date: ["", "2026-11-22", "09:30", "2026-11-22T09:30", "0001-01-01T00:00", "2026-02-30T10:00", "soon"]
    default:
      ["", "a", "Ann", "27", "ü 漢 🙂", String(repeating: "long ", count: 40)]
        + (element.role == .multiline ? ["two\nlines"] : [])
    }
  }
}
