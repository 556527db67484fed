@_spi(FrontEnd) import GangwayProtocol

/// A renderer of the page for a presentation; equal inputs give equal HTML.
struct PageRenderer {
  /// The data of a page besides its presentation.
  struct Frame {
    /// The address of the session's pages, with a slash at the end.
    var base: String
    /// The token that proves that a form comes from a page of this server.
    var formToken: String
    /// The version in the names of the style sheet and the module, so that each server version has its own names.
    var version: String
    /// The name of the application.
    var name: String
    /// Whether all pages show one session; otherwise a duplicated tab gets its own session.
    var isShared = false
    /// The language of the features.
    var language = PageLanguage.english
    /// The owner's files.
    var look = PageLook()
    /// Whether the page updates itself, which needs scripts in the browser.
    var isLive = true
  }

  let presentation: Presentation
  var setting = PageSetting()

  /// The parts of a page that are sent as a whole when they change; each name is an id.
  enum Part: String, CaseIterable {
    /// Tab bars, path and back button.
    case chrome
    /// The screens.
    case stage
  }

  // MARK: The page

  /// Returns the whole page.
  func page(_ frame: Frame, notices: [HTML] = []) -> HTML {
    HTML.document(
      title: title(frame.name), version: frame.version, language: frame.language, isLive: frame.isLive,
      look: frame.look,
      body: [
        "data-base": .text(frame.base), "data-revision": .text("\(presentation.revision)"),
        "data-shared": .init(frame.isShared),
      ]
    ) { html in
      html.element("a", ["class": "skip", "href": "#main"], text: setting.words[.skip])
      if let logo = frame.look.logo {
        html.element("div", ["id": "brand"]) { html in
          html.open("img", ["src": .text(logo), "alt": ""])
          html.element("span", text: frame.name)
        }
      }
      html.element(
        "form",
        [
          "id": "page", "method": "post", "action": .text(frame.base), "novalidate": true,
          "data-scheme": .text(setting.scheme),
          // A browser that fills in old values after a reload would overwrite newer ones of the app.
          "autocomplete": "off",
        ]
      ) { html in
        html.open("input", ["type": "hidden", "name": "token", "value": .text(frame.formToken)])
        html.open("input", ["type": "hidden", "name": "revision", "value": .text("\(presentation.revision)")])
        // Without scripts, Enter presses the first button of the form, which is this one.
        html.element(
          "button", ["name": "do", "value": "enter", "class": "hidden", "tabindex": "-1"], text: setting.words[.enter])
        part(.chrome, &html)
        part(.stage, &html)
        html.element("div", ["id": "notices", "role": "log", "aria-label": .text(setting.words[.messages])]) { html in
          for notice in notices { html.add(notice) }
        }
      }
      html.element("p", ["id": "connection", "role": "status", "hidden": true]) { _ in }
    }
  }

  /// Returns the title of the page: the current screen and the application.
  func title(_ application: String) -> String {
    let place = presentation.top?.title ?? ""
    return place.isEmpty || place == application ? application : "\(place) – \(application)"
  }

  /// Writes a whole part of the page.
  func part(_ part: Part, _ html: inout HTML) {
    switch part {
    case .chrome: chrome(&html)
    case .stage: stage(&html)
    }
  }

  // MARK: Around the screens

  private func chrome(_ html: inout HTML) {
    let appearance = presentation.layers.first?.appearance
    html.element(
      "header", ["id": "chrome", "class": appearance?.hidesBar == true ? "bare" : .absent, "inert": .init(isCovered)]
    ) { html in
      for (depth, bar) in presentation.tabBars.enumerated() where bar.count > 1 || depth == 0 {
        tabBar(bar, depth, &html)
      }
      if appearance?.hidesBar != true { pathBar(appearance, &html) }
    }
  }

  /// Whether a dialog covers the screen.
  private var isCovered: Bool { presentation.layers.count > 1 }

  private func tabBar(_ bar: [Presentation.Tab], _ depth: Int, _ html: inout HTML) {
    html.element(
      "nav",
      [
        "id": .text("tabs\(depth)"), "class": depth == 0 ? "tabbar" : "tabbar inner",
        "aria-label": .text(depth == 0 ? setting.words[.tabs] : setting.words[.innerTabs]),
      ]
    ) { html in
      var group: String?
      for tab in bar {
        if let name = tab.group, name != group { html.element("span", ["class": "group"], text: name) }
        group = tab.group
        html.element(
          "button",
          [
            "id": .text("t\(tab.node)"), "name": "do", "value": .text(Press(.tab(tab.node)).text), "class": "tab",
            "aria-current": tab.isSelected ? "page" : .absent,
            "data-href": PageAddress.value(tab.url, scheme: setting.scheme),
          ]
        ) { html in
          html.element("span", ["class": "symbol", "aria-hidden": "true"], text: tab.symbol ?? "•")
          html.element("span", ["class": "label"], text: tab.title)
          if let badge = tab.badge { html.element("span", ["class": "badge"], text: badge) }
        }
      }
    }
  }

