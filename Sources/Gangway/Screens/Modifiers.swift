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
