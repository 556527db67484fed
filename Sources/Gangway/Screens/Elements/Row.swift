@_spi(FrontEnd) import GangwayProtocol

/// A row of a ``List`` in the best style of each front end: a title, more content, and an action.
public struct Row: PrimitiveContent {
  let title: String
  let detail: String?
  let action: (@MainActor () async throws -> Void)?
  let content: ContentGroup
  /// Returns the URL of the route that a press shows.
  var url: @MainActor () -> String? = { nil }

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - title: the first text of the row.
  ///   - detail: a second line; nil for none.
  ///   - action: runs on the main actor when the user presses the row, and the user sees its errors. With nil, the row
  ///     cannot be pressed.
  ///   - content: further content of the row.
  public init(
    _ title: String, detail: String? = nil, action: (@MainActor () async throws -> Void)? = nil,
    @ContentBuilder content: () -> ContentGroup = { ContentGroup() }
  ) {
    self.title = title
    self.detail = detail
    self.action = action
    self.content = content()
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(
      .row, title, handler: action.map { .action($0) },
      configure: {
        $0.detail = detail
        $0.leads(to: url())
        if action != nil { $0.role = .button }
      }, children: { content._render(into: renderer) })
  }
}
