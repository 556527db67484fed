import GangwayProtocol

extension Content {
  /// Sets a character or two before the label, where a front end has room for it.
  public func symbol(_ symbol: String?) -> some Content { amended { $0.symbol = symbol } }

  /// Sets a short text apart from the label, such as a count; nil and an empty text are none.
  public func badge(_ text: String?) -> some Content {
    amended { $0.badge = text?.isEmpty == true ? nil : text }
  }

  /// Sets a count apart from the label; 0 is not shown.
  public func badge(_ count: Int) -> some Content { badge(count == 0 ? nil : "\(count)") }

  /// Says what the element is for, to somebody who asks.
  public func help(_ text: String) -> some Content { amended { $0.help = text } }

  /// Says beside an input what is wrong with what it holds; nil where nothing is.
  ///
  /// The author decides when: ``rule(_:)`` leaves that to the framework.
  public func problem(_ text: String?) -> some Content { amended { $0.problem = text ?? $0.problem } }

  /// Lets a key press the element, wherever the keyboard is on the screen.
  ///
  /// Front ends keep some keys for themselves, such as Ctrl-P and all characters without Control or Alt; see
  /// `FrontEndKey`. An element that asks for one is shown without a key, and its author is told of both.
  ///
  /// - Parameters:
  ///   - key: a character, or the name of a key: `enter`, `delete`, `f1` to `f12`.
  ///   - modifiers: what is held meanwhile.
  public func keyboardShortcut(_ key: String, modifiers: KeyModifiers = .control) -> some Content {
    let text = modifiers.words + key.lowercased()
    let shortcut = Shortcut(text)
    let owner = FrontEndKey.owner(of: shortcut)
    return ModifiedContent(self) { renderer, content in
      renderer.amend(content) { element in
        guard let owner else { return element.shortcut = text }
        // One of a list's rows speaks for all.
        guard renderer.refusedShortcuts.insert(shortcut).inserted else { return }
        let kind = element.kind.rawValue
        renderer.problems.append(
          "The \(kind) '\(element.label.isEmpty ? "#\(element.id)" : element.label)' asks for \(shortcut.name). "
            + "Front ends keep that key for '\(owner.purpose)', so the \(kind) has no key. Give it another.")
      }
    }
  }

  /// Changes the elements of the content when they have been made.
  func amended(_ change: @escaping @MainActor (inout Element) -> Void) -> some Content {
    ModifiedContent(self) { renderer, content in renderer.amend(content, change) }
  }
}

/// Keys that are held while another is pressed.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  /// A bit for each.
  public let rawValue: Int
  /// Makes a set of its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Control.
  public static let control = KeyModifiers(rawValue: 1)
  /// Alt, or Option.
  public static let alt = KeyModifiers(rawValue: 2)
  /// Shift.
  public static let shift = KeyModifiers(rawValue: 4)

  /// The modifiers before a key, as messages have them.
  var words: String {
    (contains(.control) ? "ctrl+" : "") + (contains(.alt) ? "alt+" : "") + (contains(.shift) ? "shift+" : "")
  }
}

extension Content {
  /// Sets commands that belong to the content, and that front ends show on demand: a context menu, swipe actions.
  public func actions(@ContentBuilder _ content: @escaping () -> ContentGroup) -> some Content {
    ModifiedContent(self) { renderer, own in
      let before = renderer.elements.count
      own()
      guard renderer.elements.count > before else { return }
      renderer.extend("actions") { Menu("Actions", role: .actions, content: content)._render(into: renderer) }
    }
  }

  /// Runs work while the content is shown, and anew whenever `id` is another: a search for what is being typed.
  ///
  /// - Parameters:
  ///   - id: what the work is about; with another one, the work that runs is cancelled.
  ///   - work: runs on the main actor, and is tracked as that of ``task(_:)``.
  public func task(id: some Hashable, _ work: @escaping @MainActor () async -> Void) -> some Content {
    ModifiedContent(self) { renderer, content in
      renderer.addTask(id: AnyHashable(id), work)
      content()
    }
  }

  /// Does something when a value is another than in the render before.
  ///
  /// - Parameters:
  ///   - value: what is watched.
  ///   - action: runs on the main actor after the render, with the value before and the one now; what it throws is told to
  ///     the person.
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

  /// Has the keyboard on the element while the binding is true, and sets it as the person moves the keyboard.
  public func focused(_ isFocused: Binding<Bool>) -> some Content {
    ModifiedContent(self) { renderer, content in
      let before = renderer.elements.count
      content()
      guard renderer.elements.indices.contains(before) else { return }
      // Read while it is observed.
      renderer.focusBindings[renderer.elements[before].id] = (isFocused, isFocused.wrappedValue)
    }
  }

  /// Puts a field for a search before the content.
  ///
  /// - Parameters:
  ///   - text: what is looked for; the author filters by it.
  ///   - prompt: what stands before the field.
  public func searchable(text: Binding<String>, prompt: String = "Search") -> some Content {
    ModifiedContent(self) { renderer, content in
      renderer.descend("search") { TextField(prompt, text: text, style: .search)._render(into: renderer) }
      content()
    }
  }

  /// Lets the person have what the content shows fetched again.
  ///
  /// - Parameter action: runs on the main actor; what it throws is told to the person.
  public func refreshable(_ action: @escaping @MainActor () async throws -> Void) -> some Content {
    ModifiedContent(self) { renderer, content in
      renderer.descend("refresh") {
        renderer.add(.button, "Refresh", handler: .action(action)) { $0.role = .refresh }
      }
      content()
    }
  }
}
