extension Content {
  /// Gives the element an id, by which tests and scripts name it as `#id`; within a row, after the row's.
  public func id(_ id: String) -> some Content {
    ModifiedContent(self) { renderer, content in renderer.named(id, content) }
  }

  /// Makes everything in the content unavailable, and says why; with nil it stays available.
  public func disabled(because reason: String?) -> some Content {
    ModifiedContent(self) { renderer, content in
      if let reason { renderer.unavailable(because: reason, content) } else { content() }
    }
  }

  /// Makes everything in the content unavailable while the condition holds.
  public func disabled(_ isDisabled: Bool) -> some Content {
    ModifiedContent(self) { renderer, content in
      if isDisabled { renderer.unavailable(because: nil, content) } else { content() }
    }
  }

  /// Runs work while the content is shown: it starts with the first render that has it and is cancelled when the
  /// content, or its screen, is no longer shown.
  ///
  /// The work runs on the main actor and is tracked: a test waits for it, and updates list it as pending until it
  /// first suspends on something of Gangway's or ends.
  public func task(_ work: @escaping @MainActor () async -> Void) -> some Content {
    ModifiedContent(self) { renderer, content in
      renderer.addTask(work)
      content()
    }
  }

  /// Takes the person's step back while the content is in front: clears a search, leaves a mode, before the next step
  /// leaves the screen. A step that it takes is used up; nothing is refused, and no leave guard is asked.
  ///
  /// Of several the innermost one counts, of those that stand one after the other the last one. An alert's cancel button,
  /// and giving up a navigation that waits, come first. What is dismissed (a sheet swiped away) is no step back.
  ///
  /// - Parameters:
  ///   - isEnabled: whether it takes the step now; where it does not, the next one outside of it does.
  ///   - action: what is done instead; it ends with the entry, as that of a button.
  public func onBack(isEnabled: Bool = true, _ action: @escaping @MainActor () async throws -> Void) -> some Content {
    ModifiedContent(self) { renderer, content in
      if isEnabled { renderer.back = action }
      content()
    }
  }
}

/// Content rendered in a changed context.
struct ModifiedContent<Inner: Content>: Content {
  typealias Body = EmptyContent
  let inner: Inner
  let change: @MainActor (ContentRenderer, () -> Void) -> Void

  init(_ inner: Inner, _ change: @escaping @MainActor (ContentRenderer, () -> Void) -> Void) {
    self.inner = inner
    self.change = change
  }

  func _render(into renderer: ContentRenderer) {
    change(renderer) { inner._render(into: renderer) }
  }
}
