/// A piece of a screen: an element, or a composition of others.
///
/// Content is a value that is created for every render. State that lives longer belongs to a model. All content runs on
/// the main actor.
@MainActor public protocol Content {
  /// The type of the content that `body` returns.
  associatedtype Body: Content
  /// The composition.
  ///
  /// Observation tracks its values, and a change renders the screen again.
  @ContentBuilder var body: Body { get }
  /// Adds its elements to a render.
  ///
  /// Only the built-in elements implement this.
  func _render(into renderer: ContentRenderer)
}

extension Content {
  /// Adds the body to a render.
  public func _render(into renderer: ContentRenderer) { body._render(into: renderer) }
}

/// Content without parts, which adds its elements itself. Only the built-in elements are primitive.
public protocol PrimitiveContent: Content where Body == EmptyContent {}

extension PrimitiveContent {
  /// No content, because this content adds its elements itself.
  public var body: EmptyContent { EmptyContent() }
}

/// The content of one entry. A screen describes the meaning of the content, and a front end decides how it looks.
public protocol Screen: Content {
  /// The entry's title; nil stands for the route's title.
  ///
  /// Observation tracks it.
  var title: String? { get }

  /// The guard that runs before the screen goes, with the next location; nil for no guard.
  ///
  /// It can read the screen's models, and may show an alert: ``PendingAnswer`` waits for the user.
  var leaveGuard: NavigationGuard? { get }
}

extension Screen {
  /// Nil: the route's title is used.
  public var title: String? { nil }
  /// Nil: no guard runs.
  public var leaveGuard: NavigationGuard? {
    MissingLeaveGuard.note(Self.self)
    return nil
  }
}

/// No content, for a `case` that shows nothing.
public struct EmptyContent: Content {
  /// Itself, which ends the composition.
  public var body: EmptyContent { return self }
  /// Creates empty content.
  nonisolated public init() {}
  /// Adds nothing to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {}
}

/// Content that may be absent, such as the result of `map` on an optional value.
extension Optional: Content, PrimitiveContent where Wrapped: Content {
  /// Adds the content to a render, if there is any.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    if let self { self._render(into: renderer) }
  }
}

/// Several pieces of content, one after the other.
public struct ContentGroup: PrimitiveContent {
  let parts: [any Content]
  private let isLoop: Bool

  /// Creates an empty group.
  public init() { self.init([]) }

  init(_ parts: [any Content], isLoop: Bool = false) {
    self.parts = parts
    self.isLoop = isLoop
  }

  /// Adds its parts to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    if parts.count == 1, !isLoop { return parts[0]._render(into: renderer) }
    for (index, part) in parts.enumerated() {
      renderer.descend(String(index)) { part._render(into: renderer) }
    }
  }
}

/// Content with its own name in the ids of its elements, such as a branch of a condition.
struct Branch: PrimitiveContent {
  let name: String
  let content: any Content

  func _render(into renderer: ContentRenderer) {
    renderer.descend(name) { content._render(into: renderer) }
  }
}

/// A builder of content as in SwiftUI: one piece a line, with `if`, `switch`, `for`, `#available` and declarations.
///
/// Statements nest to any depth, because each makes one ``ContentGroup``.
@resultBuilder @MainActor public enum ContentBuilder {
  public static func buildExpression(_ content: some Content) -> any Content { content }
  /// Takes content of unknown type.
  public static func buildExpression(_ content: any Content) -> any Content { content }
  /// Takes content of unknown type that may be absent.
  public static func buildExpression(_ content: (any Content)?) -> any Content { content ?? EmptyContent() }
  /// Puts pieces one after the other.
  public static func buildBlock(_ parts: any Content...) -> ContentGroup { ContentGroup(parts) }
  /// Takes an `if` without an `else`; the content after it keeps its ids either way.
  public static func buildOptional(_ content: ContentGroup?) -> ContentGroup { content ?? ContentGroup([]) }
  /// Takes the first branch of a condition.
  ///
  /// A `switch` nests several conditions.
  public static func buildEither(first: ContentGroup) -> ContentGroup { branch("a", first) }
  /// Takes the other branch, whose elements have ids of their own.
  public static func buildEither(second: ContentGroup) -> ContentGroup { branch("b", second) }
  /// Takes the pieces of a `for`.
  public static func buildArray(_ parts: [ContentGroup]) -> ContentGroup { ContentGroup(parts, isLoop: true) }
  /// Takes content that exists only on some systems.
  public static func buildLimitedAvailability(_ content: ContentGroup) -> ContentGroup { content }
  /// Returns the whole content.
  public static func buildFinalResult(_ group: ContentGroup) -> ContentGroup { group }

  private static func branch(_ name: String, _ content: ContentGroup) -> ContentGroup {
    ContentGroup([Branch(name: name, content: content)])
  }
}
