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
  }

  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let text: Binding<String>
  let style: Style

  /// Makes a field whose text lives in `text`; every edit is written there.
  public init(_ label: String, text: Binding<String>, style: Style = .plain) {
    self.label = label
    self.text = text
    self.style = style
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.field, label, handler: .edit { text.wrappedValue = $0 }) { element in
      element.value = text.wrappedValue
      element.role = style.wire
    }
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
    renderer.add(.toggle, label, handler: .toggle { isOn.wrappedValue = $0 }) {
      $0.value = isOn.wrappedValue ? "on" : "off"
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
    let choose: @MainActor (String) -> Bool = { id in
      guard let option = options.first(where: { "\($0)" == id }) else { return false }
      selection.wrappedValue = option
      return true
    }
    renderer.add(.picker, label, handler: .choose(choose)) { element in
      element.value = "\(selection.wrappedValue)"
      element.options = options.map { Element.Option(id: "\($0)", title: title($0)) }
    }
  }
}
