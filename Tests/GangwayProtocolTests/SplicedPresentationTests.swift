import Testing

@_spi(FrontEnd) @testable import GangwayProtocol

/// Presentations of flows in place of their entries.
@Suite struct SplicedPresentationTests {
  /// Returns a presentation with one layer, whose path begins with node 1.
  private func presentation(_ titles: String..., revision: Revision = 1, panes: [Presentation.Pane]? = nil)
    -> Presentation
  {
    let path = titles.enumerated().map { Presentation.PathItem(node: NodeID(rawValue: $0 + 1), title: $1) }
    return Presentation(
      revision: revision, tabBars: [], path: path, canGoBack: path.count > 1,
      layers: [layer(path.last?.node ?? 0, titles.last ?? "", panes: panes)])
  }

  private func layer(
    _ node: NodeID, _ title: String, _ style: Presentation.Layer.Style = .base, panes: [Presentation.Pane]? = nil
  ) -> Presentation.Layer {
    Presentation.Layer(
      node: node, style: style, title: title, isDismissible: style != .base,
      elements: [Element(id: "text", kind: .text, label: "of \(title)")], panes: panes)
  }

  private let first = FlowNumber(rawValue: 1)
  private let second = FlowNumber(rawValue: 2)

  @Test func anIdHasTheNumberOfItsFlow() {
    let outer = first.outer(7)
    #expect(FlowNumber.flow(of: outer).flow == first)
    #expect(FlowNumber.flow(of: outer).inner == 7)
    #expect(FlowNumber.flow(of: 7).flow == .app)
    #expect(FlowNumber(rawValue: 1 << 20).outer(1_000_000).rawValue < 1 << 53)
  }

  @Test func aFlowStandsWhereItsEntryStands() {
    var whole = SplicedPresentation(presentation("Hall", "Visit"))
    whole.open(first, at: 2)
    #expect(whole.whole.path.map(\.title) == ["Hall", "Visit"])
    whole.show(presentation("Room", "Bath"), of: first)
    #expect(whole.whole.path.map(\.title) == ["Hall", "Room", "Bath"])
    #expect(whole.whole.path.map(\.node) == [1, first.outer(1), first.outer(2)])
    #expect(whole.whole.layers.map(\.title) == ["Bath"])
    #expect(whole.whole.revision == 2)
  }

  @Test func aHiddenEntryChangesNothing() {
    var whole = SplicedPresentation(presentation("Hall"))
    whole.open(first, at: 2)
    let before = whole.whole
    whole.show(presentation("Room"), of: first)
    #expect(whole.whole == before)
  }

  @Test func aFlowInAFlowStandsThereToo() {
    var whole = SplicedPresentation(presentation("Hall", "Visit"))
    whole.open(first, at: 2)
    whole.show(presentation("Room", "Cellar"), of: first)
    whole.open(second, at: 2, in: first)
    whole.show(presentation("Barrel"), of: second)
    #expect(whole.whole.path.map(\.title) == ["Hall", "Room", "Barrel"])
    #expect(whole.route(Event(id: 1, revision: 9, action: .back)).flow == first)
    whole.close(first)
    #expect(whole.whole.path.map(\.title) == ["Hall", "Visit"])
  }

  @Test func modalsOfAFlowStayBelowThoseOfTheApp() {
    var app = presentation("Hall", "Visit")
    app.path.append(.init(node: 3, title: "Note"))
    app.layers.append(layer(3, "Note", .modal))
    var room = presentation("Room", "Letter")
    room.layers = [layer(1, "Room"), layer(2, "Letter", .modal)]
    var whole = SplicedPresentation(app)
    whole.open(first, at: 2)
    whole.show(room, of: first)
    #expect(whole.whole.layers.map(\.title) == ["Room", "Letter", "Note"])
    #expect(whole.whole.layers.map(\.style) == [.base, .modal, .modal])
    // The topmost modal is the app's own.
    #expect(whole.route(Event(id: 1, revision: 9, action: .dismiss)).flow == .app)
  }

  @Test func aModalFlowKeepsTheStyleOfItsEntry() {
    var app = presentation("Hall", "Visit")
    app.layers = [layer(1, "Hall"), layer(2, "Visit", .fullScreen)]
    var whole = SplicedPresentation(app)
    whole.open(first, at: 2)
    whole.show(presentation("Room"), of: first)
    #expect(whole.whole.layers.map(\.style) == [.base, .fullScreen])
    #expect(whole.whole.layers.last?.isDismissible == true)
    // The flow has nothing to dismiss, so its entry goes.
    #expect(whole.route(Event(id: 1, revision: 9, action: .dismiss)).flow == .app)
  }

  @Test func panesOfBothStandSideBySideUpToThreeColumns() {
    func pane(_ node: NodeID) -> Presentation.Pane { .init(node: node, title: "Pane \(node)", elements: []) }
    var whole = SplicedPresentation(presentation("Hall", "Visit", panes: [pane(1)]))
    whole.open(first, at: 2)
    whole.show(presentation("Room", "Bath", panes: [pane(8), pane(9)]), of: first)
    #expect(whole.whole.layers[0].columns.map(\.node) == [8, 9, 2].map(first.outer))
    // The flow is a pane beside a screen of the app.
    var app = presentation("Hall", "Visit", "Detail", panes: [pane(1), pane(2)])
    app.layers[0].activePane = 2
    whole.show(app, of: .app)
    #expect(whole.whole.layers[0].columns.map(\.node) == [first.outer(9), first.outer(2), 3])
    #expect(whole.whole.layers[0].activePane == first.outer(2))
  }

  @Test func anEventHasTheRevisionThatItsFlowHadThen() {
    var whole = SplicedPresentation(presentation("Hall", "Visit", revision: 10))
    whole.open(first, at: 2)
    for revision in 5...7 {
      whole.show(presentation("Room \(revision)", revision: Revision(rawValue: revision)), of: first)
    }
    let seen = whole.whole.revision
    let target = Event.ElementReference(node: first.outer(1), element: "text")
    func routed(_ revision: Revision) -> Event {
      whole.route(Event(id: 3, revision: revision, action: .edit(target, text: "a"))).event
    }
    #expect(routed(seen).revision == 7)
    #expect(routed(Revision(rawValue: seen.rawValue - 1)).revision == 6)
    #expect(routed(0).revision == 0)
    #expect(routed(seen).node == 1)
    #expect(routed(seen).id == 3)
  }

  @Test func onlyTheLastRevisionsAreKept() {
    var whole = SplicedPresentation(presentation("Hall", revision: 1))
    for number in 2...400 { whole.show(presentation("Hall \(number)", revision: Revision(rawValue: number)), of: .app) }
    #expect(whole.route(Event(id: 1, revision: 400, action: .undo)).event.revision == 400)
    #expect(whole.route(Event(id: 1, revision: 200, action: .undo)).event.revision == 200)
    // An older event is refused by its session, because the user saw something else.
    #expect(whole.route(Event(id: 1, revision: 100, action: .undo)).event.revision == 0)
  }
}
