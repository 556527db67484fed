@_spi(FrontEnd) import GangwayProtocol

/// Texts, facts, logs and pictures.
extension ScreenRenderer {
  func heading(_ element: Element, _ html: inout HTML) {
    // `h1` is the title of the screen, so headings begin at `h2`.
    html.element(
      "h\(min(max((element.level ?? 1) + 1, 2), 6))", ["id": .text(id(element.id)), "class": "heading"]
    ) { caption(element, &$0) }
  }

  func paragraph(_ element: Element, _ html: inout HTML) {
    let (name, style): (String, String) =
      switch element.role {
      case .problem?: ("p", "text problem")
      case .code?: ("pre", "code")
      case .quote?: ("blockquote", "text")
      case .item?: ("p", "text item")
      default: ("p", "text")
      }
    html.element("div", ["id": .text(id(element.id)), "class": "paragraph"]) { html in
      html.element(
        name,
        [
          "class": .text(style), "role": element.role == .problem ? "alert" : .absent,
          "data-level": .init(element.level.map { "\(min(max($0, 0), 20))" }),
        ]
      ) { html in
        if element.role == .item { html.element("span", ["class": "mark"], text: element.value ?? "•") }
        caption(element, &html)
      }
      if element.role == .code {
        html.element("button", ["class": "button copy", "type": "button"], text: setting.words[.copy])
      }
      notes(element, &html)
    }
  }

  /// Writes the text of an element, with its runs if it has any.
  func runs(_ element: Element, _ html: inout HTML) {
    guard let runs = element.runs else { return html.add(element.label) }
    for run in runs { self.run(run, run.styles?[...] ?? [], &html) }
  }

  private func run(_ run: Element.Run, _ styles: ArraySlice<Element.Run.Style>, _ html: inout HTML) {
    guard let style = styles.first else {
      guard let url = run.url else { return html.add(run.text) }
      if Self.isOutside(url) {
        return html.element(
          "a", ["href": .text(url), "rel": "noreferrer noopener", "target": "_blank"], text: run.text)
      }
      return html.element(
        "button",
        [
          "class": "inline", "name": "do", "value": .text(Press(.open(url)).text),
          "data-href": PageAddress.value(url, scheme: setting.scheme),
        ], text: run.text)
    }
    let names: [Element.Run.Style: String] = [.bold: "strong", .italic: "em", .code: "code", .struck: "s"]
    html.element(names[style] ?? "span") { html in self.run(run, styles.dropFirst(), &html) }
  }

  /// Returns whether a browser opens the address; the app decides on all others, such as `javascript:`.
  static func isOutside(_ url: String) -> Bool {
    ["http", "https", "mailto", "tel"].contains(url.prefix { $0 != ":" }.lowercased())
  }

  func fact(_ element: Element, _ html: inout HTML) {
    html.element("dl", ["class": "fact", "id": .text(id(element.id))]) { html in
      html.element("dt") { html in
        symbol(element, &html)
        html.add(element.label)
      }
      html.element("dd") { html in
        html.element("span", text: element.value ?? "")
        badge(element, &html)
      }
    }
  }

  func progress(_ element: Element, _ html: inout HTML) {
    html.element("div", ["id": .text(id(element.id)), "class": "progress"]) { html in
      html.element("label", ["for": .text(control(element))], text: element.label)
      html.element(
        "progress",
        ["id": .text(control(element)), "max": "100", "value": .init(element.percent.map { "\($0)" })],
        text: element.percent.map { "\($0) %" } ?? "…")
    }
  }

  func log(_ element: Element, _ html: inout HTML) {
    html.element("section", ["id": .text(id(element.id)), "class": "log"]) { html in
      title(element, &html)
      html.element(
        "div", ["role": "log", "aria-label": .text(element.label), "tabindex": "0", "id": .text(control(element))]
      ) { html in
        for line in element.lines ?? [] { self.line(line, &html) }
      }
    }
  }

  /// Writes a line of a log.
  func line(_ text: String, _ html: inout HTML) { html.element("div", text: text) }

  func image(_ element: Element, _ html: inout HTML) {
    html.element("figure", ["id": .text(id(element.id)), "class": "image"]) { html in
      if let image = element.image, Self.pictures.contains(image.type) {
        html.open(
          "img",
          [
            "src": .text("data:\(image.type);base64,\(image.base64)"),
            "alt": .text(element.role == .decorative ? "" : element.label), "width": .text("\(image.width)"),
            "height": .text("\(image.height)"),
          ])
      } else {
        html.element("p", text: element.label)
      }
      notes(element, &html)
    }
  }

  /// The image types that are shown; others, such as SVG, may contain scripts.
  private static let pictures: Set<String> = ["image/png", "image/jpeg", "image/gif", "image/webp"]

  func drawing(_ element: Element, _ html: inout HTML) {
    let isDecorative = element.role == .decorative
    html.element("figure", ["id": .text(id(element.id)), "class": "drawing"]) { html in
      html.element(
        "svg",
        [
          "viewBox": "0 0 1 1", "role": isDecorative ? .absent : "img",
          "aria-label": isDecorative ? .absent : .text(element.label), "aria-hidden": isDecorative ? "true" : .absent,
        ]
      ) { html in
        for path in element.paths ?? [] {
          html.element(
            "path",
            [
              "d": .text(path.d), "data-fill": .init(path.fill.map(Self.word)),
              "data-stroke": .init(path.stroke.map(Self.word)), "stroke-width": .text("\(path.width ?? 0.01)"),
            ]
          ) { _ in }
        }
      }
      notes(element, &html)
    }
  }
}
