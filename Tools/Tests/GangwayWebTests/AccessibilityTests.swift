import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

/// The file of axe-core.
private let axeFile = ProcessInfo.processInfo.environment["GANGWAY_AXE"]

/// The rules of axe-core on every screen of the samples, in two browser engines.
///
/// `script/check-accessibility` brings axe-core, by Deque Systems, and names its file in `GANGWAY_AXE`. With
/// `GANGWAY_AXE_ALL=1`, each screen is checked in each width and look; otherwise, the screens take turns.
@MainActor @Suite(.serialized, .enabled(if: axeFile != nil, "GANGWAY_AXE names no file"))
struct AccessibilityTests {
  private nonisolated static let isWhole = ProcessInfo.processInfo.environment["GANGWAY_AXE_ALL"] == "1"
  private nonisolated static let widths = [375, 768, 1280, 1920]
  /// Returns the violations, each with its element, on lines of their own.
  private nonisolated static let violations = """
    axe.run(document, { resultTypes: ['violations'] }).then(result => result.violations.flatMap(rule =>
      rule.nodes.map(node => `${rule.id} (${rule.impact}): ${node.html.slice(0, 160)} – ${rule.help}`)).join('\\n'))
    """

  @Test func noScreenBreaksARule() async throws {
    let samples = try await ShownSamples()
    let library = try String(contentsOfFile: try #require(axeFile), encoding: .utf8)
    let entrances = (0..<3).map { _ in samples.entrance() }
    let browser = try Chromium()
    let (page, foxes) = try await elsewhere {
      let page = try browser.open()
      try page.go(entrances[0])
      try page.wait(Serving.live)
      _ = try page.value("\(library); 1")
      let foxes = try [false, true].map { isDark in
        let fox = try Firefox(isDark: isDark)
        try fox.go(entrances[isDark ? 1 : 2])
        try fox.wait(Serving.live)
        _ = try fox.text("(() => { \(library); window.axe = axe })()")
        return fox
      }
      return (page, foxes)
    }
    var checks = 0
    for (number, (name, presentation)) in samples.screens.enumerated() {
      let isShown = samples.show(presentation)
      let all = Self.widths.flatMap { width in [false, true].map { (width, isDark: $0) } }
      let chosen = Self.isWhole ? all : [all[number % all.count]]
      try await elsewhere {
        for (width, isDark) in chosen {
          let fox = foxes[isDark ? 1 : 0]
          try page.wait(isShown)
          try fox.wait(isShown)
          try page.resize(width, 900)
          try page.look(isDark ? .dark : .light)
          try fox.resize(width, 900)
          for (browser, found) in [
            ("Chromium", try page.text(Self.violations)), ("Firefox", try fox.text(Self.violations)),
          ] {
            #expect(found.isEmpty, "\(name), \(browser), \(width) pixels, \(isDark ? "dark" : "light"): \(found)")
          }
        }
      }
      checks += 2 * chosen.count
    }
    #expect(checks >= 2 * samples.screens.count && checks > 100)
    await samples.stop()
  }
}
