@_spi(FrontEnd) import GangwayProtocol

/// The role of a button that front ends should mark.
public enum ButtonRole: Hashable, Sendable {
  /// The button destroys something.
  case destructive
  /// The button cancels.
  case cancel

  var wire: Element.Role {
    switch self {
    case .destructive: .destructive
    case .cancel: .cancel
    }
  }
}

/// A button.
public struct Button: PrimitiveContent {
  let label: String
  let role: ButtonRole?
  let action: @MainActor () async throws -> Void

  /// Creates a button.
  ///
  /// - Parameters:
  ///   - label: the label of the button.
  ///   - role: a special role of the button.
  ///   - action: runs on the main actor when the button is pressed. The user sees its errors.
  public init(_ label: String, role: ButtonRole? = nil, action: @escaping @MainActor () async throws -> Void) {
    self.label = label
    self.role = role
    self.action = action
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.button, label, handler: .action(action)) { $0.role = role?.wire }
  }
}

/// A link to another route of the coordinator that shows the screen.
public struct Link: PrimitiveContent {
  let label: String
  let url: @MainActor () -> String?
  let action: @MainActor () async throws -> Void

  init(_ label: String, url: @escaping @MainActor () -> String?, action: @escaping @MainActor () async throws -> Void) {
    self.label = label
    self.url = url
    self.action = action
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.link, label, handler: .action(action)) { $0.leads(to: url()) }
  }
}

extension Element {
  /// Sets the URL; an element without one has no attribute.
  mutating func leads(to url: String?) { if let url { self.url = url } }
}

/// Actions for the screen as a whole.
public struct Toolbar: PrimitiveContent {
  let content: ContentGroup

  /// Creates a toolbar of buttons and links.
  public init(@ContentBuilder content: () -> ContentGroup) { self.content = content() }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.toolbar, children: { content._render(into: renderer) })
  }
}
