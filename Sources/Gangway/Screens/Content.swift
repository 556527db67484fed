/// A piece of a screen: an element, or a composition of others.
///
/// Content is a value made anew for every render; what must live longer belongs to a model. Everything in it runs
/// on the main actor.
@MainActor public protocol Content {
  /// What the content is composed of.
  associatedtype Body: Content
  /// What it shows. Read under observation tracking: a change of what it read renders the screen again.
  @ContentBuilder var body: Body { get }
  /// Adds its elements to a render. The vocabulary implements it; compositions leave it alone.
  func _render(into renderer: ContentRenderer)
}

extension Content {
  public func _render(into renderer: ContentRenderer) { body._render(into: renderer) }
}

extension Content where Body == EmptyContent {
  public var body: EmptyContent { EmptyContent() }
}

/// What one entry shows, in terms of meaning; a front end decides how it looks.
public protocol Screen: Content {
  /// The entry's title; nil stands for the route's. Read under observation tracking.
  var title: String? { get }
}

extension Screen {
  public var title: String? { nil }
}

/// Nothing.
public struct EmptyContent: Content {
  public typealias Body = EmptyContent
  nonisolated init() {}
  public func _render(into renderer: ContentRenderer) {}
}

/// Several pieces of content, one after the other.
public struct ContentGroup: Content {
  public typealias Body = EmptyContent
  let parts: [any Content]
  private let isLoop: Bool

  init(_ parts: [any Content], isLoop: Bool = false) {
    self.parts = parts
    self.isLoop = isLoop
  }

  public func _render(into renderer: ContentRenderer) {
    if parts.count == 1, !isLoop { return parts[0]._render(into: renderer) }
    for (index, part) in parts.enumerated() {
      renderer.descend("\(index)") { part._render(into: renderer) }
    }
  }
}

/// Content under a name of its own in the ids of its elements: a branch of a condition.
struct Branch: Content {
  typealias Body = EmptyContent
  let name: String
  let content: any Content

  func _render(into renderer: ContentRenderer) {
    renderer.descend(name) { content._render(into: renderer) }
  }
}

/// Lets content be written as in SwiftUI: one piece a line, with `if`, `switch` and `for`.
@resultBuilder @MainActor public enum ContentBuilder {
  public static func buildExpression(_ content: some Content) -> any Content { content }
  public static func buildExpression(_ content: any Content) -> any Content { content }
  public static func buildBlock(_ parts: any Content...) -> ContentGroup { ContentGroup(parts) }
  public static func buildOptional(_ content: ContentGroup?) -> any Content { content ?? ContentGroup([]) }
  public static func buildEither(first: ContentGroup) -> any Content { Branch(name: "a", content: first) }
  public static func buildEither(second: ContentGroup) -> any Content { Branch(name: "b", content: second) }
  public static func buildArray(_ parts: [ContentGroup]) -> any Content { ContentGroup(parts, isLoop: true) }
  public static func buildFinalResult(_ group: ContentGroup) -> ContentGroup { group }
}
