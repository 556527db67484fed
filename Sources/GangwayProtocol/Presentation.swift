/// The visible state of a session: the tab bars, the path, a layer for the screen, and one for each modal over it.
public struct Presentation: Codable, Hashable, Sendable {
  /// One tab of a bar.
  public struct Tab: Codable, Hashable, Sendable {
    /// The tab's node, its name in events.
    public var node: NodeID
    /// The visible text.
    public var title: String
    /// One or two characters before the title.
    @_spi(FrontEnd) public var symbol: String?
    /// The title of the tab's group. Front ends set groups apart.
    @_spi(FrontEnd) public var group: String?
    /// A short text set apart from the title, such as a count.
    public var badge: String?
    /// Whether the tab is selected.
    public var isSelected: Bool
    /// The URL that opens the tab, as it is when it is first shown; absent if no link does.
    @_spi(FrontEnd) public var url: String?
    /// Makes a tab.
    @_spi(FrontEnd) public init(
      node: NodeID, title: String, symbol: String? = nil, group: String? = nil, badge: String? = nil, isSelected: Bool,
      url: String? = nil
    ) {
      self.node = node
      self.title = title
      self.symbol = symbol
      self.group = group
      self.badge = badge
      self.isSelected = isSelected
      self.url = url
    }
  }

  /// One entry of the visible path.
  public struct PathItem: Codable, Hashable, Sendable {
    /// The entry's node.
    public var node: NodeID
    /// The visible text.
    public var title: String
    /// The URL that opens the entry with all screens below it; absent if no link does.
    @_spi(FrontEnd) public var url: String?
    /// Makes an item.
    @_spi(FrontEnd) public init(node: NodeID, title: String, url: String? = nil) {
      self.node = node
      self.title = title
      self.url = url
    }
  }

  /// The appearance of the area around a screen.
  @_spi(FrontEnd) public struct Appearance: Codable, Hashable, Sendable {
    /// Whether the path, or a navigation bar, is hidden.
    public var hidesBar: Bool
    /// Whether no control for going back is shown. The event still works.
    public var hidesBackButton: Bool
    /// A word that front ends may draw as a colour.
    public var tint: String?
    /// Makes an appearance.
    public init(hidesBar: Bool, hidesBackButton: Bool, tint: String?) {
      self.hidesBar = hidesBar
      self.hidesBackButton = hidesBackButton
      self.tint = tint
    }
  }

  /// A screen beside the one on top, if there is room for both, such as a list whose detail is on top.
  @_spi(FrontEnd) public struct Pane: Codable, Hashable, Sendable {
    /// The node of the screen, its name in events.
    public var node: NodeID
    /// The screen's title.
    public var title: String
    /// The elements of the screen.
    public var elements: [Element]
    /// The element to focus when the pane has the focus.
    public var focus: ElementID?
    /// The scroll position, in lines from the top.
    public var scroll: Int?

    /// Makes a pane.
    public init(
      node: NodeID, title: String, elements: [Element], focus: ElementID? = nil, scroll: Int? = nil
    ) {
      self.node = node
      self.title = title
      self.elements = elements
      self.focus = focus
      self.scroll = scroll
    }
  }

  /// One surface: the screen at the bottom, or a modal over it.
  public struct Layer: Codable, Hashable, Sendable {
    /// A layer's presentation over the layer below.
    public enum Style: String, Codable, Hashable, Sendable {
      /// The screen at the bottom.
      case base
      /// A sheet. The layer below stays visible around it.
      case modal
      /// A modal that covers everything.
      case fullScreen
    }

