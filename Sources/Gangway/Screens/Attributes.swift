@_spi(FrontEnd) import GangwayProtocol

extension Content {
  /// Sets one or two characters before the label, on front ends that have room for them.
  public func symbol(_ symbol: String?) -> some Content { amended { $0.symbol = symbol } }

  /// Sets a short text apart from the label, such as a count; nil and an empty text remove it.
  public func badge(_ text: String?) -> some Content {
    amended { $0.badge = text?.isEmpty == true ? nil : text }
  }

  /// Sets a count apart from the label, such as `1,200`; 0 is not shown.
  public func badge(_ count: Int) -> some Content { badge(count == 0 ? nil : count.grouped()) }

  /// Sets the help text of the element.
  public func help(_ text: String) -> some Content { amended { $0.help = text } }

  /// Sets a message beside an input about a problem with its value; nil for no problem.
  ///
  /// Your code decides when to show it. ``rule(_:)`` leaves this decision to the framework.
  public func problem(_ text: String?) -> some Content { amended { $0.problem = text ?? $0.problem } }

  /// Sets a key that presses the element, wherever the keyboard focus is on the screen.
  ///
  /// Front ends reserve some keys, such as Ctrl-P and all characters without Control or Alt; see `FrontEndKey`. An
  /// element with a reserved key is shown without a key, and a message tells the developer.
  ///
  /// - Parameters:
  ///   - key: a character, or the name of a key: `enter`, `delete`, `f1` to `f12`.
  ///   - modifiers: the modifier keys.
  public func keyboardShortcut(_ key: String, modifiers: KeyModifiers = .control) -> some Content {
    let text = modifiers.words + key.lowercased()
    let shortcut = Shortcut(text)
    let owner = FrontEndKey.owner(of: shortcut)
    return ModifiedContent(self) { renderer, content in
      renderer.amend(content) { element in
        guard let owner else { return element.shortcut = text }
        // All rows of a list report this once.
        guard renderer.refusedShortcuts.insert(shortcut).inserted else { return }
        let kind = element.kind.rawValue
        renderer.problems.append(
          "The \(kind) '\(element.label.isEmpty ? "#\(element.id)" : element.label)' asks for \(shortcut.name). "
            + "Front ends use \(shortcut.name) for '\(owner.purpose)', so the \(kind) has no key. Choose another key.")
      }
    }
  }

  /// Sets the URL that opens what a press of the element opens, such as ``Router/url(of:)``.
  ///
  /// A browser shows the element as a link, which a user can copy or open in another tab. A press still runs the
  /// element's action. ``Row`` and ``Link`` with a route set their URL themselves.
  ///
  /// - Parameter url: a URL of the application; nil for none.
  public func url(_ url: String?) -> some Content { amended { if url != $0.url { $0.url = url } } }

  /// Changes the elements of the content after they have been made.
  func amended(_ change: @escaping @MainActor (inout Element) -> Void) -> some Content {
    ModifiedContent(self) { renderer, content in renderer.amend(content, change) }
  }
}

/// Modifier keys, which are held while another key is pressed.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: Int
  /// Creates a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Control.
  public static let control = KeyModifiers(rawValue: 1)
  /// Alt, or Option.
  public static let alt = KeyModifiers(rawValue: 2)
  /// Shift.
  public static let shift = KeyModifiers(rawValue: 4)

  /// The modifiers in front of a key, as in messages.
  var words: String {
    (contains(.control) ? "ctrl+" : "") + (contains(.alt) ? "alt+" : "") + (contains(.shift) ? "shift+" : "")
  }
}

extension Content {
  /// Adds commands to the content that front ends show on demand, such as a context menu or swipe actions.
  ///
  /// Without commands, there is no menu.
  public func actions(@ContentBuilder _ content: @escaping () -> ContentGroup) -> some Content {
    ModifiedContent(self) { renderer, own in
      let before = renderer.elements.count
      own()
      guard renderer.elements.count > before else { return }
      renderer.extend("actions") {
        Menu("Actions", role: .actions, content: content)._render(into: renderer)
        if renderer.elements.last?.children.isEmpty == true { renderer.elements.removeLast() }
      }
    }
  }

  /// Runs work while the content is shown, and again whenever `id` changes, such as a search during typing.
  ///
  /// - Parameters:
  ///   - id: the subject of the work; a new one cancels the running work.
  ///   - work: runs on the main actor, and is tracked like the work of ``task(_:)``.
  public func task(id: some Hashable, _ work: @escaping @MainActor () async -> Void) -> some Content {
    ModifiedContent(self) { renderer, content in
      renderer.addTask(id: AnyHashable(id), work)
      content()
    }
  }

  /// Runs an action when a value differs from its value in the previous render.
  ///
  /// - Parameters:
  ///   - value: the value to watch.
  ///   - action: runs on the main actor after the render, with the values before and now. The user sees its errors.
  public func onChange<Value: Equatable>(
    of value: Value, _ action: @escaping @MainActor (_ before: Value, _ now: Value) async throws -> Void
  ) -> some Content {
    ModifiedContent(self) { renderer, content in
      let watch = ValueWatch(value: value) { before in
        guard let before = before as? Value else { return }
        try await action(before, value)
      }
      renderer.addWatch(watch)
      content()
    }
  }

  /// Moves the keyboard focus to the element while the binding is true, and updates the binding when the user moves the
  /// focus.
  public func focused(_ isFocused: Binding<Bool>) -> some Content {
    ModifiedContent(self) { renderer, content in
      let before = renderer.elements.count
      content()
      guard renderer.elements.indices.contains(before) else { return }
      // Read now, so that observation tracks it.
      renderer.focusBindings[renderer.elements[before].id] = (isFocused, isFocused.wrappedValue)
    }
  }

  /// Adds a search field before the content.
  ///
  /// - Parameters:
  ///   - text: the search text, by which your code filters the content.
  ///   - prompt: the label of the field.
  public func searchable(text: Binding<String>, prompt: String = "Search") -> some Content {
    ModifiedContent(self) { renderer, content in
      renderer.descend("search") { TextField(prompt, text: text, style: .search)._render(into: renderer) }
      content()
    }
  }

  /// Lets the user fetch the content again.
  ///
  /// - Parameter action: runs on the main actor. The user sees its errors.
  public func refreshable(_ action: @escaping @MainActor () async throws -> Void) -> some Content {
    ModifiedContent(self) { renderer, content in
      renderer.descend("refresh") {
        renderer.add(.button, "Refresh", handler: .action(action)) { $0.role = .refresh }
      }
      content()
    }
  }
}
