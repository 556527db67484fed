extension HTML {
  /// A whole document, with what every page's head has.
  ///
  /// - Parameters:
  ///   - title: its title.
  ///   - version: names the style sheet and the module.
  ///   - language: that of what is in it.
  ///   - isLive: whether the module runs in it.
  ///   - refresh: what it goes on to by itself, as `seconds; url=address`, or when it is loaded anew, in seconds; nil for never.
  ///   - attributes: those of its body.
  ///   - content: what is in that.
  static func document(
    title: String, version: String, language: PageLanguage = .english, isLive: Bool = false, refresh: String? = nil,
    body attributes: Attributes, _ content: (inout HTML) -> Void
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
          html.open("link", ["rel": "icon", "href": "data:,"])
          if isLive {
            html.element("script", ["type": "module", "src": .text("/_gangway/\(version).js")]) { _ in }
          }
        }
        html.element("body", attributes, content)
      }
    }
  }

  /// A page that says something, and nothing else.
  ///
  /// - Parameter next: the address that it leads on to by itself.
  static func message(title: String, text: String, version: String, next: String? = nil) -> HTML {
    document(title: title, version: version, refresh: next.map { "0; url=\($0)" }, body: ["class": "message"]) { html in
      html.element("main") { html in
        html.element("h1", text: title)
        html.element("p", text: text)
      }
    }
  }
}
