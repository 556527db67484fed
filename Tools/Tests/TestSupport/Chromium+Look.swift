import Foundation

/// Emulation of a user's display settings and of other languages.
extension Chromium.Page {
  /// A display setting.
  @_spi(FrontEnd) public enum Look: String, CaseIterable, Sendable {
    case light, dark, contrast, forcedColors = "forced-colors", rightToLeft = "right-to-left", print
  }

  /// Switches the page to a display setting.
  @_spi(FrontEnd) public func look(_ look: Look) throws {
    let features = [
      "prefers-color-scheme": look == .dark ? "dark" : "light",
      "prefers-contrast": look == .contrast ? "more" : "no-preference",
      "forced-colors": look == .forcedColors ? "active" : "none",
      // Transitions would show colors that are still changing.
      "prefers-reduced-motion": "reduce",
    ]
    try call(
      "Emulation.setEmulatedMedia",
      [
        "media": look == .print ? "print" : "screen", "features": features.map { ["name": $0.key, "value": $0.value] },
      ])
    _ = try value("document.documentElement.dir = '\(look == .rightToLeft ? "rtl" : "ltr")'")
  }

  /// Returns texts with too little contrast to their background: less than 4.5, or 3 for large texts.
  ///
  /// Disabled controls and elements behind a dialog are left out, as in WCAG 2.2 (success criterion 1.4.3).
  @_spi(FrontEnd) public func unreadable() throws -> [String] {
    let found = try text(Self.contrasts)
    return found.isEmpty ? [] : found.components(separatedBy: "\n")
  }

  private static let contrasts = """
    (() => {
      const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
      const known = new Map()
      const parsed = colour => {
        if (!known.has(colour)) {
          context.clearRect(0, 0, 1, 1)
          context.fillStyle = colour
          context.fillRect(0, 0, 1, 1)
          const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data
          known.set(colour, [r, g, b, a / 255])
        }
        return known.get(colour)
      }
      const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1]
      const luminance = ([r, g, b]) => [r, g, b]
        .map(c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0)
      const behind = element => {
        const layers = []
        for (let e = element; e; e = e.parentElement) {
          layers.push(parsed(getComputedStyle(e).backgroundColor))
          if (layers.at(-1)[3] == 1) break
          if (e.matches('dialog')) { layers.push(parsed('Canvas')); break }
        }
        return layers.reverse()
          .reduce((below, layer) => over(layer, below), parsed(getComputedStyle(document.body).backgroundColor))
      }
      const found = new Set()
      for (const element of document.querySelectorAll('body *')) {
        const isField = element.matches('input:not([type=hidden], [type=checkbox], [type=radio]), textarea, select')
        const words = isField
          ? element.value
          : [...element.childNodes].filter(n => n.nodeType == 3).map(n => n.data).join('').trim()
        if (!words || element.closest('[inert], :disabled, [aria-disabled=true], .hidden, .skip, title, defs')) continue
        const dialog = [...document.querySelectorAll('dialog[open]')].pop()
        if (dialog && !dialog.contains(element) && !element.closest('#notices')) continue
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
        const box = element.getBoundingClientRect()
        if (!box.width || !box.height) continue
        const style = getComputedStyle(element)
        let [r, g, b, a] = parsed(element instanceof SVGElement ? style.fill : style.color)
        for (let e = element; e; e = e.parentElement) a *= +getComputedStyle(e).opacity
        const ground = behind(element), ink = over([r, g, b, a], ground)
        const [dark, bright] = [luminance(ink), luminance(ground)].sort((one, other) => one - other)
        const ratio = (bright + .05) / (dark + .05), size = parseFloat(style.fontSize)
        const isLarge = size >= 24 || size >= 18.66 && +style.fontWeight >= 700
        if (ratio < (isLarge ? 3 : 4.5) - .02) {
          const name = `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`
          found.add(`${ratio.toFixed(2)} ${name} '${words.slice(0, 30)}'`)
        }
      }
      return [...found].join('\\n')
    })()
    """
}