    /// The node of the screen, its name in events.
    public var node: NodeID
    /// The presentation over the layer below.
    public var style: Style
    /// The screen's title.
    public var title: String
    /// Whether the user may dismiss the layer; false for a base layer.
    @_spi(FrontEnd) public var isDismissible: Bool
    /// The elements of the screen.
    public var elements: [Element]
    /// The focused element, if the front end sent it.
    @_spi(FrontEnd) public var focus: ElementID?
    /// The scroll position in lines from the top, if the front end sent it.
    @_spi(FrontEnd) public var scroll: Int?
    /// The appearance of the area around the screen; nil if the front end decides.
    @_spi(FrontEnd) public var appearance: Appearance?

    /// The screens beside this one, from the left; absent if there is none.
    ///
    /// Each screen is the detail of the one before, and the layer's own screen is the detail of the last. A front end
    /// without room for panes shows only the layer's own screen.
    @_spi(FrontEnd) public var panes: [Pane]?
    /// The pane in which the user acted last; absent if that is the layer's own screen. If the pane is visible, it has
    /// the focus.
    @_spi(FrontEnd) public var activePane: NodeID?

    /// Makes a layer.
    @_spi(FrontEnd) public init(
      node: NodeID, style: Style, title: String, isDismissible: Bool = false, elements: [Element],
      focus: ElementID? = nil, scroll: Int? = nil, appearance: Appearance? = nil, panes: [Pane]? = nil,
      activePane: NodeID? = nil
    ) {
      self.node = node
      self.style = style
      self.title = title
      self.isDismissible = isDismissible
      self.elements = elements
      self.focus = focus
      self.scroll = scroll
      self.appearance = appearance
      self.panes = panes
      self.activePane = activePane
    }

    /// The panes of the layer from the left, and its own screen as the last one.
    @_spi(FrontEnd) public var columns: [Pane] {
      (panes ?? []) + [Pane(node: node, title: title, elements: elements, focus: focus, scroll: scroll)]
    }
  }

  /// The number of the presentation. Events name the presentation that the user saw.
  public var revision: Revision
  /// The visible tab bars, the outermost first.
  public var tabBars: [[Tab]]
  /// The visible entries, from the first to the top, modals included.
  public var path: [PathItem] {
    get { visiblePath.items }
    set { visiblePath = VisiblePath(newValue) }
  }
  /// The same entries, stored so that presentations share the unchanged ones.
  package var visiblePath: VisiblePath
  /// Whether `back` would do anything.
  public var canGoBack: Bool
  /// The screen and the modals over it, the top one last. The array is never empty.
  public var layers: [Layer]
  /// The task that the user waits for, such as the load of a plugin; absent if there is none. `back` cancels it.
  public var activity: String?
  /// The URL that opens the current screen from anywhere, perhaps with fewer screens below it; absent if no link does.
  ///
  /// It is also absent in a session's first presentation if the links of the plugins are not loaded yet.
  public var url: String?
  /// True if a visible screen has a leave guard; absent if none has.
  ///
  /// The guard would ask the user before the app closes. A front end that can ask does so before it closes.
  @_spi(FrontEnd) public var asksBeforeLeaving: Bool?

  /// Makes a presentation.
  @_spi(FrontEnd) public init(
    revision: Revision, tabBars: [[Tab]], path: [PathItem], canGoBack: Bool, layers: [Layer], activity: String? = nil,
    url: String? = nil, asksBeforeLeaving: Bool = false
  ) {
    self.init(
      revision: revision, tabBars: tabBars, path: VisiblePath(path), canGoBack: canGoBack, layers: layers,
      activity: activity, url: url, asksBeforeLeaving: asksBeforeLeaving)
  }

  /// Makes a presentation with a stored path.
  package init(
    revision: Revision, tabBars: [[Tab]], path: VisiblePath, canGoBack: Bool, layers: [Layer], activity: String?,
    url: String?, asksBeforeLeaving: Bool
  ) {
    self.revision = revision
    self.tabBars = tabBars
    visiblePath = path
    self.canGoBack = canGoBack
    self.layers = layers
    self.activity = activity
    self.url = url
    self.asksBeforeLeaving = asksBeforeLeaving ? true : nil
  }

