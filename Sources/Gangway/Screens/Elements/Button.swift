import GangwayProtocol

/// What a button does, where front ends should show it.
public struct ButtonRole: Hashable, Sendable {
  let wire: Element.Role

  /// It destroys something.
  public static let destructive = ButtonRole(wire: .destructive)
  /// It backs out.
  public static let cancel = ButtonRole(wire: .cancel)
}

/// Something to press.
public struct Button: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let role: ButtonRole?
  let action: @MainActor () async throws -> Void

  /// Makes a button.
  ///
  /// - Parameters:
  ///   - label: what stands on it.
  ///   - role: what it is for, where that is special.
  ///   - action: runs on the main actor when the button is pressed; what it throws is told to the person.
  public init(_ label: String, role: ButtonRole? = nil, action: @escaping @MainActor () async throws -> Void) {
    self.label = label
    self.role = role
    self.action = action
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.button, label, handler: .action(action)) { $0.role = role?.wire }
  }
}

/// A way to another route of the coordinator that shows the screen.
public struct Link: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let label: String
  let action: @MainActor () async throws -> Void

  init(_ label: String, action: @escaping @MainActor () async throws -> Void) {
    self.label = label
    self.action = action
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.link, label, handler: .action(action))
  }
}

/// Actions that belong to the screen as a whole.
public struct Toolbar: Content {
  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let content: ContentGroup

  /// Makes a toolbar of buttons and links.
  public init(@ContentBuilder content: () -> ContentGroup) { self.content = content() }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.toolbar, children: { content._render(into: renderer) })
  }
}
