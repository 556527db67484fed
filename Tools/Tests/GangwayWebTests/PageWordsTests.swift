import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// The framework's own words on pages, in several languages.
@MainActor @Suite(.serialized) struct PageWordsTests {
  private static func json(_ words: [String: String]) throws -> [UInt8] { [UInt8](try JSONEncoder().encode(words)) }

  @Test(arguments: PageWords.languages) func aLanguageHasAllWords(_ tag: String) throws {
    let words = PageWords.of(try #require(PageLanguage(tag)))
    for key in PageWords.Key.allCases {
      #expect(!words[key].isEmpty)
      // Short words may be the same in two languages.
      if tag != "en", words[key].count > 12 { #expect(words[key] != PageWords.english[key], "\(key) in \(tag)") }
    }
  }

  @Test func theLanguageOfATagIsFound() throws {
    for (tag, back) in [("de-AT", "Zurück"), ("FR", "Retour"), ("ar-EG", "رجوع"), ("nl", "Back"), ("en-GB", "Back")] {
      #expect(PageWords.of(try #require(PageLanguage(tag)))[.back] == back)
    }
  }

  /// The script has the English words itself, so that it works alone.
  @Test func theScriptHasTheEnglishWords() throws {
    let script = String(decoding: PackageResources.gangway_js, as: UTF8.self)
    for key in PageWords.Key.allCases where key.isOfScript {
      let text = PageWords.english[key]
      #expect(script.contains("\(key.rawValue): '\(text)'") || script.contains("\(key.rawValue): \"\(text)\""))
    }
    #expect(PageWords.english.script.isEmpty)
    #expect(
      script.matches(of: /phrases\.(\w+)/).allSatisfy { PageWords.Key(rawValue: String($0.1))?.isOfScript == true })
  }

  @Test func anOwnersFileChangesWordsAndTheOthersStay() throws {
    var words = PageWords.of(try #require(PageLanguage("de")))
    try words.apply(Self.json(["back": "Hoi", "cell": "{text} ({column}/{row})"]))
    #expect((words[.back], words[.close]) == ("Hoi", "Schließen"))
    #expect(words.cell(row: 1, column: 2, text: "", isMarked: true) == "leer (2/1), markiert")
    #expect(words.script.contains("Die Verbindung wurde unterbrochen."))
  }

  @Test(arguments: [
    (["bakc": "Terug"], "it has the unknown name 'bakc'; did you mean 'back'?"),
    (["cell": "{row}"], "the text of 'cell' has {row}, but needs {column}, {row}, {text}"),
    (["back": "{row}"], "the text of 'back' has {row}, but needs no placeholder"),
    (["textKept": "Kept."], "the text of 'textKept' has no placeholder, but needs {label}"),
  ])
  func aWrongWordIsRefused(_ words: [String: String], _ reason: String) throws {
    var own = PageWords.english
    let mistake = #expect(throws: PageWords.Mistake.self) { try own.apply(Self.json(words)) }
    #expect(mistake?.description.contains(reason) == true, "\(mistake?.description ?? "")")
    #expect(own == .english)
  }

  @Test(arguments: ["", "[]", "{\"back\": 7}", "{\"back\"", "nothing"]) func aFileOfAnotherFormIsRefused(_ text: String)
  {
    var own = PageWords.english
    #expect(throws: PageWords.Mistake.self) { try own.apply(Array(text.utf8)) }
  }

  @Test func aPageSpeaksTheLanguageOfTheSite() async throws {
    let workshop = try Workshop()
    let file = workshop.path("words.json")
    try Data(#"{"back": "Hoi"}"#.utf8).write(to: URL(filePath: file))
    let look = try Brand(logo: nil, icon: nil, accent: nil, style: nil, words: file, frameAncestors: [])
    let serving = try await Serving(["scenes"]) {
      $0.language = PageLanguage("de") ?? .english
      $0.brand = look
    }
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    let visitor = try await serving.visitor()
    try await elsewhere {
      try page.run(script: "tap Go to Scene 2")
      #expect(try page.text("document.querySelector('.skip').textContent") == "Zum Inhalt springen")
      #expect(try page.text("document.querySelector('#back').textContent").contains("Hoi"))
      #expect(try page.text("document.documentElement.lang") == "de")
      let script = try page.text("new URL(document.querySelector('script').src).pathname")
      #expect(visitor.ask("GET", script).contains("Verbindung wird wiederhergestellt …"))
      // The page of an English site has the same style sheet under another name.
      let style = try page.text("new URL(document.querySelector('link').href).pathname")
      #expect(visitor.ask("GET", style).contains(" 200 "))
    }
    #expect(throws: Brand.Mistake.self) {
      try Brand(logo: nil, icon: nil, accent: nil, style: nil, words: file + "x", frameAncestors: [])
    }
    await serving.stop()
  }
}