  private enum CodingKeys: String, CodingKey {
    case revision, tabBars, canGoBack, layers, activity, url, asksBeforeLeaving
    case visiblePath = "path"
  }

  /// The layer that the user can act on.
  public var top: Layer? { layers.last }

  /// The open alert, if there is one. While it is open, the user can only press its buttons.
  @_spi(FrontEnd) public var alert: Element? { openAlert?.alert }

  /// The node of the alert's screen, its name in events.
  @_spi(FrontEnd) public var alertNode: NodeID? { openAlert?.node }

  private var openAlert: (node: NodeID, alert: Element)? {
    for pane in top?.columns.reversed() ?? [] {
      if let alert = pane.elements.lastElement(.alert) { return (pane.node, alert) }
    }
    return nil
  }

  /// Returns the presentation with only one pane of the top layer.
  ///
  /// - Parameter pane: one of the layer's ``Layer/columns``.
  @_spi(FrontEnd) public func showing(_ pane: Pane) -> Presentation {
    var copy = self
    guard var layer = copy.layers.popLast() else { return self }
    (layer.node, layer.title, layer.elements) = (pane.node, pane.title, pane.elements)
    (layer.focus, layer.scroll, layer.panes, layer.activePane) = (pane.focus, pane.scroll, nil, nil)
    copy.layers.append(layer)
    return copy
  }

  /// The screens on which the user can act, each as a presentation of its own.
  ///
  /// These are the screen of the alert, or else the columns of the top layer, the last column first.
  package var reachableScreens: [(node: NodeID, shown: Presentation)] {
    let asker = alertNode
    return (top?.columns.reversed() ?? []).filter { asker == nil || asker == $0.node }.map { ($0.node, showing($0)) }
  }

  /// Searches these screens.
  ///
  /// - Returns: the first result, with the node of its screen.
  /// - Throws: the error of the first screen, if no screen has a result; at once if several elements match.
  package func search<Found>(_ find: (Presentation) throws -> Found) throws -> (node: NodeID, found: Found) {
    var first: (any Error)?
    for screen in reachableScreens {
      do { return (screen.node, try find(screen.shown)) } catch {
        if (error as? ElementLookup.Failure)?.isAmbiguous == true { throw error }
        first = first ?? error
      }
    }
    if let first { throw first }
    return (0, try find(self))
  }

  /// Returns the first element on these screens that meets a condition, with the node of its screen.
  package func first(where isWanted: (Element) -> Bool) -> (node: NodeID, element: Element)? {
    for screen in reachableScreens {
      if let element = screen.shown.reachable.first(where: isWanted) { return (screen.node, element) }
    }
    return nil
  }

  /// Returns why a form did not submit when this action pressed its button, or Enter in it.
  ///
  /// The presentation is the one after the action. The form then shows its first problem beside the button. The result
  /// is nil if the form was submitted, and for other actions.
  package func refusal(of action: Event.Action) -> String? {
    let (target, isTap): (Event.ElementReference, Bool)
    switch action {
    case .tap(let pressed): (target, isTap) = (pressed, true)
    case .submit(let input): (target, isTap) = (input, false)
    default: return nil
    }
    guard let screen = reachableScreens.first(where: { $0.node == target.node })?.shown else { return nil }
    let forms = screen.reachable.filter { $0.kind == .form }
    for form in forms {
      let inside = form.children.flattened
      let button = inside.first { $0.role == .submit }
      // A feature may also disable the button, such as while it saves. The inputs then have no problem.
      guard let button, (isTap ? button.id : form.id) == target.element, !button.isEnabled,
        inside.contains(where: { $0.problem != nil })
      else { continue }
      return button.detail
    }
    return nil
  }

  /// The elements that the user can read or act on now: those of the alert, or of the top layer.
  public var reachable: [Element] {
    if let alert { return [alert] + alert.children.flattened }
    return top?.elements.flattened ?? []
  }
}
