@_spi(FrontEnd) import GangwayProtocol

/// Commands that are shown on demand.
public struct Menu: PrimitiveContent {
  let label: String
  let role: Element.Role?
  let content: () -> ContentGroup

  /// Creates a menu of buttons, links, toggles and dividers.
  public init(_ label: String, @ContentBuilder content: @escaping () -> ContentGroup) {
    self.init(label, role: nil, content: content)
  }

  init(_ label: String, role: Element.Role?, content: @escaping () -> ContentGroup) {
    self.label = label
    self.role = role
    self.content = content
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(
      .menu, label, configure: { $0.role = role }, children: { content()._render(into: renderer) })
  }
}

/// Content that the user shows and hides under a title.
///
/// It is created only while it is shown.
public struct Disclosure: PrimitiveContent {
  let title: String
  let isExpanded: Binding<Bool>?
  let content: () -> ContentGroup

  /// Creates a disclosure, hidden at first.
  ///
  /// - Parameters:
  ///   - title: the title, which is always shown.
  ///   - isExpanded: whether the content is shown; with nil, the framework keeps this value, even after a restart.
  ///   - content: the content to show and hide.
  public init(
    _ title: String, isExpanded: Binding<Bool>? = nil, @ContentBuilder content: @escaping () -> ContentGroup
  ) {
    self.title = title
    self.isExpanded = isExpanded
    self.content = content
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    var isOpen = false
    renderer.add(
      .disclosure, title,
      configure: { element in
        let (id, state) = (element.id, renderer.state)
        isOpen = isExpanded?.wrappedValue ?? (state[id, .expanded] == "yes")
        element.isExpanded = isOpen
        element.value = isOpen ? "on" : "off"
        let expand: @MainActor (Bool) -> Void = { isOpen in
          isExpanded?.wrappedValue = isOpen
          if isExpanded == nil { state[id, .expanded] = isOpen ? "yes" : "no" }
        }
        renderer.handle(id, .expand(expand))
      },
      children: { if isOpen { content()._render(into: renderer) } })
  }
}

/// Panes of one screen, of which one is shown.
///
/// Panes are no navigation: going back leaves the screen.
public struct TabView: PrimitiveContent {
  let label: String
  let selection: Binding<String>?
  let content: () -> ContentGroup

  /// Creates tabs.
  ///
  /// - Parameters:
  ///   - label: the subject of the tabs, for screen readers; may be empty.
  ///   - selection: the id of the shown pane; with nil, the framework keeps the id, even after a restart.
  ///   - content: ``Pane``s.
  public init(
    _ label: String = "", selection: Binding<String>? = nil, @ContentBuilder content: @escaping () -> ContentGroup
  ) {
    self.label = label
    self.selection = selection
    self.content = content
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    let outer = renderer.panes
    renderer.panes = []
    let strays = renderer.addNothing { content()._render(into: renderer) }
    if let stray = strays.first {
      renderer.problems.append(
        "The \(stray.kind.rawValue)\(stray.label.isEmpty ? "" : " '\(stray.label)'") is in a TabView beside its panes "
          + "and is not shown. Move it into a Pane, or out of the TabView.")
    }
    let panes = renderer.panes ?? []
    renderer.panes = outer
    var shown: PaneDraft?
    renderer.add(
      .tabs, label,
      configure: { element in
        let (id, state, selection) = (element.id, renderer.state, selection)
        let chosen = selection?.wrappedValue ?? state[id, .pane]
        shown = panes.first { $0.id == chosen } ?? panes.first
        element.value = shown?.id
        element.options = panes.map { Element.Option(id: $0.id, title: $0.title) }
        renderer.handle(
          id,
          .choose { option in
            guard panes.contains(where: { $0.id == option }) else { return false }
            if let selection { selection.wrappedValue = option } else { state[id, .pane] = option }
            return true
          })
      },
      children: {
        guard let shown else { return }
        renderer.descend(shown.id) { shown.content()._render(into: renderer) }
      })
  }
}

/// One pane of a ``TabView``.
///
/// Its content is created only while it is shown.
public struct Pane: PrimitiveContent {
  let title: String
  let paneID: String
  let content: () -> ContentGroup

  /// Creates a pane.
  ///
  /// - Parameters:
  ///   - title: the title for the user.
  ///   - id: the id of the pane in the selection; by default its title.
  ///   - content: the content of the pane.
  public init(_ title: String, id: String? = nil, @ContentBuilder content: @escaping () -> ContentGroup) {
    self.title = title
    paneID = id ?? title
    self.content = content
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    guard renderer.panes != nil else {
      renderer.problems.append("The pane '\(title)' is not in a TabView. Move it into one.")
      return Section(title, content: content)._render(into: renderer)
    }
    if renderer.panes?.contains(where: { $0.id == paneID }) == true {
      return renderer.problems.append("Two panes have the id '\(paneID)'. Give each a different id.")
    }
    renderer.panes?.append(PaneDraft(id: paneID, title: title, content: content))
  }
}
