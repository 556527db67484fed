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

/// Nothing: what a `case` holds that shows nothing.
public struct EmptyContent: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  /// Makes nothing.
  nonisolated public init() {}
  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {}
}

/// Content that may be absent, as what `map` makes of an optional value.
extension Optional: Content where Wrapped: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  /// Adds what is there to a render.
  public func _render(into renderer: ContentRenderer) {
    if let self { self._render(into: renderer) }
  }
}

/// Several pieces of content, one after the other.
public struct ContentGroup: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let parts: [any Content]
  private let isLoop: Bool

  /// Makes nothing.
  public init() { self.init([]) }

  init(_ parts: [any Content], isLoop: Bool = false) {
    self.parts = parts
    self.isLoop = isLoop
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    if parts.count == 1, !isLoop { return parts[0]._render(into: renderer) }
    for (index, part) in parts.enumerated() {
      renderer.descend(String(index)) { part._render(into: renderer) }
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

/// Lets content be written as in SwiftUI: one piece a line, with `if`, `switch`, `for`, `#available` and declarations, nested to
/// any depth.
///
/// What a statement makes is one ``ContentGroup``, whatever is in it, so that one may stand in another.
@resultBuilder @MainActor public enum ContentBuilder {
  public static func buildExpression(_ content: some Content) -> any Content { content }
  /// Takes content whose type is not known.
  public static func buildExpression(_ content: any Content) -> any Content { content }
  /// Takes content whose type is not known, and which may be absent.
  public static func buildExpression(_ content: (any Content)?) -> any Content { content ?? EmptyContent() }
  /// Puts pieces one after the other.
  public static func buildBlock(_ parts: any Content...) -> ContentGroup { ContentGroup(parts) }
  /// Takes an `if` without an `else`; what follows keeps its ids either way.
  public static func buildOptional(_ content: ContentGroup?) -> ContentGroup { content ?? ContentGroup([]) }
  /// Takes the first branch of a condition, of which a `switch` has several in one another.
  public static func buildEither(first: ContentGroup) -> ContentGroup { branch("a", first) }
  /// Takes the other branch, whose elements have ids of their own.
  public static func buildEither(second: ContentGroup) -> ContentGroup { branch("b", second) }
  /// Takes what a `for` makes.
  public static func buildArray(_ parts: [ContentGroup]) -> ContentGroup { ContentGroup(parts, isLoop: true) }
  /// Takes what is there on some systems only.
  public static func buildLimitedAvailability(_ content: ContentGroup) -> ContentGroup { content }
  /// Gives out the whole.
  public static func buildFinalResult(_ group: ContentGroup) -> ContentGroup { group }

  private static func branch(_ name: String, _ content: ContentGroup) -> ContentGroup {
    ContentGroup([Branch(name: name, content: content)])
  }
}
