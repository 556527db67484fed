@_spi(FrontEnd) import GangwayProtocol

/// State of the front end itself: focus, scroll positions and text being typed.
struct ViewState {
  /// The target of the last press of the mouse.
  var pressed: ViewHit?
  /// The column of the scroll bar that the mouse is dragging.
  var heldBar: Int?

  /// A view that temporarily covers the app.
  enum Overlay: Equatable {
    /// A text to read, such as a crash report, scrolled by a number of lines.
    case text(String, title: String, scroll: Int)
    case question(Question)
    case list(ListOverlay)
  }

  /// The letters typed to move to the element that begins with them.
  struct Find: Equatable {
    var text: String
    var time: ContinuousClock.Instant
    /// Whether the search stays open until the user ends it; otherwise it ends after a moment.
    var isOpen: Bool
  }

  /// A recently visited place: a tab or an opened link.
  enum RecentPlace: Hashable {
    case tab(NodeID)
    case link(String)
  }

  /// The alert in front.
  struct OpenAlert {
    /// The alert; nil if there is none.
    var id: ElementID?
    /// The screen that asks.
    var node: NodeID?
    /// The number of lines by which its message is scrolled.
    var scroll = 0
    /// The focus of the screen below the alert, which returns after the answer.
    var focusBelow: (node: NodeID, element: ElementID?)?
  }

  /// The focused element as last drawn.
  struct DrawnFocus {
    let node: NodeID
    let element: ElementID?
    /// The time at which an earlier focused element went by itself; nil if none did.
    var loss: ContinuousClock.Instant?
  }

  var focus: [NodeID: ElementID] = [:]
  var drawnFocus: DrawnFocus?
  var scroll: [NodeID: Int] = [:]
  var gridCells: [Event.ElementReference: (row: Int, column: Int)] = [:]
  /// The row of each list that had focus last, counted from 0, and the focused element in that row.
  var focusedRows: [Event.ElementReference: (element: ElementID, row: Int)] = [:]
  /// The row of a long list that gets focus once the host has sent it, counted from 0.
  var wantedRow: (target: Event.ElementReference, row: Int)?
  /// The row of a long list to scroll into view once the host has sent it, counted from 0.
  ///
  /// Its place on the screen corresponds to its place in the list.
  var wantedSight: (target: Event.ElementReference, row: Int)?
  /// The first loaded row of each long list, and the number of all its rows, as last shown.
  var shownRows: [Event.ElementReference: (first: Int, count: Int)] = [:]
  /// The top row of each screen as last drawn, with the first loaded rows of its long lists.
  ///
  /// The row keeps its place on the screen when the host sends other rows.
  var anchors: [NodeID: (line: ElementID, offset: Int, firstRows: [Int])] = [:]
  /// The terminal's numbers for the pictures of all screens.
  var pictureIDs: [Event.ElementReference: Int] = [:]
  /// The open menus, whose commands are listed.
  var openMenus: Set<Event.ElementReference> = []
  var edits: [Event.ElementReference: TextEdit] = [:]
  /// The pane that the user moved focus to, and the topmost screen at that time.
  var pane: (node: NodeID, top: NodeID)?
  var status: Update.Notice?
  /// The time at which the status arrived.
  var statusTime = ContinuousClock.now
  /// The message that was visible when the last key was pressed.
  var shown: Update.Notice?
  /// The messages so far.
  var told = NoticeList()
  /// The number of notifications that arrived with the one shown and are only in the list.
  var unseen = 0
  var overlay: Overlay?
  /// The text that filters the rows of each screen.
  var filters: [NodeID: String] = [:]
  /// Whether the user is typing a filter.
  var isFiltering = false
  /// The letters being typed to find an element.
  var find: Find?
  /// The keys of the commands.
  var keys = KeyBindings()
  /// The color of the selection and of the focused element, unless a feature sets its own.
  var accent = Style.Color.cyan
  /// Recently visited places, newest first.
  var recent: [RecentPlace] = []
  /// The links of all plugins, loaded or not.
  var links: [String] = []
  var alert = OpenAlert()
  /// Whether the focused element is kept in view; false while the user scrolls.
  var followsFocus = true
  var isWorking = false
  /// Whether the work takes long enough to offer a restart.
  var takesLong = false
  /// The current frame of the activity indicator.
  var frame = 0

