@_spi(FrontEnd) import GangwayProtocol

/// A line or paragraph of text.
public struct Text: PrimitiveContent {
  let text: String
  /// Creates text.
  public init(_ text: String) { self.text = text }
  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) { renderer.add(.text, text) }
}

/// A line of text that heads the content after it.
public struct Heading: PrimitiveContent {
  let text: String
  /// Creates a heading.
  public init(_ text: String) { self.text = text }
  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) { renderer.add(.heading, text) }
}

/// A line between two pieces of content.
public struct Divider: PrimitiveContent {
  /// Creates a divider.
  public init() {}
  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) { renderer.add(.divider) }
}
