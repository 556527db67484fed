extension Content {
  /// Gives the element an id, which tests and scripts write as `#id`; within a row, it follows the row's id.
  public func id(_ id: String) -> some Content {
    ModifiedContent(self) { renderer, content in renderer.named(id, content) }
  }

  /// Disables everything in the content for a reason; with nil, the content stays enabled.
  public func disabled(because reason: String?) -> some Content {
    ModifiedContent(self) { renderer, content in
      if let reason { renderer.unavailable(because: reason, content) } else { content() }
    }
  }

  /// Disables everything in the content while the condition holds.
  public func disabled(_ isDisabled: Bool) -> some Content {
    ModifiedContent(self) { renderer, content in
      if isDisabled { renderer.unavailable(because: nil, content) } else { content() }
    }
  }

  /// Runs work while the content is shown: it starts with the first render, and is cancelled when the content or its
  /// screen goes.
  ///
  /// The work runs on the main actor and is tracked. A test waits for the work, and updates list it as pending, until
  /// it ends or first waits in a call of the framework.
  public func task(_ work: @escaping @MainActor () async -> Void) -> some Content {
    ModifiedContent(self) { renderer, content in
      renderer.addTask(work)
      content()
    }
  }

  /// Handles the user's step back while the content is in front: for example, clears a search or leaves a mode.
  ///
  /// The next step back then leaves the screen. A handled step shows no refusal and runs no leave guard. Among nested
  /// handlers, the innermost runs; among consecutive handlers, the last. A step back first presses an alert's cancel
  /// button or cancels a waiting navigation. Dismissing a sheet, for example with a swipe, is not a step back.
  ///
  /// - Parameters:
  ///   - isEnabled: whether this handler handles the step now; otherwise, the next outer handler does.
  ///   - action: runs instead of the step back; like a button's action, it ends with the entry.
  public func onBack(isEnabled: Bool = true, _ action: @escaping @MainActor () async throws -> Void) -> some Content {
    ModifiedContent(self) { renderer, content in
      if isEnabled { renderer.back = action }
      content()
    }
  }
}

/// Content rendered in a changed context.
struct ModifiedContent<Inner: Content>: PrimitiveContent {
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
