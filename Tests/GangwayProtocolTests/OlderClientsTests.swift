import GangwayProtocol
import Testing

/// Presentations for clients of version 1.2: only kinds that they know, and everything that the user can act on.
@Suite struct OlderClientsTests {
  private static func element(
    _ id: ElementID, _ kind: Element.Kind, _ label: String = "", children: [Element] = [],
    _ change: (inout Element) -> Void = { _ in }
  ) -> Element {
    var element = Element(id: id, kind: kind, label: label, children: children)
    change(&element)
    return element
  }

  private static let known: Set<Element.Kind> = [
    .text, .heading, .button, .link, .field, .toggle, .picker, .list, .row, .section, .table, .progress, .alert,
    .toolbar,
    .divider, .grid,
  ]

  private static let elements: [Element] = [
    element("f", .fact, "Size") { $0.value = "3 MB" },
    element(
      "o", .form,
      children: [
        element("o.n", .number, "Guests") {
          $0.value = "x"
          $0.problem = "'x' is not a number."
        },
        element("o.d", .date, "Day") { ($0.value, $0.role) = ("2026-11-22", .day) },
        element("o.s", .button, "Save") { $0.role = .submit },
      ]),
    element("m", .menu, "More", children: [element("m.0", .button, "Delete")]),
    element("t", .tabs, children: [element("t.0", .field, "Name") { $0.value = "" }]) {
      $0.value = "a"
      $0.options = [.init(id: "a", title: "First")]
    },
    element("x", .disclosure, "Details", children: [element("x.0", .text, "shown")]) {
      ($0.value, $0.isExpanded) = ("on", true)
    },
    element(
      "l", .list,
      children: [
        element("l[1]", .row, "Milk") {
          ($0.key, $0.role, $0.badge, $0.detail) = ("1", .button, "3", "two litres")
        }
      ]),
    element("b", .banner, "Full", children: [element("b.0", .button, "Open")]) {
      ($0.role, $0.detail) = (.warning, "Delete something.")
    },
    element("e", .empty, "Nothing") { $0.detail = "yet" }, element("g", .log, "Log") { $0.lines = ["one"] },
    element("i", .image, "A dot"), element("j", .image) { $0.role = .decorative }, element("w", .drawing, "A house"),
    element("c", .chart, "Sales") {
      $0.chart = .init(style: .bar, title: "Month", labels: ["Jan"], series: [.init(name: "2026", values: [3])])
    },
    element(
      "k", .document,
      children: [
        element("k.0", .text, "first") {
          ($0.role, $0.value, $0.runs) = (.item, "•", [.init("first", [.bold])])
        }
      ]),
    element("s", .field, "Find") { ($0.role, $0.value) = (.search, "") },
  ]

  private static let whole = Presentation(
    revision: 3, tabBars: [], path: [], canGoBack: false,
    layers: [
      .init(
        node: 2, style: .base, title: "Here", elements: elements,
        panes: [.init(node: 3, title: "Beside", elements: elements)])
    ])

  @Test func anOlderClientKnowsEveryKindItIsGiven() throws {
    let old = Self.whole.understood(by: ProtocolVersion(major: 1, minor: 2))
    let top = try #require(old.top)
    for element in top.elements.flattened + (top.panes?[0].elements.flattened ?? []) {
      #expect(Self.known.contains(element.kind), "\(element.id)")
      #expect(element.attributes == Element.Attributes(), "\(element.id)")
    }
    let ids = top.elements.flattened.map(\.id)
    #expect(Set(ids).count == ids.count)
  }

  @Test func everythingCanBeReadAndActedOn() throws {
    let old = Self.whole.understood(by: ProtocolVersion(major: 1, minor: 2))
    #expect(
      old.plainLines.dropFirst() == [
        "Size: 3 MB", "Guests: [x]", "'x' is not a number.", "Day: [2026-11-22]", "Save", "More", "Delete", ": First",
        "Name: []", "Details: on", "shown", "Milk (3)", "two litres", "Full", "Delete something.", "Open", "Nothing",
        "yet",
        "Log", "one", "A dot", "A house", "Sales", "Month | 2026", "Jan | 3", "• first", "Find: []",
      ])
    let kinds = Dictionary(old.reachable.map { ($0.id, $0.kind) }, uniquingKeysWith: { first, _ in first })
    #expect(kinds["l[1]"] == .button && kinds["o.n"] == .field && kinds["t"] == .picker && kinds["x"] == .toggle)
  }

  @Test func clientsOfNowAreGivenItAsItIs() {
    #expect(Self.whole.understood(by: .current) == Self.whole)
  }
}
