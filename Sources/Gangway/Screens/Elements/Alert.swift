import GangwayProtocol

/// A message over the screen that waits for an answer.
///
/// Every button closes the alert. If no button can be pressed, the alert gets an `OK` button. If `isPresented` is still
/// true after a button has set it to false, the alert stays. After a second answer, the screen shows such an alert as
/// normal content that no longer waits for an answer.
public struct Alert: Content {
  /// The empty body of built-in content.
  public typealias Body = EmptyContent
  let title: String
  let message: String?
  let isPresented: Binding<Bool>
  let role: Element.Role?
  let buttons: ContentGroup

  /// Creates an alert with the button `OK`, shown while `isPresented` is true.
  public init(_ title: String, message: String? = nil, isPresented: Binding<Bool>) {
    self.init(title, message, isPresented, nil, ContentGroup([Button("OK", role: .cancel) {}]))
  }

  /// Creates an alert with buttons, shown while `isPresented` is true.
  public init(
    _ title: String, message: String? = nil, isPresented: Binding<Bool>,
    @ContentBuilder buttons: () -> ContentGroup
  ) {
    self.init(title, message, isPresented, nil, buttons())
  }

  init(
    _ title: String, _ message: String?, _ isPresented: Binding<Bool>, _ role: Element.Role?, _ buttons: ContentGroup
  ) {
    self.title = title
    self.message = message
    self.isPresented = isPresented
    self.role = role
    self.buttons = buttons
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    guard isPresented.wrappedValue else { return }
    renderer.add(
      .alert, title,
      configure: {
        $0.detail = message
        $0.role = role
      },
      children: {
        renderer.closing(isPresented) {
          buttons._render(into: renderer)
          // An alert must always have a way out.
          let canAnswer = renderer.elements.containsElement { [.button, .link].contains($0.kind) && $0.isEnabled }
          if !canAnswer { renderer.descend("ok") { Button("OK", role: .cancel) {}._render(into: renderer) } }
        }
      })
  }
}

/// A question over the screen before an action: the action's button, and `Cancel`.
public struct Confirmation: Content {
  /// The empty body of built-in content.
  public typealias Body = EmptyContent
  let alert: Alert

  /// Creates a confirmation, shown while `isPresented` is true.
  public init(
    _ title: String, message: String? = nil, isPresented: Binding<Bool>, button: String,
    role: ButtonRole? = .destructive, action: @escaping @MainActor () async throws -> Void
  ) {
    let buttons = ContentGroup([Button(button, role: role, action: action), Button("Cancel", role: .cancel) {}])
    alert = Alert(title, message, isPresented, .confirmation, buttons)
  }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) { alert._render(into: renderer) }
}

extension ContentRenderer {
  /// Renders buttons that also set `isPresented` to false, before their action runs.
  func closing(_ isPresented: Binding<Bool>, _ content: () -> Void) {
    let before = handlers.elements
    let (alert, didNotClose) = (scope, didNotClose)
    content()
    for id in handlers.elements.subtracting(before) {
      guard case .action(let action) = handlers[id, .action] else { continue }
      let closing = ElementHandler.action {
        isPresented.wrappedValue = false
        if isPresented.wrappedValue { didNotClose(alert) }
        try await action()
      }
      handlers.add(closing, to: id)
    }
  }
}
