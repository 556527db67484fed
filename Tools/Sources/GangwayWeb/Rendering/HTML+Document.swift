extension HTML {
  /// Returns a whole document, with the head that all pages share.
  ///
  /// - Parameters:
  ///   - title: the document's title.
  ///   - version: the version in the names of the style sheet and the module.
  ///   - language: the language of the content.
  ///   - isLive: whether the page runs the module.
  ///   - look: the owner's files.
  ///   - refresh: the delay before a reload in seconds, or `seconds; url=address` for a redirect; nil for neither.
  ///   - attributes: the attributes of the body.
  ///   - content: writes the content of the body.
  static func document(
    title: String, version: String, language: PageLanguage = .english, isLive: Bool = false,
    look: PageLook = PageLook(),
    refresh: String? = nil, body attributes: Attributes, _ content: (inout HTML) -> Void
  ) -> HTML {
    HTML { html in
      html.raw("<!doctype html>")
      html.element("html", ["lang": .text(language.tag), "dir": language.isRightToLeft ? "rtl" : .absent]) { html in
        html.element("head") { html in
          html.open("meta", ["charset": "utf-8"])
          html.open("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1, viewport-fit=cover"])
          html.open("meta", ["name": "color-scheme", "content": "light dark"])
          html.open("meta", ["name": "referrer", "content": "same-origin"])
          if let refresh { html.open("meta", ["http-equiv": "refresh", "content": .text(refresh)]) }
          html.element("title", text: title)
          html.open("link", ["rel": "stylesheet", "href": .text("/_gangway/\(version).css")])
          if let style = look.style { html.open("link", ["rel": "stylesheet", "href": .text(style)]) }
          html.open("link", ["rel": "icon", "href": .text(look.icon ?? "data:,")])
          if isLive {
            html.element("script", ["type": "module", "src": .text("/_gangway/\(version).js")]) { _ in }
          }
        }
        html.element("body", attributes, content)
      }
    }
  }

  /// Returns a page with only a message.
  ///
  /// - Parameter next: the address that the page redirects to at once; nil for none.
  static func message(
    title: String, text: String, version: String, language: PageLanguage = .english, next: String? = nil
  ) -> HTML {
    document(
      title: title, version: version, language: language, refresh: next.map { "0; url=\($0)" },
      body: ["class": "message"]
    ) { html in
      html.element("main") { html in
        html.element("h1", text: title)
        html.element("p", text: text)
      }
    }
  }
}
