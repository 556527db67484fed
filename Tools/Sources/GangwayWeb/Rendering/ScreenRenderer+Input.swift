@_spi(FrontEnd) import GangwayProtocol

/// Buttons and inputs: native controls, each with its label, problem and help.
extension ScreenRenderer {
  func button(_ element: Element, _ html: inout HTML) {
    let style = element.kind == .link ? "link" : element.role?.rawValue ?? "plain"
    let shortcut = element.shortcut.flatMap { Self.isBrowsers($0) ? nil : Self.keys($0) }
    html.element("span", ["id": .text(id(element.id)), "class": "action"]) { html in
      html.element(
        "button",
        [
          "id": .text(control(element)), "class": .text("button \(Self.word(style))"), "name": "do",
          "value": press(element) { .tap($0) }, "disabled": .init(!element.isEnabled),
          "aria-keyshortcuts": .init(shortcut), "aria-describedby": .init(described(element)),
          "data-href": element.isEnabled ? PageAddress.value(element.url, scheme: setting.scheme) : .absent,
        ]
      ) { html in
        caption(element, &html)
        if let shortcut { key(shortcut, &html) }
      }
      notes(element, &html)
    }
  }

  private func key(_ shortcut: String, _ html: inout HTML) {
    html.element("kbd", ["aria-hidden": "true"], text: shortcut.replacing("Control", with: "Ctrl"))
  }

  /// Writes a button that opens the browser's choice of files.
  ///
  /// The input has no name, so a form without scripts does not send it.
  func file(_ element: Element, _ html: inout HTML) {
    let shortcut = element.shortcut.flatMap { Self.isBrowsers($0) ? nil : Self.keys($0) }
    html.element("span", ["id": .text(id(element.id)), "class": "action file"]) { html in
      html.element("label", ["class": "button plain"]) { html in
        caption(element, &html)
        html.open(
          "input",
          [
            "type": "file", "id": .text(control(element)), "data-file": name("file", element),
            "accept": .init(element.accepts?.joined(separator: ",")),
            "data-limit": .init(element.maximumBytes.map(String.init)),
            "disabled": .init(!element.isEnabled), "aria-keyshortcuts": .init(shortcut),
            "aria-describedby": .init(described(element)),
          ])
        if let shortcut { key(shortcut, &html) }
      }
      html.element(
        "progress",
        [
          "id": .text(id(element.id) + ".u"), "max": "100", "hidden": true,
          "aria-label": .text(setting.words[.sending]),
        ])
      html.element("noscript") { $0.element("p", ["class": "note"], text: setting.words[.scriptsForFiles]) }
      notes(element, &html)
    }
  }

  /// Returns whether browsers keep a shortcut for themselves: it opens or closes a window or a tab.
  static func isBrowsers(_ shortcut: String) -> Bool {
    let keys = Shortcut(shortcut)
    return keys.hasControl && ["n", "t", "w"].contains(keys.key)
  }

  /// Returns a shortcut in the form of `aria-keyshortcuts`: `Control+S` for `ctrl+s`.
  static func keys(_ shortcut: String) -> String {
    shortcut.split(separator: "+").map { part in
      switch part {
      case "ctrl": "Control"
      case "alt": "Alt"
      case "shift": "Shift"
      default: part.count == 1 ? part.uppercased() : part.prefix(1).uppercased() + part.dropFirst()
      }
    }.joined(separator: "+")
  }

  /// Returns a feature's word as a part of a class name: only letters, digits and hyphens, 40 at most.
  static func word(_ text: String) -> String {
    String(text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }.prefix(40))
  }

  func field(_ element: Element, _ html: inout HTML) {
    let kind = element.role == .search ? " search" : ""
    html.element(
      "div",
      ["id": .text(id(element.id)), "class": .text("field\(kind)\(element.problem == nil ? "" : " wrong")")]
    ) { html in
      label(element, &html)
      if element.role == .multiline {
        html.element("textarea", editing(element) + ["rows": "5"]) { html in
          // HTML ignores a line feed at the start of a textarea, so one is added.
          html.add("\n" + (element.value ?? ""))
        }
      } else {
        html.open(
          "input",
          [
            "type": .text(Self.type(of: element)), "value": .init(element.role == .secure ? nil : element.value ?? ""),
            "min": .init(element.minimum), "max": .init(element.maximum),
            "step": .init(element.kind == .number ? element.step ?? "any" : nil),
          ] + editing(element))
      }
      notes(element, &html)
    }
  }

  private func editing(_ element: Element) -> HTML.Attributes {
    [
      "id": .text(control(element)), "name": name("edit", element),
      "required": .init(element.isRequired), "disabled": .init(!element.isEnabled),
      "aria-invalid": element.problem == nil ? .absent : "true", "aria-describedby": .init(described(element)),
      "data-enter": element.submits ? press(element) { .submit($0) } : .absent,
      "autocomplete": element.role == .secure ? "current-password" : "off",
      // The text itself determines its writing direction.
      "dir": element.kind == .field && element.role != .secure ? "auto" : .absent,
    ]
  }

  private static func type(of element: Element) -> String {
    switch (element.kind, element.role) {
    case (.number, _): "number"
    case (.date, .day?): "date"
    case (.date, .time?): "time"
    case (.date, _): "datetime-local"
    case (_, .secure?): "password"
    case (_, .email?): "email"
    case (_, .search?): "search"
    case (_, .url?): "url"
    default: "text"
    }
  }

  func toggle(_ element: Element, _ html: inout HTML) {
    html.element("div", ["id": .text(id(element.id)), "class": "toggle"]) { html in
      html.open(
        "input",
        [
          "type": "checkbox", "role": "switch", "id": .text(control(element)), "name": name("toggle", element),
          "value": "on", "checked": .init(element.value == "on"),
          "disabled": .init(!element.isEnabled), "aria-describedby": .init(described(element)),
        ])
      // A form does not submit an unchecked box, so this input shows that the page has the toggle.
      html.open("input", ["type": "hidden", "name": "has", "value": name("toggle", element)])
      label(element, &html)
      notes(element, &html)
    }
  }

  func picker(_ element: Element, _ html: inout HTML) {
    html.element("div", ["id": .text(id(element.id)), "class": "field picker"]) { html in
      label(element, &html)
      html.element(
        "select",
        [
          "id": .text(control(element)), "name": name("choose", element),
          "disabled": .init(!element.isEnabled), "aria-describedby": .init(described(element)),
        ]
      ) { html in
        // An unknown choice is shown as empty instead of as the first option.
        if !element.options.contains(where: { $0.id == element.value }) {
          html.element("option", ["value": "", "selected": true, "disabled": true], text: "")
        }
        for option in element.options {
          html.element(
            "option", ["value": .text(option.id), "selected": .init(option.id == element.value)],
            text: option.title)
        }
      }
      notes(element, &html)
    }
  }

  private func label(_ element: Element, _ html: inout HTML) {
    html.element("label", ["for": .text(control(element))]) { html in
      caption(element, &html)
      if element.isRequired {
        html.element("span", ["class": "required", "aria-hidden": "true"], text: setting.words[.required])
      }
    }
  }
}
