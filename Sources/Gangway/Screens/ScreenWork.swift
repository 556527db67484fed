import GangwayProtocol

/// Work that runs while content is shown.
struct ScreenTask {
  /// What it is about: with another one it starts anew.
  let id: AnyHashable?
  let work: @MainActor () async -> Void
}

/// A value that content was made with, and what is done when it is another one.
struct ValueWatch {
  let value: any Equatable
  let changed: @MainActor (_ before: any Equatable) async throws -> Void

  /// Whether a value is another one than that of an earlier render.
  func differs(from earlier: any Equatable) -> Bool {
    func isEqual<Value: Equatable>(_ value: Value) -> Bool { earlier as? Value == value }
    return !isEqual(value)
  }
}

/// A form being rendered.
struct FormDraft {
  /// Something that is wrong in it.
  struct Problem {
    let element: ElementID
    let text: String
  }

  let id: ElementID
  let isSubmitted: Bool
  var problems: [Problem] = []
}

/// One pane of the tabs being rendered.
struct PaneDraft {
  let id: String
  let title: String
  let content: () -> ContentGroup
}
