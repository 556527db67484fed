import GangwayProtocol

/// Content under a heading of its own.
public struct Section: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let title: String
  let content: ContentGroup

  /// Makes a section.
  public init(_ title: String = "", @ContentBuilder content: () -> ContentGroup) {
    self.title = title
    self.content = content()
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.section, title, children: { content._render(into: renderer) })
  }
}
