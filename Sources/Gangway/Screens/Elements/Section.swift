import GangwayProtocol

/// Content under its own heading.
public struct Section: Content {
  /// The empty body of built-in content.
  public typealias Body = EmptyContent
  let title: String
  let content: ContentGroup

  /// Creates a section.
  public init(_ title: String = "", @ContentBuilder content: () -> ContentGroup) {
    self.title = title
    self.content = content()
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.section, title, children: { content._render(into: renderer) })
  }
}
