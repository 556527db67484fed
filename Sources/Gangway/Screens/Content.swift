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
  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) { body._render(into: renderer) }
}

extension Content where Body == EmptyContent {
  /// Nothing: the content adds its elements by itself.
  public var body: EmptyContent { EmptyContent() }
}

/// What one entry shows, in terms of meaning; a front end decides how it looks.
public protocol Screen: Content {
  /// The entry's title; nil stands for the route's. Read under observation tracking.
  var title: String? { get }

  /// Asked before the screen goes, with what would be shown then; nil stands for nobody to ask.
  ///
  /// It sees the screen's models, and may have them show an alert: ``PendingAnswer`` waits for the person.
  var leaveGuard: NavigationGuard? { get }
}

extension Screen {
  /// The route's title.
  public var title: String? { nil }
  /// Nobody is asked.
  public var leaveGuard: NavigationGuard? { nil }
}

/// Nothing.
public struct EmptyContent: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  nonisolated init() {}
  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {}
}

/// Several pieces of content, one after the other.
public struct ContentGroup: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let parts: [any Content]
  private let isLoop: Bool

  init(_ parts: [any Content], isLoop: Bool = false) {
    self.parts = parts
    self.isLoop = isLoop
  }

  /// Adds itself to a render.
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
  /// Takes content whose type is not known.
  public static func buildExpression(_ content: any Content) -> any Content { content }
  /// Puts pieces one after the other.
  public static func buildBlock(_ parts: any Content...) -> ContentGroup { ContentGroup(parts) }
  /// Takes an `if` without an `else`; what follows keeps its ids either way.
  public static func buildOptional(_ content: ContentGroup?) -> any Content { content ?? ContentGroup([]) }
  /// Takes the first branch of a condition.
  public static func buildEither(first: ContentGroup) -> any Content { Branch(name: "a", content: first) }
  /// Takes the other branch, whose elements have ids of their own.
  public static func buildEither(second: ContentGroup) -> any Content { Branch(name: "b", content: second) }
  /// Takes what a `for` makes.
  public static func buildArray(_ parts: [ContentGroup]) -> any Content { ContentGroup(parts, isLoop: true) }
  /// Gives out the whole.
  public static func buildFinalResult(_ group: ContentGroup) -> ContentGroup { group }
}
