import GangwayProtocol

/// A line or paragraph of text.
public struct Text: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let text: String
  /// Makes text.
  public init(_ text: String) { self.text = text }
  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) { renderer.add(.text, text) }
}

/// A line of text that heads what follows.
public struct Heading: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let text: String
  /// Makes a heading.
  public init(_ text: String) { self.text = text }
  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) { renderer.add(.heading, text) }
}

/// A line between what precedes and what follows.
public struct Divider: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  /// Makes a divider.
  public init() {}
  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) { renderer.add(.divider) }
}

/// How far something has come.
public struct Progress: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let fraction: Double?

  /// Makes a progress; `fraction` counts from 0 to 1, nil stands for an unknown one.
  public init(_ label: String, fraction: Double? = nil) {
    self.label = label
    self.fraction = fraction
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    // What is no number (0 of 0) is not known.
    let known = fraction.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
    renderer.add(.progress, label) { $0.value = known.map { "\($0)" } }
  }
}
