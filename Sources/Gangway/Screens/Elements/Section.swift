@_spi(FrontEnd) import GangwayProtocol

/// Content under its own heading.
public struct Section: PrimitiveContent {
  let title: String
  let content: ContentGroup

  /// Creates a section.
  public init(_ title: String = "", @ContentBuilder content: () -> ContentGroup) {
    self.title = title
    self.content = content()
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.section, title, children: { content._render(into: renderer) })
  }
}
