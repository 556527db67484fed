/// What a person sees of a session: tab bars, the path, and one layer for the screen and for each modal over it.
public struct Presentation: Codable, Hashable, Sendable {
  /// One tab of a bar.
  public struct Tab: Codable, Hashable, Sendable {
    /// The tab's node, which names it in events.
    public var node: NodeID
    /// What the person reads.
    public var title: String
    /// A character or two to stand before the title.
    public var symbol: String?
    /// The title of the group it stands in; front ends set groups apart.
    public var group: String?
    /// A short text set apart from the title, such as a count.
    public var badge: String?
    /// Whether it is the one shown.
    public var isSelected: Bool
    /// Makes a tab.
    public init(
      node: NodeID, title: String, symbol: String? = nil, group: String? = nil, badge: String? = nil, isSelected: Bool
    ) {
      self.node = node
      self.title = title
      self.symbol = symbol
      self.group = group
      self.badge = badge
      self.isSelected = isSelected
    }
  }

  /// One entry of the visible path.
  public struct PathItem: Codable, Hashable, Sendable {
    /// The entry's node.
    public var node: NodeID
    /// What the person reads.
    public var title: String
    /// Makes an item.
    public init(node: NodeID, title: String) {
      self.node = node
      self.title = title
    }
  }

  /// How the surroundings of a screen are to be shown.
  public struct Appearance: Codable, Hashable, Sendable {
    /// Whether the path, or a navigation bar, is left out.
    public var hidesBar: Bool
    /// Whether no control for going back is shown; the event works all the same.
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

  /// A screen beside the one on top, where there is room for both: a list whose detail that one is.
  public struct Pane: Codable, Hashable, Sendable {
    /// The node of the screen, which events name.
    public var node: NodeID
    /// The screen's title.
    public var title: String
    /// What the screen shows.
    public var elements: [Element]
    /// The element that has the keyboard when the pane has it.
    public var focus: ElementID?
    /// How far the person scrolled, in lines from the top.
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
    /// How a layer stands over the one below.
    public enum Style: String, Codable, Hashable, Sendable {
      /// The screen at the bottom.
      case base
      /// A sheet, the layer below still visible around it.
      case modal
      /// A modal that covers everything.
      case fullScreen
    }

    /// The node of the screen, which events name.
    public var node: NodeID
    /// How it stands over the layer below.
    public var style: Style
    /// The screen's title.
    public var title: String
    /// Whether a person may dismiss it; a base layer never is.
    public var isDismissible: Bool
    /// What the screen shows.
    public var elements: [Element]
    /// The element that has the keyboard, where the front end said so.
    public var focus: ElementID?
    /// How far the person scrolled, in lines from the top, where the front end said so.
    public var scroll: Int?
    /// How its surroundings are to be shown; nil where that is left to the front end.
    public var appearance: Appearance?

    /// The screens beside this one, from the left: each is the detail of the one before, and this one of the last. Absent
    /// where there is none. A front end that has no room shows this one alone.
    public var panes: [Pane]?
    /// The pane that the person acted in last, which has the keyboard where it is shown; absent where that is this screen.
    public var activePane: NodeID?

    /// Makes a layer.
    public init(
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

    /// The screens of the layer beside each other, from the left, this one last.
    public var columns: [Pane] {
      (panes ?? []) + [Pane(node: node, title: title, elements: elements, focus: focus, scroll: scroll)]
    }
  }

  /// Counts presentations; events name the one they were made on.
  public var revision: Revision
  /// The visible tab bars, the outermost first.
  public var tabBars: [[Tab]]
  /// The visible entries from the first to the top, modals included.
  public var path: [PathItem]
  /// Whether `back` would do anything.
  public var canGoBack: Bool
  /// The screen and the modals over it, the top one last. Never empty.
  public var layers: [Layer]
  /// What the person waits for, such as a plugin that is being loaded; `back` gives it up. Absent where there is nothing.
  public var activity: String?
  /// The URL that leads from anywhere to where the person is. Absent where no link does, and in a session's first presentation where
  /// the links of the plugins have not been read yet (1.3).
  public var url: String?
  /// True where a leave guard stands in what the person sees: who closes the app would be asked, so that a front end that can may ask
  /// whether it is to be closed. Absent where there is none (1.3).
  public var asksBeforeLeaving: Bool?

  /// Makes a presentation.
  public init(
    revision: Revision, tabBars: [[Tab]], path: [PathItem], canGoBack: Bool, layers: [Layer], activity: String? = nil,
    url: String? = nil, asksBeforeLeaving: Bool = false
  ) {
    self.revision = revision
    self.tabBars = tabBars
    self.path = path
    self.canGoBack = canGoBack
    self.layers = layers
    self.activity = activity
    self.url = url
    self.asksBeforeLeaving = asksBeforeLeaving ? true : nil
  }

  /// The layer a person can act on.
  public var top: Layer? { layers.last }

  /// The alert that waits for an answer, if there is one: only its buttons can be acted on.
  public var alert: Element? { openAlert?.alert }

  /// The node of the screen that the alert is of, which events name.
  public var alertNode: NodeID? { openAlert?.node }

  private var openAlert: (node: NodeID, alert: Element)? {
    for pane in top?.columns.reversed() ?? [] {
      if let alert = pane.elements.lastElement(.alert) { return (pane.node, alert) }
    }
    return nil
  }

  /// The presentation as it is for somebody who looks at one pane of the layer in front alone.
  ///
  /// - Parameter pane: one of its ``Layer/columns``.
  public func showing(_ pane: Pane) -> Presentation {
    var copy = self
    guard var layer = copy.layers.popLast() else { return self }
    (layer.node, layer.title, layer.elements) = (pane.node, pane.title, pane.elements)
    (layer.focus, layer.scroll, layer.panes, layer.activePane) = (pane.focus, pane.scroll, nil, nil)
    copy.layers.append(layer)
    return copy
  }

  /// What a person can act on or read now: the alert's buttons, or everything on the top layer.
  public var reachable: [Element] {
    if let alert { return [alert] + alert.children.flattened }
    return top?.elements.flattened ?? []
  }
}
