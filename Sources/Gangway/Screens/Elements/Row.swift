import GangwayProtocol

/// One row of a ``List``, as a front end shows it best: a title, what there is to say besides, and what pressing it does.
public struct Row: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let title: String
  let detail: String?
  let action: (@MainActor () async throws -> Void)?
  let content: ContentGroup

  /// Makes a row.
  ///
  /// - Parameters:
  ///   - title: what the person reads first.
  ///   - detail: a second line; nil where there is none.
  ///   - action: what pressing the row does, on the main actor; what it throws is told to the person. With nil the row cannot
  ///     be pressed.
  ///   - content: what else stands in it.
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
  public func _render(into renderer: ContentRenderer) {
    renderer.add(
      .row, title, handler: action.map { .action($0) },
      configure: {
        $0.detail = detail
        if action != nil { $0.role = .button }
      }, children: { content._render(into: renderer) })
  }
}
