@_spi(FrontEnd) import GangwayProtocol

/// A renderer of a screen's elements as HTML; the result depends only on the elements, so tests can compare it.
///
/// - Each element has one HTML element around it, with the id ``id(_:)``. Changes are sent by this id, and the element
///   keeps it from page to page.
/// - The control of an element has the same id with `.c`. The content of a container, and nothing else, is in an
///   element with `.i`.
/// - All controls belong to the page's one form, so a browser without scripts sends typed text with every press.
///   Buttons are named `do`, and inputs by their ``Press``.
struct ScreenRenderer {
  /// The screen's node.
  let node: NodeID
  /// The screen's title; a form's label that repeats it is only for screen readers.
  var title = ""
  var setting = PageSetting()

  /// Returns the id of an element in the page, which is unique and contains no spaces.
  func id(_ element: ElementID) -> String { "e\(node)-\(Press.encoded(element.rawValue))" }

  /// Returns the id of an element's control.
  func control(_ element: Element) -> String { control(element.id) }
  func control(_ element: ElementID) -> String { id(element) + ".c" }

  /// Returns the message of an event on an element.
  func press(_ element: Element, _ action: (Event.ElementReference) -> Event.Action) -> HTML.Value {
    .text(Press(action(.init(node: node, element: element.id))).text)
  }

  /// Returns the name of an input.
  func name(_ event: String, _ element: Element) -> HTML.Value {
    .text(Press(input: event, node, element.id).text)
  }

  func elements(_ elements: [Element], _ html: inout HTML) {
    for element in elements { self.element(element, &html) }
  }

  /// Writes the content of a container, in the place where changes look for it.
  func items(of element: Element, _ html: inout HTML, role: String? = nil) {
    html.element("div", ["class": "items", "id": .text(id(element.id) + ".i"), "role": .init(role)]) { html in
      elements(element.children, &html)
    }
  }

  /// Writes an element by its kind.
  func element(_ element: Element, _ html: inout HTML) {
    switch element.kind {
    case .heading: heading(element, &html)
    case .divider: html.open("hr", ["id": .text(id(element.id))])
    case .button, .link: button(element, &html)
    case .file: file(element, &html)
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
    case .text: paragraph(element, &html)
    @unknown default: paragraph(element, &html)
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

  /// Writes an element's symbol, text and badge.
  func caption(_ element: Element, _ html: inout HTML) {
    symbol(element, &html)
    html.element("span", ["class": "label"]) { runs(element, &$0) }
    badge(element, &html)
  }

  /// Returns the ids of a control's notes; nil if it has none.
  func described(_ element: Element) -> String? {
    let names = [
      element.problem.map { _ in "problem" }, element.help.map { _ in "help" },
      !element.isEnabled && element.detail != nil ? "reason" : nil,
    ].compactMap { $0 }
    return names.isEmpty ? nil : names.map { "\(id(element.id)).\($0)" }.joined(separator: " ")
  }

  /// Writes a control's notes: its problem, the reason why it is disabled, and its help.
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
