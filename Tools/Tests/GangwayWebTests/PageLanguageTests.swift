@_spi(FrontEnd) import GangwayProtocol
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

@Suite struct PageLanguageTests {
  @Test(arguments: ["ar", "he-IL", "fa", "ur-PK", "yi", "az-Arab", "pa-Arab-PK", "AR-eg"])
  func whatIsWrittenFromTheRightStandsThere(_ tag: String) throws {
    let language = try #require(PageLanguage(tag))
    #expect(language.isRightToLeft)
    let html = HTML.document(title: "", version: "", language: language, body: [:]) { _ in }.text
    #expect(html.contains("<html lang=\"\(tag)\" dir=\"rtl\">"), "\(html)")
  }

  @Test(arguments: ["en", "pt-BR", "de", "ku-Latn", "ar-Latn", "zh-Hant-TW", "az"])
  func theOthersStandOnTheLeft(_ tag: String) throws {
    let language = try #require(PageLanguage(tag))
    #expect(!language.isRightToLeft)
    let html = HTML.document(title: "", version: "", language: language, body: [:]) { _ in }.text
    #expect(html.contains("<html lang=\"\(tag)\">"), "\(html)")
  }

  @Test(arguments: ["", "e", "english language", "en_US", "en\"><script>", "-ar", "en-", "en-123456789"])
  func whatIsNoNameIsRefused(_ tag: String) { #expect(PageLanguage(tag) == nil) }
}
