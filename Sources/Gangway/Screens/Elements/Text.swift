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

/// The progress of a task.
public struct Progress: PrimitiveContent {
  let label: String
  let fraction: Double?

  /// Creates a progress indicator; `fraction` is from 0 to 1, and nil stands for an unknown one.
  public init(_ label: String, fraction: Double? = nil) {
    self.label = label
    self.fraction = fraction
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    // A value that is not a number (0 of 0) is unknown.
    let known = fraction.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
    renderer.add(.progress, label) { $0.value = known.map { "\($0)" } }
  }
}
