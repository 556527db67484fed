import GangwayProtocol

/// A field for text.
public struct TextField: Content {
  /// How text is entered.
  public struct Style: Hashable, Sendable {
    let wire: Element.Role?

    /// One line.
    public static let plain = Style(wire: nil)
    /// Several lines.
    public static let multiline = Style(wire: .multiline)
    /// Hidden; never stored, recorded or logged.
    public static let secure = Style(wire: .secure)
    /// An address of e-mail.
    public static let email = Style(wire: .email)
    /// Digits.
    public static let number = Style(wire: .number)
    /// What is looked for.
    public static let search = Style(wire: .search)
    /// A URL.
    public static let url = Style(wire: .url)
  }

  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let text: Binding<String>
  let style: Style

  /// Makes a field whose text lives in `text`; every edit is written there.
  ///
  /// Where the binding's setter throws, the field keeps what was typed, and says beside it why it was not taken.
  public init(_ label: String, text: Binding<String>, style: Style = .plain) {
    self.label = label
    self.text = text
    self.style = style
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.addInput(
      .field, label, text: { text.wrappedValue }, isSecret: style == .secure, configure: { $0.role = style.wire },
      take: { try text.set($0) })
  }
}

/// Something that is on or off.
public struct Toggle: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let isOn: Binding<Bool>

  /// Makes a toggle whose state lives in `isOn`.
  public init(_ label: String, isOn: Binding<Bool>) {
    self.label = label
    self.isOn = isOn
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.toggle, label) { element in
      element.value = isOn.wrappedValue ? "on" : "off"
      renderer.handle(element.id, .toggle(renderer.taking(isOn, in: &element)))
    }
  }
}

/// A choice of one among several.
public struct Picker<Value: Hashable>: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let selection: Binding<Value>
  let options: [Value]
  let title: (Value) -> String

  /// Makes a picker.
  ///
  /// - Parameters:
  ///   - label: what is chosen.
  ///   - selection: where the chosen value lives.
  ///   - options: what can be chosen; their descriptions must differ, for they name the options in events.
  ///   - title: what the person reads for an option; by default its description.
  public init(
    _ label: String, selection: Binding<Value>, options: [Value], title: @escaping (Value) -> String = { "\($0)" }
  ) {
    self.label = label
    self.selection = selection
    self.options = options
    self.title = title
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
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
  /// Adds an input whose text a person edits.
  ///
  /// What cannot be taken stays in it, with the reason beside it, until the person changes it: nothing that was typed is lost. What is
  /// taken and is written in another way, as 1. for 1, stands as it was typed until the person leaves the input.
  ///
  /// - Parameters:
  ///   - text: what it holds, where the person has not typed another text.
  ///   - isWrittenAnew: whether what is taken may be written in another way than the person did.
  ///   - isSecret: whether a text that could not be taken is forgotten, for it would be stored.
  ///   - take: takes the text over; what it throws is said beside the input.
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

  /// What takes a value over that a person chose; where the binding refuses, the reason is said beside the input until it has another.
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

  /// Says beside an input why what the person wanted was not taken.
  func noteRefusal(in element: inout Element) {
    guard let problem = state[element.id, .problem] else { return }
    refused.insert(element.id)
    element.problem = problem
    note(problem, of: element.id)
  }

  /// Notes something that is wrong in the form being rendered.
  func note(_ problem: String, of element: ElementID) {
    guard !forms.isEmpty else { return }
    forms[forms.count - 1].problems.append(.init(element: element, text: problem))
  }
}
