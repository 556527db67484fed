import GangwayProtocol

/// A line or paragraph of text.
public struct Text: Content {
  public typealias Body = EmptyContent
  let text: String
  /// Makes text.
  public init(_ text: String) { self.text = text }
  public func _render(into renderer: ContentRenderer) { renderer.add(.text, text) }
}

/// A line of text that heads what follows.
public struct Heading: Content {
  public typealias Body = EmptyContent
  let text: String
  /// Makes a heading.
  public init(_ text: String) { self.text = text }
  public func _render(into renderer: ContentRenderer) { renderer.add(.heading, text) }
}

/// A line between what precedes and what follows.
public struct Divider: Content {
  public typealias Body = EmptyContent
  /// Makes a divider.
  public init() {}
  public func _render(into renderer: ContentRenderer) { renderer.add(.divider) }
}

/// How far something has come.
public struct Progress: Content {
  public typealias Body = EmptyContent
  let label: String
  let fraction: Double?

  /// Makes a progress; `fraction` counts from 0 to 1, nil stands for an unknown one.
  public init(_ label: String, fraction: Double? = nil) {
    self.label = label
    self.fraction = fraction
  }

  public func _render(into renderer: ContentRenderer) {
    renderer.add(.progress, label) { $0.value = fraction.map { "\(min(max($0, 0), 1))" } }
  }
}
