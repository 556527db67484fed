@_spi(FrontEnd) import GangwayProtocol

/// Containers of other elements, and messages.
extension ScreenRenderer {
  func title(_ element: Element, _ html: inout HTML) {
    guard !element.label.isEmpty else { return }
    html.element("h2", ["class": "title"]) { caption(element, &$0) }
  }

  func group(_ element: Element, _ html: inout HTML) {
    let isForm = element.kind == .form
    html.element(
      isForm ? "fieldset" : element.kind == .toolbar ? "div" : "section",
      [
        "id": .text(id(element.id)), "class": .text(Self.word(element.kind.rawValue)),
        "data-enter": isForm ? press(element) { .submit($0) } : .absent,
        "role": element.kind == .toolbar ? "toolbar" : .absent,
        "aria-label": element.kind == .toolbar && !element.label.isEmpty ? .text(element.label) : .absent,
      ]
    ) { html in
      if isForm, !element.label.isEmpty {
        html.element("legend", ["class": element.label == title ? "hidden" : .absent]) { caption(element, &$0) }
      } else if element.kind != .toolbar {
        title(element, &html)
      }
      items(of: element, &html)
      notes(element, &html)
    }
  }

  func disclosure(_ element: Element, _ html: inout HTML) {
    let isExpanded = element.isExpanded == true
    html.element("section", ["id": .text(id(element.id)), "class": "disclosure"]) { html in
      html.element(
        "button",
        [
          "id": .text(control(element)), "class": "expander", "name": "do",
          "value": press(element) { .expand($0, isExpanded: !isExpanded) }, "aria-expanded": .text("\(isExpanded)"),
        ]
      ) { caption(element, &$0) }
      if isExpanded { items(of: element, &html) }
    }
  }

  func menu(_ element: Element, _ html: inout HTML) {
    html.element("details", ["id": .text(id(element.id)), "class": "menu"]) { html in
      let isOfRow = element.role == .actions || element.label.isEmpty
      html.element(
        "summary",
        [
          "id": .text(control(element)), "class": isOfRow ? "button quiet" : "button",
          "aria-label": isOfRow ? .text(element.label.isEmpty ? setting.words[.actions] : element.label) : .absent,
        ]
      ) { html in
        if isOfRow { html.add("⋯") } else { caption(element, &html) }
      }
      items(of: element, &html)
    }
  }

  func panes(_ element: Element, _ html: inout HTML) {
    let chosen = element.options.firstIndex { $0.id == element.value }
    html.element("section", ["id": .text(id(element.id)), "class": "tabs"]) { html in
      html.element("div", ["role": "tablist", "aria-label": .text(element.label)]) { html in
        for (number, option) in element.options.enumerated() {
          let isSelected = number == chosen
          html.element(
            "button",
            [
              "role": "tab", "name": "do", "value": press(element) { .choose($0, option: option.id) },
              "id": .text("\(id(element.id)).t\(number)"), "aria-selected": .text("\(isSelected)"),
              "aria-controls": isSelected ? .text(id(element.id) + ".i") : .absent,
              "tabindex": isSelected || (chosen == nil && number == 0) ? "0" : "-1",
            ], text: option.title)
        }
      }
      items(of: element, &html, role: "tabpanel")
    }
  }

  func banner(_ element: Element, _ html: inout HTML) {
    let kind = Self.word(element.role?.rawValue ?? "information")
    html.element(
      "div",
      [
        "id": .text(id(element.id)), "class": .text("banner \(kind)"),
        "role": element.role == .problem ? "alert" : "status",
      ]
    ) { html in
      html.element("strong") { caption(element, &$0) }
      if let detail = element.detail { html.element("p", text: detail) }
      items(of: element, &html)
    }
  }

  func empty(_ element: Element, _ html: inout HTML) {
    html.element("div", ["id": .text(id(element.id)), "class": "empty"]) { html in
      symbol(element, &html)
      html.element("strong", text: element.label)
      if let detail = element.detail { html.element("p", text: detail) }
      items(of: element, &html)
    }
  }

  /// Writes an alert as a dialog over the whole page.
  func alert(_ element: Element, _ html: inout HTML) {
    let title = id(element.id) + ".h"
    let text = element.detail.map { _ in id(element.id) + ".d" }
    html.element(
      "dialog",
      [
        "id": .text(id(element.id)), "class": "alert", "open": true, "role": "alertdialog", "data-modal": "back",
        "aria-labelledby": .text(title), "aria-describedby": .init(text),
      ]
    ) { html in
      html.element("h2", ["id": .text(title)], text: element.label)
      if let detail = element.detail { html.element("p", ["id": .init(text)], text: detail) }
      items(of: element, &html)
    }
  }
}
