import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// The folder for the sheets.
private let sheetFolder = ProcessInfo.processInfo.environment["GANGWAY_SHEETS"]

/// Draws every screen of the samples as terminals show it, for `script/contact-sheets`.
///
/// Each width and theme gets a file of HTML in the folder `GANGWAY_SHEETS`, with one `pre` for each screen.
@MainActor @Suite(.enabled(if: sheetFolder != nil, "GANGWAY_SHEETS names no folder"))
struct TerminalSheetTests {
  /// The 16 colors of a terminal, with the text and background colors.
  private static let palettes: [Theme: (text: String, behind: String, colors: String)] = [
    .dark: (
      "#d8dee4", "#16191d",
      "16191d e06c75 6fbf8b d8b45a 7aa8ee b48ad6 6cc3d0 cccccc 454c56 e06c75 6fbf8b d8b45a 7aa8ee b48ad6 6cc3d0 ffffff"
    ),
    .light: (
      "#24292f", "#ffffff",
      "1b1f24 c0303a 2d7d46 8a6100 2f5fc0 7d46a8 2a8a96 d5dae1 6e7781 c0303a 2d7d46 8a6100 2f5fc0 7d46a8 2a8a96 ffffff"
    ),
  ]

  @Test func everyScreenIsOnASheet() async throws {
    setlocale(LC_ALL, "C.UTF-8")
    let folder = try #require(sheetFolder)
    let workshop = try Workshop()
    var screens: [(name: String, presentation: Presentation)] = []
    try await SampleScreens.visit(workshop) { screens.append(($0, $1)) }
    for (columns, rows) in [(80, 24), (120, 36), (200, 50)] {
      for theme in [Theme.dark, .light] {
        let pictures = screens.map { name, presentation in
          "<figure><figcaption>\(name)</figcaption>\(html(presentation, columns, rows, theme))</figure>\n"
        }
        try pictures.joined().write(
          toFile: "\(folder)/terminal-\(columns)-\(theme.rawValue).html", atomically: true, encoding: .utf8)
      }
    }
    #expect(screens.count > 50)
  }

  private func html(_ presentation: Presentation, _ columns: Int, _ rows: Int, _ theme: Theme) -> String {
    var glyphs = Glyphs()
    glyphs.hasSurfaces = true
    let canvas = TerminalView(presentation, ViewState(), columns: columns, rows: rows, glyphs: glyphs).canvas
    let palette = Self.palettes[theme] ?? ("", "", "")
    let colors = palette.colors.split(separator: " ").map { "#\($0)" }
    func color(_ number: Int16, _ fallback: String) -> String { number < 0 ? fallback : colors[Int(number)] }
    var html = "<pre style=\"color:\(palette.text);background:\(palette.behind)\">"
    for row in 0..<rows {
      var last: Style?
      for cell in canvas.row(row) where !cell.text.isEmpty {
        if cell.style != last {
          if last != nil { html += "</span>" }
          let look = theme.look(of: cell.style, accent: canvas.accent, hasBright: true)
          var (text, behind) = (color(look.pair.text, palette.text), color(look.pair.behind, palette.behind))
          if look.isReversed { swap(&text, &behind) }
          html += "<span style=\"color:\(text);background:\(behind)"
          if look.isBold { html += ";font-weight:bold" }
          if look.isDim { html += ";opacity:.55" }
          if look.isUnderlined { html += ";text-decoration:underline" }
          html += "\">"
          last = cell.style
        }
        let text = cell.text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        // Other fonts, which the browser takes for some characters, have other widths.
        let isPlain = cell.text.utf8.allSatisfy { $0 < 0x80 }
        let width = TextWidth.of(cell.text)
        html += isPlain ? text : "<i style=\"width:\(width)ch\">\(text)</i>"
      }
      html += "</span>&#10;"
    }
    return html + "</pre>"
  }
}
