@_spi(FrontEnd) import GangwayProtocol

/// Work that runs while content is shown.
struct ScreenTask {
  /// The subject of the work, which starts again when the subject changes.
  let id: AnyHashable?
  let work: @MainActor () async -> Void
}

/// A watched value of content, with the handler for its changes.
struct ValueWatch {
  let value: any Equatable
  let changed: @MainActor (_ before: any Equatable) async throws -> Void

  /// Returns whether the value differs from the one of an earlier render.
  func differs(from earlier: any Equatable) -> Bool {
    func isEqual<Value: Equatable>(_ value: Value) -> Bool { earlier as? Value == value }
    return !isEqual(value)
  }
}

/// A form being rendered.
struct FormDraft {
  /// A problem in the form.
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