  /// Returns the number of lines by which a screen is scrolled: as the user set it, or else as the host says.
  ///
  /// The host may send any number, so the value is clamped.
  func scroll(of node: NodeID, _ said: Int?) -> Int { min(max(scroll[node] ?? said ?? 0, 0), Int(Int32.max)) }

  /// Returns the pane of the front layer that has focus.
  func activePane(_ presentation: Presentation) -> NodeID? {
    guard let top = presentation.top else { return nil }
    if let asker = presentation.alertNode { return asker }
    if let pane, pane.top == top.node, top.columns.contains(where: { $0.node == pane.node }) { return pane.node }
    return top.activePane ?? top.node
  }
}

extension Element {
  /// The menu of a row, at the end of its line; nil if the row has none.
  var commands: Element? { kind == .row ? children.first { $0.kind == .menu && $0.role == .actions } : nil }

  /// Returns whether the element can take focus, in a list whose rows can be selected or not.
  func isFocusable(inSelectableList: Bool) -> Bool {
    switch kind.traits.action {
    case .edit, .toggle, .expand, .cell, .file: true
    case .choose: kind != .tabs || !options.isEmpty
    case .tap:
      kind != .row || role == .button || self.isExpanded != nil || inSelectableList && self.key != nil
        || commands != nil
    case .window: kind == .table && (self.selects != nil || self.columns?.contains { $0.isSortable == true } == true)
    case .submit: false
    case nil: kind == .menu
    @unknown default: false
    }
  }
}

extension Presentation {
  /// Returns the elements that can take focus, in display order, without those of closed menus.
  func focusable(_ state: ViewState) -> [Element] {
    stops(state).flatMap(\.elements)
  }

  /// Returns the focused element: the one chosen, or else the first that can be acted on.
  ///
  /// The result is nil if focus is in a row that the host has not sent.
  func focused(_ state: ViewState) -> Element? { focused(state, among: focusable(state)) }

  /// Returns the focused element of those that can take focus.
  func focused(_ state: ViewState, among candidates: [Element]) -> Element? {
    guard let top else { return nil }
    if let id = state.focus[top.node] ?? top.focus, let chosen = candidates.first(where: { $0.id == id }) {
      return chosen
    }
    // A row that the host has not sent keeps focus.
    if awayRow(state) != nil { return nil }
    // In an alert, focus starts on the answer that changes nothing.
    if alert != nil,
      let safe = candidates.first(where: { $0.role == .cancel }) ?? candidates.first(where: { $0.role != .destructive })
    {
      return safe
    }
    let first = candidates.first { $0.isEnabled } ?? candidates.first
    // A list opens with its first row focused, even if an empty search field or its *Refresh* precedes it.
    if let first, first.role == .refresh || isEmptySearch(first, of: top.node, state),
      let row = candidates.first(where: { $0.kind == .row && $0.isEnabled })
    {
      return row
    }
    return first
  }

  private func isEmptySearch(_ element: Element, of node: NodeID, _ state: ViewState) -> Bool {
    element.role == .search && element.value?.isEmpty != false
      && state.edits[.init(node: node, element: element.id)] == nil
  }

  /// Returns the nearest container of a kind that contains an element at any depth.
  func container(of id: ElementID, _ kind: Element.Kind) -> Element? {
    func find(_ elements: [Element], _ nearest: Element?) -> Element?? {
      for element in elements {
        if element.id == id { return .some(nearest) }
        if let found = find(element.children, element.kind == kind ? element : nearest) { return found }
      }
      return nil
    }
    return find(top?.elements ?? [], nil) ?? nil
  }
}

extension ViewState {
  /// Numbers the pictures of a presentation, from 16 to 255.
  ///
  /// A number doubles as a terminal color, so each picture takes one of the colors that terminals use least.
  mutating func numberPictures(of presentation: Presentation) {
    pictureIDs = [:]
    for pane in presentation.layers.flatMap(\.columns) {
      for element in pane.elements.flattened where element.kind == .image && element.image != nil {
        guard pictureIDs.count < 240 else { return }
        pictureIDs[.init(node: pane.node, element: element.id)] = 16 + pictureIDs.count
      }
    }
  }
}