  private func pathBar(_ appearance: Presentation.Appearance?, _ html: inout HTML) {
    let base = pathOfBase
    // A dialog over a first screen must not move that screen down.
    guard base.count > 1 || presentation.canGoBack && !isCovered else { return }
    html.element("div", ["id": "path"]) { html in
      if presentation.canGoBack, appearance?.hidesBackButton != true {
        html.element("button", ["id": "back", "name": "do", "value": "back", "class": "button quiet"]) { html in
          html.element("span", ["aria-hidden": "true"], text: "‹ ")
          html.element("span", text: setting.words[.back])
        }
      }
      guard base.count > 1 else { return }
      html.element("nav", ["aria-label": .text(setting.words[.path])]) { html in
        html.element("ol") { html in
          for (number, item) in base.enumerated() {
            let isLast = number == base.count - 1
            html.element("li", ["aria-current": isLast ? "location" : .absent]) { html in
              guard !isLast else { return html.add(item.title) }
              html.element(
                "button",
                [
                  "class": "crumb", "name": "do", "value": .text(Press(.backTo(item.node)).text),
                  "data-href": PageAddress.value(item.url, scheme: setting.scheme),
                ], text: item.title)
            }
          }
        }
      }
    }
  }

  /// The path without the screens in dialogs.
  private var pathOfBase: [Presentation.PathItem] {
    guard let base = presentation.layers.first,
      let end = presentation.path.firstIndex(where: { $0.node == base.node })
    else { return presentation.path }
    return Array(presentation.path[...end])
  }

  // MARK: The screens

  private func stage(_ html: inout HTML) {
    html.element("div", ["id": "stage", "data-top": .text("\(presentation.top?.node ?? 0)")]) { html in
      for (depth, layer) in presentation.layers.enumerated() {
        if depth == 0 { base(layer, &html) } else { dialog(layer, &html) }
      }
      if let activity = presentation.activity {
        html.element("div", ["id": "activity", "role": "status"]) { html in
          html.element("span", ["class": "spinner", "aria-hidden": "true"]) { _ in }
          html.add(activity)
        }
      }
    }
  }

  private func base(_ layer: Presentation.Layer, _ html: inout HTML) {
    let columns = layer.columns
    html.element(
      "main",
      [
        "id": "main", "inert": .init(isCovered), "class": columns.count > 1 ? "columns" : .absent,
        "data-tint": .init(layer.appearance?.tint.map(ScreenRenderer.word)),
        "data-focus": .init(layer.focus.map { ScreenRenderer(node: layer.node).id($0) }),
        "data-scroll": .init(layer.scroll.map { "\($0)" }),
      ]
    ) { html in
      for (number, column) in columns.enumerated() {
        screen(column, heading: number == columns.count - 1 ? "h1" : "h2", &html)
      }
    }
  }

  private func screen(_ pane: Presentation.Pane, heading: HTML.Name, _ html: inout HTML) {
    html.element(
      "section", ["class": "screen", "id": .text("s\(pane.node)"), "aria-labelledby": .text("h\(pane.node)")]
    ) { html in
      html.element(
        heading, ["id": .text("h\(pane.node)"), "tabindex": "-1", "class": "screen-title"], text: pane.title)
      html.element("div", ["class": "items", "id": .text(Self.items(of: pane.node))]) { html in
        ScreenRenderer(node: pane.node, title: pane.title, setting: setting).elements(pane.elements, &html)
      }
    }
  }

  /// Returns the id of the container of a screen's elements.
  static func items(of node: NodeID) -> String { "s\(node).i" }

  private func dialog(_ layer: Presentation.Layer, _ html: inout HTML) {
    html.element(
      "dialog",
      [
        "id": .text("d\(layer.node)"), "class": .text(layer.style == .fullScreen ? "sheet full" : "sheet"),
        "open": true, "data-modal": layer.isDismissible ? "dismiss" : "", "aria-labelledby": .text("h\(layer.node)"),
        "data-tint": .init(layer.appearance?.tint.map(ScreenRenderer.word)),
        "data-focus": .init(layer.focus.map { ScreenRenderer(node: layer.node).id($0) }),
      ]
    ) { html in
      html.element("div", ["class": "sheet-bar"]) { html in
        if layer.isDismissible {
          html.element(
            "button",
            [
              "name": "do", "value": "dismiss", "class": "button quiet close",
              "aria-label": .text(setting.words[.close]),
            ], text: "✕")
        }
      }
      let columns = layer.columns
      html.element("div", ["class": columns.count > 1 ? "columns" : "sheet-body"]) { html in
        for column in columns { screen(column, heading: "h2", &html) }
      }
    }
  }

  // MARK: Messages

  /// A file that a message offers.
  struct SavedFile {
    let name: String
    let address: String
    /// Whether the page saves it without another press.
    let isSaved: Bool
  }

  /// Returns a message.
  ///
  /// - Parameter file: the file that the message offers; nil if it offers none.
  static func notice(
    _ notice: Update.Notice, _ words: PageWords = .english, file: SavedFile? = nil
  ) -> HTML {
    HTML { html in
      html.element(
        "div",
        [
          "class": .text("notice \(notice.kind.rawValue)"), "role": notice.kind == .failure ? "alert" : .absent,
          "data-ends-undo": .init(notice.endsUndo == true),
        ]
      ) { html in
        html.element("span", text: notice.text)
        if let file {
          html.element(
            "a",
            [
              "href": .text(file.address), "download": .text(file.name), "class": "button quiet",
              "data-save": .init(file.isSaved),
            ],
            text: words[.save])
        }
        if let undo = notice.undo {
          html.element(
            "button", ["name": "do", "value": .text(Press(.undoNotice(undo)).text), "class": "button quiet"],
            text: words[.undo])
        }
      }
    }
  }
}
