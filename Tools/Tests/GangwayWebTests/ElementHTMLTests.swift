import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// The HTML of every kind of element with all attributes, compared with the recorded HTML.
///
/// `GANGWAY_RECORD=1` records new HTML; review its changes.
@Suite struct ElementHTMLTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Pictures/elements.html")

  /// A hostile text, which the page must show as text only.
  private static let hostile = "<script>alert(1)</script>\"' onload=x & \u{202e}\u{0}"

  /// One element per kind and role, with all attributes.
  private static var samples: [Element] {
    func make(_ kind: Element.Kind, _ id: ElementID, _ change: (inout Element) -> Void = { _ in }) -> Element {
      var element = Element(id: id, kind: kind, label: "Label")
      change(&element)
      return element
    }
    var all: [Element] = []
    all.append(make(.text, "text") { ($0.symbol, $0.badge, $0.help, $0.problem) = ("★", "3", "Help", "Problem") })
    all.append(
      make(.text, "runs") {
        $0.runs = [
          .init("bold", [.bold, .italic]), .init("code", [.code]), .init("struck", [.struck]),
          .init("inside", url: "gangway://todos/7"), .init("outside", url: "https://example.org/?a=1&b=2"),
          .init("script", url: "javascript:alert(1)"),
        ]
      })
    for role in [Element.Role.problem, .code, .quote, .item] {
      all.append(
        make(.text, "text-\(role.rawValue)") { ($0.role, $0.level, $0.value) = (role, 2, role == .item ? "1." : nil) })
    }
    for level in [1, 2, 9] { all.append(make(.heading, "heading-\(level)") { $0.level = level }) }
    for role in [nil, Element.Role.destructive, .cancel, .submit, .refresh] {
      all.append(make(.button, "button-\(role?.rawValue ?? "plain")") { ($0.role, $0.shortcut) = (role, "ctrl+s") })
    }
    all.append(make(.button, "disabled") { ($0.isEnabled, $0.detail) = (false, "Not now") })
    all.append(make(.link, "link"))
    // The last ones are addresses that the server uses itself, or that browsers would change.
    let refused = ["gangway://~x/y", "gangway:////example.org", "gangway://a/../b", "ftp://a/b", "gangway://\t/a"]
    for (number, url) in (["gangway://todos/7?a=\""] + refused).enumerated() {
      all.append(make(.row, "leads-\(number)") { ($0.role, $0.url) = (.button, url) })
    }
    all.append(make(.link, "leads") { $0.url = "gangway://todos" })
    for role in [nil, Element.Role.multiline, .secure, .email, .number, .search, .url] {
      all.append(
        make(.field, "field-\(role?.rawValue ?? "plain")") {
          ($0.role, $0.value, $0.isRequired, $0.submits) = (role, "a\nb", true, true)
        })
    }
    all.append(
      make(.field, "wrong") { ($0.problem, $0.help, $0.isEnabled, $0.detail) = ("Too long", "Short", false, "Later") })
    all.append(make(.number, "number") { ($0.value, $0.minimum, $0.maximum, $0.step) = ("3", "1", "9", "2") })
    for role in [nil, Element.Role.day, .time] {
      all.append(
        make(.date, "date-\(role?.rawValue ?? "both")") {
          ($0.role, $0.value, $0.minimum) = (role, "2026-11-22", "2026-01-01")
        })
    }
    for value in ["on", "off"] { all.append(make(.toggle, "toggle-\(value)") { $0.value = value }) }
    let options = [Element.Option(id: "a b", title: "A"), .init(id: "b", title: "B")]
    for value in ["b", "gone"] {
      all.append(make(.picker, "picker-\(value)") { ($0.options, $0.value) = (options, value) })
    }
    all.append(make(.fact, "fact") { ($0.value, $0.badge) = ("Value", "new") })
    for value in ["0.25", "none"] { all.append(make(.progress, "progress-\(value)") { $0.value = value }) }
    for mode in [nil, Element.SelectionMode.one, .several] {
      all.append(
        make(.list, "list-\(mode?.rawValue ?? "plain")") { list in
          (list.selects, list.selection, list.rowCount, list.firstRow) = (mode, ["k 1"], 500, 20)
          list.children = (0..<3).map { number in
            make(.row, "\(list.id)-row\(number)") {
              ($0.key, $0.detail, $0.symbol) = ("k \(number)", "Detail", "○")
              ($0.role, $0.level) = (number == 1 ? .button : nil, number)
              if number == 2 { $0.isExpanded = true }
              $0.children = [
                make(.menu, "\(list.id)-menu\(number)") {
                  $0.role = .actions; $0.children = [make(.button, "\(list.id)-b\(number)")]
                }
              ]
            }
          }
          list.children.append(make(.link, "\(list.id)-link"))
        })
    }
    all.append(make(.list, "no-rows"))
    all.append(
      make(.table, "table") {
        $0.cells = [["Name", "Size"].map { .init(text: $0) }, ["x", "1"].map { .init(text: $0, tint: "red") }]
        $0.columns = [
          .init(id: "name", title: "Name", isSortable: true, order: .ascending),
          .init(id: "size", title: "Size", isTrailing: true),
        ]
        ($0.keys, $0.selects, $0.selection, $0.rowCount, $0.firstRow) = (["x"], .several, ["x"], 9, 3)
      })
    let cells = [
      [Element.Cell(text: "●", tint: "red", isMarked: true), .init(text: "", isEnabled: false)], [.init(text: "a")],
    ]
    all.append(make(.grid, "grid") { $0.cells = cells })
    all.append(
      make(.grid, "board") {
        $0.cells = cells
        $0.board = .init(shape: .hexagon, top: "red", bottom: "red", leading: "blue", trailing: "blue")
      })
    for kind in [Element.Kind.section, .form, .document, .toolbar, .banner, .empty, .menu, .alert] {
      all.append(
        make(kind, "\(kind.rawValue)") { ($0.detail, $0.children) = ("Detail", [make(.button, "in-\(kind.rawValue)")]) }
      )
    }
    for role in [Element.Role.information, .success, .warning, .problem] {
      all.append(make(.banner, "banner-\(role.rawValue)") { $0.role = role })
    }
    for isExpanded in [true, false] {
      all.append(
        make(.disclosure, "disclosure-\(isExpanded)") {
          ($0.isExpanded, $0.children) = (isExpanded, [make(.text, "in-\(isExpanded)")])
        })
    }
    all.append(make(.tabs, "tabs") { ($0.options, $0.value, $0.children) = (options, "b", [make(.text, "in-tabs")]) })
    all.append(make(.log, "log") { $0.lines = ["one", "two"] })
    for type in ["image/png", "image/svg+xml"] {
      all.append(
        make(.image, "image-\(type.count)") { $0.image = .init(type: type, width: 2, height: 1, base64: "AAAA") })
    }
    for style in [Element.ChartData.Style.line, .bar, .area, .pie] {
      all.append(
        make(.chart, "chart-\(style.rawValue)") {
          $0.chart = .init(
            style: style, title: "Day", labels: ["a", "b", "c"],
            series: [.init(name: "One", values: [1, nil, 3]), .init(name: "Two", values: [2, 2.5, -1])])
        })
    }
    all.append(
      make(.drawing, "drawing") { $0.paths = [.init(d: "M0 0L1 1Z", stroke: "red", fill: "blue", width: 0.02)] })
    all.append(make(.drawing, "decoration") { ($0.role, $0.paths) = (.decorative, [.init(d: "M0 0L1 1")]) })
    all.append(make(.divider, "divider"))
    all.append(make(.text, "unknown"))
    return all
  }

  private static func html(_ element: Element) -> String {
    HTML { ScreenRenderer(node: 7).element(element, &$0) }.text
  }

  @Test func everyElementIsWhatItWas() throws {
    let now = Self.samples.map { Self.html($0).replacing("><", with: ">\n<") }.joined(separator: "\n\n") + "\n"
    if ProcessInfo.processInfo.environment["GANGWAY_RECORD"] == "1" {
      try now.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let before = try String(contentsOf: Self.file, encoding: .utf8)
    let pairs = zip(before.components(separatedBy: "\n\n"), now.components(separatedBy: "\n\n"))
    for (old, new) in pairs where old != new { Issue.record("\(new)\n\nwas\n\n\(old)") }
    #expect(before.count == now.count, "GANGWAY_RECORD=1 takes it over.")
  }

  /// A page does not get the keys that open or close tabs, so it does not show them.
  @Test(arguments: ["ctrl+n", "ctrl+shift+t", "ctrl+w"]) func aKeyOfTheBrowserIsNotShown(_ shortcut: String) {
    var button = Element(id: "b", kind: .button, label: "New")
    button.shortcut = shortcut
    #expect(!Self.html(button).contains("kbd") && !Self.html(button).contains("keyshortcuts"))
    button.shortcut = "ctrl+s"
    #expect(Self.html(button).contains("<kbd") && Self.html(button).contains("aria-keyshortcuts=\"Control+S\""))
  }

  /// A legend that repeats the heading above it is of no use to sighted users.
  @Test func aFormThatIsCalledAsItsScreenSaysItToThoseWhoListenAlone() {
    let form = Element(id: "form", kind: .form, label: "Sign in")
    func html(_ title: String) -> String { HTML { ScreenRenderer(node: 7, title: title).element(form, &$0) }.text }
    #expect(html("Sign in").contains("<legend class=\"hidden\"><span class=\"label\">Sign in</span></legend>"))
    #expect(html("Account").contains("<legend><span class=\"label\">Sign in</span></legend>"))
  }

  @Test func allKindsAndAttributesAreAmongThem() throws {
    let encoded = String(decoding: try Line.encode(Self.samples), as: UTF8.self)
    for key in [
      "symbol", "badge", "help", "shortcut", "url", "problem", "required", "submits", "expanded", "level", "key",
      "minimum", "maximum", "step", "selects", "selection", "keys", "rowCount", "firstRow", "columns", "runs", "lines",
      "image",
      "chart", "paths", "board", "value", "role", "enabled", "detail", "options", "children", "cells",
    ] {
      #expect(encoded.contains("\"\(key)\":"), "no sample has \(key)")
    }
  }

  @Test func textOfOthersIsTextWhereverItStands() throws {
    // Replace every text of every sample.
    func poisoned(_ value: Any, _ key: String = "") -> Any {
      if [
        "kind", "role", "id", "key", "type", "base64", "selects", "style", "order", "shape", "d", "keys", "selection",
      ].contains(key) {
        return value
      }
      switch value {
      case is String: return Self.hostile
      case let list as [Any]: return list.map { poisoned($0, key) }
      case let fields as [String: Any]: return Dictionary(uniqueKeysWithValues: fields.map { ($0, poisoned($1, $0)) })
      default: return value
      }
    }
    for sample in Self.samples {
      let fields = try JSONSerialization.jsonObject(with: Data(Line.encode(sample)))
      let data = try JSONSerialization.data(withJSONObject: poisoned(fields))
      let html = Self.html(try Line.decode(Element.self, from: data))
      #expect(!html.contains("<script") && !html.contains("\u{202e}") && !html.contains("\u{0}"), "\(sample.id)")
      #expect(!html.contains("\"' onload"), "\(sample.id)")
      #expect(!html.contains("javascript:"), "\(sample.id)")
    }
  }

  @Test func whatIsSentIsAsSmallAsItIsToBe() throws {
    // The limits: 10 KB for the compressed module, and 40 KB for the first page with everything it loads.
    let module = try #require(WebAssets.module.compressed), style = try #require(WebAssets.style.compressed)
    #expect(module.count <= 10_240, "\(module.count)")
    #expect(module.count + style.count <= 30_000, "\(module.count + style.count)")
  }
}
