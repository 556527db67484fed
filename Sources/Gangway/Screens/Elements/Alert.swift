@_spi(FrontEnd) import GangwayProtocol

/// A message over the screen that waits for an answer.
///
/// Every button closes the alert. If no button can be pressed, the alert gets an `OK` button. An alert stays if
/// `isPresented` is still true after it was set to false. After a second answer, the screen shows such an alert as
/// normal content, and it no longer waits for an answer.
public struct Alert: PrimitiveContent {
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
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
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
public struct Confirmation: PrimitiveContent {
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
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) { alert._render(into: renderer) }
}

extension ContentRenderer {
  /// Renders buttons that also set `isPresented` to false, before their action runs.
  func closing(_ isPresented: Binding<Bool>, _ content: () -> Void) {
    let before = handlers.elements
    let (alert, didNotClose) = (scope, didNotClose)
    content()
    for id in handlers.elements.subtracting(before) {
      let close: @MainActor () -> Void = {
        isPresented.wrappedValue = false
        if isPresented.wrappedValue { didNotClose(alert) }
      }
      switch handlers[id, .action] {
      case .action(let action):
        handlers.add(
          .action {
            close()
            try await action()
          }, to: id)
      case .download(let make):
        handlers.add(
          .download {
            close()
            return try await make()
          }, to: id)
      default: break
      }
      if case .file(let rules, let action) = handlers[id, .file] {
        handlers.add(
          .file(rules) {
            close()
            try await action($0)
          }, to: id)
      }
    }
  }
}
