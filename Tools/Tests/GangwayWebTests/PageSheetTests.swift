import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

/// The folder for the sheets.
private let sheetFolder = ProcessInfo.processInfo.environment["GANGWAY_SHEETS"]

/// Takes a picture of every screen of the samples in Chromium, for `script/contact-sheets`.
///
/// Each width and look gets a file of HTML in the folder `GANGWAY_SHEETS`, which shows the pictures beside it.
@MainActor @Suite(.enabled(if: sheetFolder != nil, "GANGWAY_SHEETS names no folder"))
struct PageSheetTests {
  @Test func everyScreenIsOnASheet() async throws {
    let folder = try #require(sheetFolder)
    let samples = try await ShownSamples()
    let entrance = samples.entrance()
    let browser = try Chromium()
    let page = try await elsewhere {
      let page = try browser.open()
      try page.go(entrance)
      try page.wait(Serving.live)
      return page
    }
    var sheets: [String: String] = [:]
    for (number, (name, presentation)) in samples.screens.enumerated() {
      let isShown = samples.show(presentation)
      let made = try await elsewhere {
        try page.wait(isShown)
        var made: [(sheet: String, html: String)] = []
        for (width, height) in [(375, 812), (768, 1024), (1280, 800), (1920, 1080)] {
          try page.resize(width, height)
          for look in [Chromium.Page.Look.light, .dark] {
            try page.look(look)
            let sheet = "page-\(width)-\(look.rawValue)"
            let file = "\(sheet)-\(number).png"
            try page.picture().write(to: URL(fileURLWithPath: "\(folder)/\(file)"))
            made.append((sheet, "<figure><figcaption>\(name)</figcaption><img src=\"\(file)\"></figure>\n"))
          }
        }
        return made
      }
      for (sheet, html) in made { sheets[sheet, default: ""] += html }
    }
    for (sheet, html) in sheets { try html.write(toFile: "\(folder)/\(sheet).html", atomically: true, encoding: .utf8) }
    #expect(sheets.count == 8 && samples.screens.count > 50)
    await samples.stop()
  }
}
