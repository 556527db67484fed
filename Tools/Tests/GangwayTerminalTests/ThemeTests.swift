@_spi(FrontEnd) import GangwayProtocol
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// The themes, each of which must keep text readable on its background.
@Suite struct ThemeTests {
  @Test(arguments: Theme.allCases, [true, false])
  func textIsNeverOfTheColourBehindIt(_ theme: Theme, _ hasBright: Bool) {
    for color in Style.Color.allCases {
      for surface in Style.Surface.allCases {
        for isDim in [true, false] {
          let look = theme.look(of: Style(color: color, surface: surface, isDim: isDim), hasBright: hasBright)
          if look.pair.behind >= 0 {
            #expect(look.pair.text >= 0 && look.pair.text != look.pair.behind)
            // Nobody has checked dim text on these backgrounds.
            #expect(!look.isDim)
          }
          if !hasBright { #expect(look.pair.text < 8 && look.pair.behind < 8) }
        }
      }
    }
  }

  @Test(arguments: Theme.allCases) func theKeyboardIsSeenWithoutColours(_ theme: Theme) {
    let plain = theme.look(of: .plain, hasBright: false)
    for surface in [Style.Surface.focused, .danger] {
      #expect(theme.look(of: Style(surface: surface), hasBright: false) != plain)
    }
    if theme == .mono {
      #expect(theme.look(of: .focused, hasBright: true).pair == .init(text: -1, behind: -1))
      #expect(theme.look(of: .focused, hasBright: true).isReversed)
    }
  }

  @Test func surfacesTakeThePlaceOfBracketsInTheSameRoom() {
    let elements = [
      Element(id: "b", kind: .button, label: "Save"),
      Element(id: "c", kind: .button, label: "Delete", role: .destructive),
    ]
    var glyphs = Glyphs()
    let mono = TerminalView(TerminalViewTests.presentation(elements), ViewState(), columns: 40, rows: 12)
    glyphs.hasSurfaces = true
    let drawn = TerminalView(
      TerminalViewTests.presentation(elements), ViewState(), columns: 40, rows: 12, glyphs: glyphs)
    #expect(mono.canvas.text.contains("[ Save ] [ Delete ]"))
    #expect(drawn.canvas.text.contains("   Save     Delete"))
    #expect(drawn.canvas[3, 1].style.surface == .focused && drawn.canvas[3, 12].style.surface == .raised)
    #expect(drawn.canvas[3, 9].style.surface == .none)
  }

  /// Contrast as WCAG 2.2 (1.4.3) measures it, needs 4.5; cyan on white has 4.1, and dim text on white 3.5.
  @Test func textOnALightBackgroundIsDark() {
    #expect(Theme.light.look(of: .accent, hasBright: true).pair.text == 4)
    #expect(Theme.light.look(of: .focused, hasBright: true).pair == .init(text: 15, behind: 4))
    #expect(Theme.light.look(of: .dim, hasBright: true) == .init(pair: .init(text: 8, behind: -1)))
    // An accent color of the app's own stays.
    #expect(Theme.light.look(of: .accent, accent: .green, hasBright: true).pair.text == 2)
    #expect(Theme.dark.look(of: .accent, hasBright: true).pair.text == 6)
  }

  @Test func aThemeIsNamed() {
    #expect(Theme.named("Light") == .light && Theme.named("contrast") == .contrast)
    #expect(Theme.named("pink") == nil && Theme.named(nil) == nil)
  }
}
