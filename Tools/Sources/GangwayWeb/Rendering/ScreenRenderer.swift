import GangwayProtocol

/// Makes HTML of the elements of a screen: a function of them alone, so that tests compare what it makes.
///
/// Every element has one element of the page around it, whose id is that of ``id(_:)``: what changed is sent by it, and what has an id
/// keeps it from page to page. What a person acts on has that id with `.c` at its end, what contains other elements has them, and nothing
/// else, in one with `.i`. Every control is of the one form that a page is: a browser without scripts sends what was typed with whatever is
/// pressed. Buttons are named `do`, inputs by their ``Press``.
struct ScreenRenderer {
  /// The node of the screen.
  let node: NodeID
  /// What stands over the screen: what says the same once more is for those who listen alone.
  var title = ""

  /// The id of an element in the page: no two of a page are the same, and there is no blank in one.
  func id(_ element: ElementID) -> String { "e\(node)-\(Press.encoded(element))" }

  /// The id of what a person acts on.
  func control(_ element: Element) -> String { id(element.id) + ".c" }

  /// The words of an event on an element.
  func press(_ element: Element, _ action: (Event.ElementReference) -> Event.Action) -> HTML.Value {
    .text(Press(action(.init(node: node, element: element.id))).text)
  }

  /// The name of an input.
  func name(_ event: String, _ element: Element) -> HTML.Value {
    .text(Press(input: event, node, element.id).text)
  }

  func elements(_ elements: [Element], _ html: inout HTML) {
    for element in elements { self.element(element, &html) }
  }

  /// Writes what an element contains, where changes find it.
  func items(of element: Element, _ html: inout HTML, role: String? = nil) {
    html.element("div", ["class": "items", "id": .text(id(element.id) + ".i"), "role": .init(role)]) { html in
      elements(element.children, &html)
    }
  }

  /// Writes an element as what it is.
  func element(_ element: Element, _ html: inout HTML) {
    switch element.kind {
    case .heading: heading(element, &html)
    case .divider: html.open("hr", ["id": .text(id(element.id))])
    case .button, .link: button(element, &html)
    case .field, .number, .date: field(element, &html)
    case .toggle: toggle(element, &html)
    case .picker: picker(element, &html)
    case .fact: fact(element, &html)
    case .progress: progress(element, &html)
    case .list: list(element, &html)
    case .table: table(element, &html)
    case .grid: grid(element, &html)
    case .row: row(element, &html)
    case .section, .form, .document, .toolbar: group(element, &html)
    case .alert: alert(element, &html)
    case .banner: banner(element, &html)
    case .empty: empty(element, &html)
    case .menu: menu(element, &html)
    case .disclosure: disclosure(element, &html)
    case .tabs: panes(element, &html)
    case .log: log(element, &html)
    case .image: image(element, &html)
    case .chart: chart(element, &html)
    case .drawing: drawing(element, &html)
    default: paragraph(element, &html)
    }
  }

  // MARK: What many elements have

  func symbol(_ element: Element, _ html: inout HTML) {
    guard let symbol = element.symbol else { return }
    html.element("span", ["class": "symbol", "aria-hidden": "true"], text: symbol)
  }

  func badge(_ element: Element, _ html: inout HTML) {
    guard let badge = element.badge else { return }
    html.element("span", ["class": "badge"], text: badge)
  }

  /// Symbol, text and badge.
  func caption(_ element: Element, _ html: inout HTML) {
    symbol(element, &html)
    html.element("span", ["class": "label"]) { runs(element, &$0) }
    badge(element, &html)
  }

  /// The ids of what describes a control; nil where nothing does.
  func described(_ element: Element) -> String? {
    let names = [
      element.problem.map { _ in "problem" }, element.help.map { _ in "help" },
      !element.isEnabled && element.detail != nil ? "reason" : nil,
    ].compactMap { $0 }
    return names.isEmpty ? nil : names.map { "\(id(element.id)).\($0)" }.joined(separator: " ")
  }

  /// What is wrong with a control, why it cannot be used, what it is for.
  func notes(_ element: Element, _ html: inout HTML) {
    func note(_ name: String, _ text: String?) {
      guard let text else { return }
      html.element("p", ["id": .text("\(id(element.id)).\(name)"), "class": .text("note \(name)")], text: text)
    }
    note("problem", element.problem)
    note("reason", element.isEnabled ? nil : element.detail)
    note("help", element.help)
  }
}
