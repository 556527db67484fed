@_spi(FrontEnd) import GangwayProtocol

/// The events in a form, which a browser without scripts sends all at once.
enum FormPost {
  /// Returns the events of a form, in the order in which to send them.
  ///
  /// Changed fields come first; the pressed button comes last.
  static func actions(
    _ fields: [(name: String, value: String)], on presentation: Presentation
  ) -> [Event.Action] {
    var actions: [Event.Action] = []
    var elements: [Event.ElementReference: Element] = [:]
    for column in presentation.top?.columns ?? [] {
      for element in column.elements.flattened {
        elements[.init(node: column.node, element: element.id)] = element
      }
    }
    var entered: Event.ElementReference?
    for (name, value) in fields where name.hasPrefix("edit ") {
      let text = value.replacing("\r\n", with: "\n")
      guard case .edit(let target, _)? = Press.action(name, content: text), let element = elements[target],
        element.isEnabled, element.kind.isEdited
      else { continue }
      if entered == nil, element.submits { entered = target }
      // Pages never contain secrets, so an empty field of a secret means no change.
      guard text != (element.value ?? ""), element.role != .secure || !text.isEmpty else { continue }
      if element.submits { entered = target }
      actions.append(.edit(target, text: text))
    }
    for (name, value) in fields where name.hasPrefix("choose ") && !value.isEmpty {
      guard case .choose(let target, let option)? = Press.action("\(name) \(Press.encoded(value))"),
        let element = elements[target], element.value != option
      else { continue }
      actions.append(.choose(target, option: option))
    }
    for (name, value) in fields where name == "has" {
      let keys = fields.filter { $0.name == value }.map(\.value)
      if case .toggle(let target, _)? = Press.action(value + " on"), let element = elements[target], element.isEnabled {
        let isOn = !keys.isEmpty
        if isOn != (element.value == "on") { actions.append(.toggle(target, isOn: isOn)) }
      } else if case .select(let target, _)? = Press.action(value), let element = elements[target] {
        if Set(keys) != Set(element.selection ?? []) { actions.append(.select(target, keys: keys)) }
      }
    }
    guard let pressed = fields.last(where: { $0.name == "do" })?.value else { return actions }
    if pressed == "enter" {
      if let entered { actions.append(.submit(entered)) }
    } else if let action = Press.action(pressed) {
      actions.append(action)
    }
    return actions
  }
}
