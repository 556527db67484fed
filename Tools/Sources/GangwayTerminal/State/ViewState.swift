import GangwayProtocol

/// What a front end knows by itself: where the keyboard is, how far a screen is scrolled, what is being typed.
struct ViewState {
  /// What the mouse pressed last.
  var pressed: ViewHit?
  /// The column of the scroll bar that the mouse has hold of.
  var heldBar: Int?

  /// What covers the app for a moment.
  enum Overlay: Equatable {
    /// A text to read, as the report of a crash, scrolled by so many lines.
    case text(String, title: String, scroll: Int)
    case question(Question)
    case list(ListOverlay)
  }

  /// Letters that lead to what begins with them.
  struct Find: Equatable {
    var text: String
    var time: ContinuousClock.Instant
    /// Whether it goes on until it is ended, and not for a moment.
    var isOpen: Bool
  }

  /// Where a person was: a tab, or where a link led.
  enum RecentPlace: Hashable {
    case tab(NodeID)
    case link(String)
  }

  var focus: [NodeID: ElementID] = [:]
  var scroll: [NodeID: Int] = [:]
  var gridCells: [Event.ElementReference: (row: Int, column: Int)] = [:]
  /// Which row of each list had the keyboard last, counted from 0, and what in that row.
  var focusedRows: [Event.ElementReference: (element: ElementID, row: Int)] = [:]
  /// The row of a long list that the keyboard goes to once it is there, counted from 0.
  var wantedRow: (target: Event.ElementReference, row: Int)?
  /// The row of a long list that is to be in sight once it is there, counted from 0: as far down as it is in the list.
  var wantedSight: (target: Event.ElementReference, row: Int)?
  /// Which rows of long lists came first in what was shown last.
  var firstRows: [Event.ElementReference: Int] = [:]
  /// The row at the top of a screen when it was drawn last, and which rows its long lists began with then: when others come, it stays
  /// where it is.
  var anchors: [NodeID: (line: String, offset: Int, firstRows: [Int])] = [:]
  /// The pictures of all screens, by their numbers in the terminal.
  var pictureIDs: [Event.ElementReference: Int] = [:]
  /// The menus whose commands are listed.
  var openMenus: Set<Event.ElementReference> = []
  var edits: [Event.ElementReference: TextEdit] = [:]
  /// The screen beside others that the keyboard was moved to, and what was on top then.
  var pane: (node: NodeID, top: NodeID)?
  var status: Update.Notice?
  /// When it came.
  var statusTime = ContinuousClock.now
  /// The message that stood there when the last key was pressed.
  var shown: Update.Notice?
  /// What the person was told.
  var told = NoticeList()
  /// How many messages came together with the one that is shown, and were not.
  var unseen = 0
  var overlay: Overlay?
  /// What the rows of screens are narrowed to.
  var filters: [NodeID: String] = [:]
  /// Whether a filter is being typed.
  var isFiltering = false
  /// What is being typed to go to what begins with it, and when its last letter came.
  var find: Find?
  /// Which keys do what.
  var keys = KeyBindings()
  /// What is chosen and where the keyboard is has this colour, where a feature has none of its own.
  var accent = Style.Color.cyan
  /// What the person went to last, the newest first.
  var recent: [RecentPlace] = []
  /// The links of all plugins, loaded or not.
  var links: [String] = []
  /// How far the message of an alert is scrolled.
  var alertScroll = 0
  var alert: ElementID?
  /// Whether the focused element is to be in view; not so while the person scrolls.
  var followsFocus = true
  var isWorking = false
  /// Whether that takes so long that restarting is worth a thought.
  var takesLong = false
  /// Which picture of what shows that something goes on is drawn.
  var frame = 0

  /// How many lines a screen is scrolled, as the person did or the host says, whose numbers may be any.
  func scroll(of node: NodeID, _ said: Int?) -> Int { min(max(scroll[node] ?? said ?? 0, 0), Int(Int32.max)) }

  /// The screen of the front layer that has the keyboard.
  func activePane(_ presentation: Presentation) -> NodeID? {
    guard let top = presentation.top else { return nil }
    if let asker = presentation.alertNode { return asker }
    if let pane, pane.top == top.node, top.columns.contains(where: { $0.node == pane.node }) { return pane.node }
    return top.activePane ?? top.node
  }
}

extension Element {
  /// Whether the keyboard can be on it, within a list of which rows can be selected or not.
  func isFocusable(inSelectableList: Bool) -> Bool {
    switch kind {
    case .button, .link, .field, .toggle, .picker, .grid, .number, .date, .disclosure, .menu: true
    case .tabs: !options.isEmpty
    case .row: role == .button || self.isExpanded != nil || inSelectableList && self.key != nil
    case .table: self.selects != nil || self.columns?.contains { $0.isSortable == true } == true
    default: false
    }
  }
}

extension Presentation {
  /// The elements the keyboard can be on, in their order: not those of menus that are closed.
  func focusable(_ state: ViewState) -> [Element] {
    stops(state).flatMap(\.elements)
  }

  /// The element that has the keyboard: the one chosen, or the first that can be acted on. Nil too where that is in a row that is not here.
  func focused(_ state: ViewState) -> Element? {
    guard let top else { return nil }
    let candidates = focusable(state)
    if let id = state.focus[top.node] ?? top.focus, let chosen = candidates.first(where: { $0.id == id }) {
      return chosen
    }
    // Nothing takes the keyboard from a row that is not here.
    if awayRow(state) != nil { return nil }
    // Of an alert's answers the one that changes nothing.
    if alert != nil,
      let safe = candidates.first(where: { $0.role == .cancel }) ?? candidates.first(where: { $0.role != .destructive })
    {
      return safe
    }
    let first = candidates.first { $0.isEnabled } ?? candidates.first
    // Whoever opens a list wants to go through it first: a search stands before it, and a letter is none of it yet.
    if let search = first, search.role == .search, search.value?.isEmpty != false,
      state.edits[.init(node: top.node, element: search.id)] == nil,
      let row = candidates.first(where: { $0.kind == .row && $0.isEnabled })
    {
      return row
    }
    return first
  }

  /// The element that contains another, at any depth, the nearest of a kind.
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
  /// Numbers the pictures of a presentation: with the colours that the terminal writes least often, of which each is one picture's.
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
