@_spi(FrontEnd) import GangwayProtocol

/// A field for text.
public struct TextField: PrimitiveContent {
  /// The style of a text field.
  public enum Style: Hashable, Sendable {
    /// One line.
    case plain
    /// Several lines.
    case multiline
    /// Hidden text that is never stored, recorded or logged.
    case secure
    /// An email address.
    case email
    /// Digits.
    case number
    /// A search text.
    case search
    /// A URL.
    case url

    var wire: Element.Role? {
      switch self {
      case .plain: nil
      case .multiline: .multiline
      case .secure: .secure
      case .email: .email
      case .number: .number
      case .search: .search
      case .url: .url
      }
    }
  }

  let label: String
  let text: Binding<String>
  let style: Style

  /// Creates a field whose edits are written to `text`.
  ///
  /// If the binding's setter throws, the field keeps the user's text, and shows the reason beside it.
  public init(_ label: String, text: Binding<String>, style: Style = .plain) {
    self.label = label
    self.text = text
    self.style = style
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.addInput(
      .field, label, text: { text.wrappedValue }, isSecret: style == .secure, configure: { $0.role = style.wire },
      take: { try text.set($0) })
  }
}

/// A switch that is on or off.
public struct Toggle: PrimitiveContent {
  let label: String
  let isOn: Binding<Bool>

  /// Creates a toggle for `isOn`.
  public init(_ label: String, isOn: Binding<Bool>) {
    self.label = label
    self.isOn = isOn
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.toggle, label) { element in
      element.value = isOn.wrappedValue ? "on" : "off"
      renderer.handle(element.id, .toggle(renderer.taking(isOn, in: &element)))
    }
  }
}

/// A choice of one among several options.
public struct Picker<Value: Hashable>: PrimitiveContent {
  let label: String
  let selection: Binding<Value>
  let options: [Value]
  let title: (Value) -> String

  /// Creates a picker.
  ///
  /// - Parameters:
  ///   - label: the label of the choice.
  ///   - selection: the chosen value.
  ///   - options: the options. Their descriptions must differ, because events name the options by them.
  ///   - title: returns the title of an option for the user; by default its description.
  public init(
    _ label: String, selection: Binding<Value>, options: [Value], title: @escaping (Value) -> String = { "\($0)" }
  ) {
    self.label = label
    self.selection = selection
    self.options = options
    self.title = title
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.picker, label) { element in
      element.value = "\(selection.wrappedValue)"
      element.options = options.map { Element.Option(id: "\($0)", title: title($0)) }
      let take = renderer.taking(selection, in: &element)
      renderer.handle(
        element.id,
        .choose { id in
          guard let option = options.first(where: { "\($0)" == id }) else { return false }
          take(option)
          return true
        })
    }
  }
}

extension ContentRenderer {
  /// Adds an input whose text the user edits.
  ///
  /// A refused text stays in the input, with the reason beside it, until the user changes it. So no typing is lost. A
  /// text that is accepted in another spelling, such as 1. for 1, stays as typed until the user leaves the input.
  ///
  /// - Parameters:
  ///   - text: returns the text of the input, unless the user has typed another.
  ///   - isWrittenAnew: whether an accepted text may get another spelling.
  ///   - isSecret: whether a refused text is dropped, because otherwise it would be stored.
  ///   - take: accepts the text, or throws the reason to show beside the input.
  func addInput(
    _ kind: Element.Kind, _ label: String, text: @escaping @MainActor () -> String, isSecret: Bool = false,
    isWrittenAnew: Bool = false, configure: (inout Element) -> Void, take: @escaping @MainActor (String) throws -> Void
  ) {
    add(kind, label) { element in
      let (id, state, base) = (element.id, state, text())
      let isRefused = state[id, .base] == base
      element.value = isSecret || !isRefused ? base : state[id, .draft] ?? base
      configure(&element)
      if isSecret || isRefused { noteRefusal(in: &element) }
      if isRefused, !isSecret { held[id] = base }
      let edit: @MainActor (String) -> Void = { typed in
        do {
          try take(typed)
          state.forgetRefusal(of: id)
          guard isWrittenAnew, text() != typed else { return }
          state[id, .base] = text()
          state[id, .draft] = typed
        } catch {
          state[id, .base] = isSecret ? nil : base
          state[id, .draft] = isSecret ? nil : typed
          state[id, .problem] = NavigationError.personMessage(of: error)
        }
      }
      handle(id, .edit(edit))
    }
  }

  /// Returns a closure that sets the user's choice; if the binding refuses it, the input shows the reason until it
  /// changes.
  func taking<Value>(_ binding: Binding<Value>, in element: inout Element) -> @MainActor (Value) -> Void {
    let (id, base, state) = (element.id, element.value, state)
    if state[id, .base] == base { noteRefusal(in: &element) }
    return { value in
      do {
        try binding.set(value)
        state.forgetRefusal(of: id)
      } catch {
        state[id, .base] = base
        state[id, .problem] = NavigationError.personMessage(of: error)
      }
    }
  }

  /// Shows beside an input why the user's value was refused.
  func noteRefusal(in element: inout Element) {
    guard let problem = state[element.id, .problem] else { return }
    refused.insert(element.id)
    element.problem = problem
    note(problem, of: element.id)
  }

  /// Notes a problem in the form being rendered.
  func note(_ problem: String, of element: ElementID) {
    guard !forms.isEmpty else { return }
    forms[forms.count - 1].problems.append(.init(element: element, text: problem))
  }
}
