import Foundation
import Glibc
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// The owner's look: a logo, an accent color, a style sheet, and the sites that may show pages in a frame.
@MainActor @Suite(.serialized) struct BrandTests {
  private let workshop: Workshop
  private static let svg =
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><rect width='8' height='8'/></svg>"

  init() throws { workshop = try Workshop() }

  private func file(_ name: String, _ content: String) throws -> String {
    let path = workshop.path(name)
    try content.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func mistake(
    logo: String? = nil, accent: String? = nil, style: String? = nil, frameAncestors: [String] = []
  ) -> String {
    do throws(Brand.Mistake) {
      _ = try Brand(logo: logo, icon: nil, accent: accent, style: style, frameAncestors: frameAncestors)
      return ""
    } catch { return error.description }
  }

  @Test func aFileThatCannotBeUsedIsRefusedWithTheReason() throws {
    #expect(mistake(logo: workshop.path("none")).hasSuffix("cannot be used: No such file or directory."))
    #expect(mistake(logo: try file("words.txt", "hello")).contains("is not a picture that browsers show"))
    #expect(mistake(logo: try file("empty.png", "")).contains("it is empty"))
    #expect(mistake(logo: workshop.path("")).contains("it is not a regular file"))
    // A file of 50 MB is refused without being read.
    let large = try file("large.png", "")
    #expect(truncate(large, 50_000_000) == 0)
    #expect(mistake(logo: large).contains("it has 50000000 bytes, but at most 262144 are allowed"))
    let pipe = workshop.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(mistake(style: pipe).contains("it is not a regular file"))
    let bytes = workshop.path("bytes.css")
    try Data([0xff, 0xfe, 0x00]).write(to: URL(fileURLWithPath: bytes))
    #expect(mistake(style: bytes).contains("is not UTF-8"))
    #expect(mistake(logo: try file("logo.svg", Self.svg)) == "")
  }

  @Test(arguments: ["blue", "#12345", "#ggg", "#fff,#000,#111", "", "#-12", "#fff;}"]) func noColorIsRefused(
    _ text: String
  ) {
    #expect(mistake(accent: text).contains("--accent takes a color"))
  }

  @Test(arguments: ["*", "https://a.example; script-src *", "a.example", "https://a.example/path", "'self'", "http:"])
  func noOriginIsRefused(_ text: String) {
    #expect(mistake(frameAncestors: [text]).contains("--frame-ancestors takes"))
  }

  @Test func anyColorBecomesLegible() throws {
    for step in 0..<512 {
      let text = "#" + [step >> 6, step >> 3 & 7, step & 7].map { String(($0 * 15 + 3) / 7, radix: 16) }.joined()
      let colors = try AccentColors(text)
      #expect(colors.light.contrast(to: .white) >= 4.5 && colors.light.contrast(to: colors.light.ink) >= 4.5, "\(text)")
      #expect(colors.dark.contrast(to: .black) >= 4.5 && colors.dark.contrast(to: colors.dark.ink) >= 4.5, "\(text)")
    }
    // A legible color stays as it is.
    #expect(try AccentColors("#2f55d4,#8fa9ff").light.text == "#2f55d4")
    #expect(try AccentColors("#2f55d4,#8fa9ff").dark.text == "#8fa9ff")
  }

  @Test func aPageHasTheLookOfItsOwner() async throws {
    let logo = try file("logo.svg", Self.svg)
    // The sheet is served as it is, with its comments and line ends.
    let style = try file("own.css", "/*! own */ .screen-title { letter-spacing: 3px } /* end */\r\n")
    let brand = try Brand(
      logo: logo, icon: nil, accent: "#ffdd00", style: style,
      frameAncestors: ["https://intranet.example.org", "self"])
    let serving = try await Serving(["scenes", "todos", "account"]) { ($0.brand, $0.name) = (brand, "Acme & Co") }
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    let visitor = try await serving.visitor()
    try await elsewhere {
      #expect(try page.text("document.getElementById('brand').innerText") == "Acme & Co")
      try page.wait("document.querySelector('#brand img').naturalWidth > 0")
      #expect(try page.text("getComputedStyle(document.querySelector('h1')).letterSpacing") == "3px")
      for look in [Chromium.Page.Look.light, .dark] {
        try page.look(look)
        for width in [375, 1280] {
          try page.resize(width, 800)
          #expect(try page.unreadable() == [], "\(look)")
          #expect(try page.defects() == [], "\(look)")
        }
      }
      let answer = visitor.ask("GET", "/~\(visitor.session)/")
      #expect(answer.contains("frame-ancestors https://intranet.example.org 'self'"), "\(answer.prefix(800))")
    }
    #expect(browser.takeComplaints() == [])
    // In a frame of another site, only a cookie of the frame's own can be sent.
    let request = WebRequest(method: "GET", target: "/", headers: [("x-forwarded-proto", "https")])
    let person = try #require(try serving.site.people.enter(with: serving.site.people.makeKey()))
    #expect(serving.site.setCookie(person, request).1.contains("SameSite=None; Partitioned; Secure"))
    // A picture of another site begins no session.
    func refusal(_ site: String, _ dest: String) -> String? {
      let headers = [
        ("host", "127.0.0.1:\(serving.server.port)"), ("sec-fetch-site", site), ("sec-fetch-dest", dest),
      ]
      let request = WebRequest(method: "GET", target: "/", headers: headers)
      return serving.site.requests.refusal(of: request, isActing: false)
    }
    #expect(refusal("cross-site", "image") != nil && refusal("cross-site", "script") != nil)
    #expect(refusal("cross-site", "iframe") == nil && refusal("cross-site", "document") == nil)
    #expect(refusal("same-origin", "image") == nil)
    let plain = WebRequest(method: "GET", target: "/", headers: [])
    #expect(serving.site.setCookie(person, plain).1.contains("SameSite=Strict; Max-Age"))
    await serving.stop()
  }

  @Test func withoutALookPagesMayNotBeFramed() async throws {
    let serving = try await Serving(["scenes"])
    let visitor = try await serving.visitor()
    try await elsewhere {
      let answer = visitor.ask("GET", "/~\(visitor.session)/")
      #expect(answer.contains("frame-ancestors 'none'") && !answer.contains("id=\"brand\""))
    }
    await serving.stop()
  }
}
