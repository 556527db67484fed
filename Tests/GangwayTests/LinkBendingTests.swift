import FoundationEssentials
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Testing

/// Links cannot be bent: the values of the path hold, regardless of the rest of the URL.
@MainActor @Suite struct LinkBendingTests {
  enum Size: String, Codable, Sendable { case small, large }
  struct Token: Codable, Hashable, Sendable {
    let text: String
    init(text: String) { self.text = text }
    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }
  struct Named<Value: Codable & Sendable & Hashable>: Codable, Sendable, Hashable { let value: Value }

  private func decode<Payload: Codable>(
    _ type: Payload.Type, _ pattern: String, _ url: String, _ links: Links = Links()
  ) throws -> Payload {
    try LinkDecoder.decode(type, from: LinkPattern(pattern).values(of: LinkURL(url, links)))
  }

  // MARK: The path decides

  @Test func aQueryOverridesNoParameterOfThePath() throws {
    let pattern = "u/:value"
    #expect(try decode(Named<Size>.self, pattern, "gangway://u/small?value=large").value == .small)
    #expect(try decode(Named<Size?>.self, pattern, "gangway://u/small?value=large").value == .small)
    #expect(try decode(Named<Token>.self, pattern, "gangway://u/a?value=b").value == Token(text: "a"))
    let (first, second) = (UUID(), UUID())
    #expect(
      try decode(Named<UUID>.self, pattern, "gangway://u/\(first)?value=\(second)").value == first)
    #expect(try decode(Named<[Int]>.self, pattern, "gangway://u/1?value=2&value=3").value == [1])
    #expect(try decode(Named<String>.self, pattern, "gangway://u/a?value=b").value == "a")
    #expect(
      try decode([String: String].self, pattern, "gangway://u/a?value=b&other=c") == ["value": "a", "other": "c"])
    #expect(try decode([String: Size].self, pattern, "gangway://u/small?value=large") == ["value": .small])
    #expect(try decode(Size.self, pattern, "gangway://u/small?value=large") == .small)
  }

  @Test func aURLThatIsMadeHasNoQueryOfAPathsName() throws {
    let pattern = try LinkPattern("u/:value?value2")
    let path = pattern.path(with: [("value", "a"), ("value", "b"), ("value2", "c")])
    #expect(path == "u/b?value2=c")
  }

  // MARK: Mistakes

  /// Returns the message about a URL that does not fit a type.
  private func mistake<Payload: Codable>(_ type: Payload.Type, _ pattern: String, _ url: String) -> String {
    do {
      return "\(try decode(type, pattern, "gangway://\(url)"))"
    } catch {
      return StoredRoute.brief(error)
    }
  }

  @Test func aMistakeNamesTheTextItsComponentAndTheType() {
    let pattern = "u/:value"
    #expect(mistake(Int.self, pattern, "u/abc") == "'abc' for the component 'value' is not a whole number (Int)")
    #expect(mistake(Named<Int>.self, pattern, "u/abc") == "'abc' for the component 'value' is not a whole number (Int)")
    #expect(
      mistake(Named<Int?>.self, "u?value", "u?value=abc")
        == "'abc' for the parameter 'value' is not a whole number (Int)")
    #expect(
      mistake(Named<UInt8>.self, pattern, "u/256")
        == "'256' for the component 'value' is not a whole number from 0 to 255 (UInt8)")
    #expect(
      mistake(Named<[Int]>.self, "u?value", "u?value=1&value=b")
        == "'b' for the parameter 'value' is not a whole number (Int)")
    #expect(mistake(Named<Double>.self, pattern, "u/nan") == "'nan' for the component 'value' is not a number (Double)")
    #expect(
      mistake(Named<Bool>.self, pattern, "u/yes") == "'yes' for the component 'value' is not true or false (Bool)")
    #expect(
      mistake(Named<Data>.self, pattern, "u/a-b") == "'a-b' for the component 'value' is not base 64 (Data)")
    #expect(
      mistake(Named<UUID>.self, pattern, "u/7").hasPrefix("'7' for the component 'value' does not fit UUID: "),
      "\(mistake(Named<UUID>.self, pattern, "u/7"))")
    #expect(
      mistake(Named<Size>.self, pattern, "u/huge").hasPrefix("'huge' for the component 'value' does not fit Size: "),
      "\(mistake(Named<Size>.self, pattern, "u/huge"))")
    #expect(
      mistake(Size.self, pattern, "u/huge").hasPrefix("'huge' for the component 'value' does not fit Size: "),
      "\(mistake(Size.self, pattern, "u/huge"))")
    #expect(mistake(Named<Int>.self, "u", "u") == "it lacks 'value'")
    let long = String(repeating: "x", count: 200)
    #expect(mistake(Int.self, pattern, "u/\(long)").hasPrefix("'\(long.prefix(80))…' for the component"))
  }

  // MARK: Percent-escapes in patterns

  @Test(arguments: ["caf%C3%A9/x", "caf\u{e9}/x", "CAF%C3%89/x", "caf%c3%a9/%78"])
  func aPatternMayBePercentEncoded(_ pattern: String) throws {
    let links = Links()
    links.add([.test(try LinkPattern(pattern))], of: "test")
    for url in ["caf\u{e9}/x", "caf%C3%A9/x", "caf%c3%a9/x", "CAF%C3%89/x"] {
      #expect(try links.match("gangway://\(url)")?.description == pattern, "\(url)")
    }
    #expect(try links.match("gangway://caf%25C3%25A9/x") == nil)
    #expect(try LinkPattern(pattern).path(with: []) == "caf%C3%A9/x")
  }

  @Test(arguments: ["https://example.org/caf%C3%A9", "https://example.org/caf\u{e9}"])
  func theAddressOfAnOriginMayBePercentEncoded(_ origin: String) throws {
    let links = Links()
    links.origins = [origin]
    links.add([.test(try LinkPattern("x/:id"))], of: "test")
    for url in ["https://example.org/caf\u{e9}/x/7", "https://example.org/caf%C3%A9/x/7"] {
      #expect(try links.match(url)?.description == "x/:id", "\(url)")
    }
    #expect(try LinkOrigin(origin).description == "https://example.org/caf%C3%A9")
    #expect(throws: LinkOrigin.Mistake.self) { try LinkOrigin("https://example.org/caf%C3") }
  }

  /// An escape stands for its character, and is no syntax.
  @Test func anEscapedCharacterIsNoSyntaxOfThePattern() throws {
    let links = Links()
    for pattern in ["a/b%2Fc", "a/b/c", "a/%3Aid", "a/:id", "a/%2Arest", "a/%25", "a/x%3F", "a/%2B"] {
      let pattern = try LinkPattern(pattern)
      #expect(links.rival(of: pattern, for: "test") == nil)
      links.add([.test(pattern)], of: "\(pattern)" == "a/:id" ? "test" : "other")
    }
    links.settle()
    #expect(links.conflicts == [])
    for (url, pattern) in [
      ("a/b%2fc", "a/b%2Fc"), ("a/b/c", "a/b/c"), ("a/:id", "a/%3Aid"), ("a/7", "a/:id"), ("a/*rest", "a/%2Arest"),
      ("a/%25", "a/%25"), ("a/x%3f", "a/x%3F"), ("a/%2B", "a/%2B"),
    ] {
      #expect(try links.match("gangway://\(url)")?.description == pattern, "\(url)")
    }
    #expect(try LinkPattern("a/b%2Fc").path(with: []) == "a/b%2Fc")
  }

  @Test func anEncodedPatternIsARivalOfThePlainOne() throws {
    let registry = Registry()
    try registry.register(Composed.self)
    let error = #expect(throws: RegistrationError.self) { try registry.register(Encoded.self) }
    #expect(error?.problems.first?.contains("registers the link caf%C3%A9/:other, which matches the same URLs") == true)
    #expect(LinkPattern.shapes(of: "CAF%C3%89/:other") == LinkPattern.shapes(of: "caf\u{e9}/:id"))
    let bad = #expect(throws: RegistrationError.self) { try Registry().register(BadlyEncoded.self) }
    #expect(
      bad?.problems == [
        "registers the link 'caf%C3/:id', which is not a valid pattern: its percent-escapes are not UTF-8 in 'caf%C3'"
      ])
  }

  // MARK: Equal by Unicode

  @Test func patternsThatAreEqualByUnicodeAreRivals() throws {
    let (composed, decomposed) = ("caf\u{e9}/:id", "cafe\u{301}/:other")
    let registry = Registry()
    try registry.register(Composed.self)
    let error = #expect(throws: RegistrationError.self) { try registry.register(Decomposed.self) }
    #expect(error?.problems.first?.contains("matches the same URLs as \(composed)") == true, "\(decomposed)")
    let both = #expect(throws: RegistrationError.self) { try Registry().register(Twins.self) }
    #expect(both?.problems.first?.contains("which match the same URLs") == true)
    // A URL in either form opens the link.
    for form in ["caf%C3%A9/1", "cafe%CC%81/1"] {
      #expect(try registry.links.match("gangway://\(form)")?.description == composed)
    }
  }

  private final class Composed: Plugin {
    static let id = "composed", version = "1.0.0"
    func register(in registry: Registrar) {
      registry.place("place") { (_: Int) in BendingFlow() }
      registry.link("caf\u{e9}/:id", place: "place", taking: Int.self)
    }
  }
  private final class Decomposed: Plugin {
    static let id = "decomposed", version = "1.0.0"
    func register(in registry: Registrar) {
      registry.place("place") { (_: Int) in BendingFlow() }
      registry.link("cafe\u{301}/:other", place: "place", taking: Int.self)
    }
  }
  private final class Twins: Plugin {
    static let id = "twins", version = "1.0.0"
    func register(in registry: Registrar) {
      registry.place("place") { (_: Int) in BendingFlow() }
      registry.link("caf\u{e9}/:id", place: "place", taking: Int.self)
      registry.link("cafe\u{301}/:other", place: "place", taking: Int.self)
    }
  }

  // MARK: Web addresses

  @Test func theWebAddressItselfAndCapitalsCanBeMatched() throws {
    let links = Links()
    links.origins = ["https://app.example"]
    links.add([.test(try LinkPattern("/")), .test(try LinkPattern("About/:page"))], of: "test")
    #expect(try links.match("https://app.example/")?.description == "/")
    #expect(try links.match("https://app.example")?.description == "/")
    #expect(try links.match("https://app.example/About/Us")?.description == "About/:page")
    #expect(try links.match("https://app.example/about/Us")?.description == "About/:page")
    #expect(try links.match("gangway://about/Us")?.description == "About/:page")
    // The value of a parameter is not changed.
    let url = try LinkURL("https://app.example/About/Us", links)
    #expect(try LinkPattern("About/:page").values(of: url).value("page") == "Us")
  }

  @Test func anOriginHasADefaultPortOrABasePath() throws {
    let links = Links()
    links.origins = ["https://app.example:443", "http://app.example/base/path", "https://other.example:8443/x"]
    links.add([.test(try LinkPattern("todos/:id")), .test(try LinkPattern("/"))], of: "test")
    for url in [
      "https://app.example/todos/7", "https://app.example:443/todos/7", "http://app.example/base/path/todos/7",
      "http://app.example:80/base/path/todos/7", "https://other.example:8443/x/todos/7",
    ] {
      #expect(try links.match(url)?.description == "todos/:id", "\(url)")
    }
    #expect(try links.match("http://app.example/base/path")?.description == "/")
    for url in ["http://app.example/todos/7", "https://other.example/x/todos/7", "https://app.example:8443/todos/7"] {
      #expect(throws: NavigationError(.invalidScheme, ""), "\(url)") { try links.match(url) }
    }
  }

  // MARK: Optional components

  @Test func whatStandsLastMayBeAbsentWhereThePatternSaysSo() throws {
    struct Page: Codable, Hashable, Sendable { var page: Int? }
    let links = Links()
    for pattern in ["todos/:page?", "files/*path?", "search/:page??words"] {
      links.add([.test(try LinkPattern(pattern))], of: PluginID(rawValue: pattern))
    }
    for (url, pattern) in [
      ("todos", "todos/:page?"), ("todos/2", "todos/:page?"), ("files", "files/*path?"), ("files/a/b", "files/*path?"),
      ("search?words=a", "search/:page??words"), ("search/1?words=a", "search/:page??words"),
    ] {
      #expect(try links.match("gangway://\(url)")?.description == pattern, "\(url)")
    }
    #expect(try links.match("gangway://todos/2/3") == nil)
    #expect(try decode(Page.self, "todos/:page?", "gangway://todos").page == nil)
    #expect(try decode(Page.self, "todos/:page?", "gangway://todos/2").page == 2)
    #expect(try LinkPattern("todos/:page?").path(with: []) == "todos")
    #expect(try LinkPattern("todos/:page?").path(with: [("page", "2")]) == "todos/2")
    #expect(links.rival(of: try LinkPattern("todos"), for: "another")?.contains("todos/:page?") == true)
    #expect(links.rival(of: try LinkPattern("todos/:number"), for: "another")?.contains("todos/:page?") == true)
    #expect(links.rival(of: try LinkPattern("files/*rest"), for: "another") != nil)
  }

  @Test func anAddressThatIsUnknownIsAnsweredWithTheNearestPattern() throws {
    let links = Links()
    for number in 0..<2_000 {
      links.add([.test(try LinkPattern("x\(number)/:id"))], of: PluginID(rawValue: "p\(number)"))
    }
    links.add([.test(try LinkPattern("todos/:id/details"))], of: "todos")
    #expect(links.unmatched("gangway://todo/7").message.contains("among them todos/:id/details"))
    #expect(links.unmatched("gangway://todos/7/detail").message.contains("among them todos/:id/details"))
  }

  /// Patterns that mix fixed components and parameters make a search grow with every component.
  @Test func patternsThatWouldTakeTooLongAreRefused() throws {
    let links = Links()
    var refused: String?
    for number in 0..<(1 << 12) where refused == nil {
      let components = (0..<12).map { number >> $0 & 1 == 0 ? "a" : ":p\($0)" }
      let pattern = try LinkPattern("z/" + components.joined(separator: "/"))
      refused = links.obstacle(to: pattern)
      if refused == nil { links.add([.test(pattern)], of: PluginID(rawValue: "p\(number)")) }
    }
    #expect(refused?.contains("at most 1000 are") == true)
    let url = "gangway://z/" + Array(repeating: "a", count: 12).joined(separator: "/") + "/b"
    #expect(try links.match(url) == nil)
  }

  // MARK: Payload types

  @Test func addressesDecimalsDatesAndDataArePayloads() throws {
    struct Payload: Codable, Hashable, Sendable {
      var address: URL
      var price: Decimal
      var day: Date
      var bytes: Data
      var places: [URL]
      var until: Date?
    }
    let payload = Payload(
      address: try #require(URL(string: "https://example.org/a?b=c")), price: try #require(Decimal(string: "12.50")),
      day: Date(timeIntervalSince1970: 1_700_000_000.25), bytes: Data([0, 1, 254, 255]),
      places: [try #require(URL(string: "https://example.org/1")), try #require(URL(string: "https://example.org/2"))],
      until: Date(timeIntervalSince1970: 1_800_000_000))
    let pattern = try LinkPattern("p/:price")
    let values = try LinkEncoder.values(of: payload, single: nil)
    let path = try #require(pattern.path(with: values))
    #expect(try decode(Payload.self, "p/:price", "gangway://\(path)") == payload)
    #expect(try decode(Decimal.self, "p/:price", "gangway://p/1.5") == Decimal(string: "1.5"))
    let moment = Date(timeIntervalSince1970: 1_700_000_000)
    for text in ["2023-11-14T22:13:20Z", "2023-11-15T00:13:20+02:00", "2023-11-14T22:13:20.000Z"] {
      #expect(try decode(Named<Date>.self, "p/:value", "gangway://p/\(text)").value == moment)
    }
    #expect(
      try decode(Named<Date>.self, "p/:value", "gangway://p/2023-11-14").value
        == Date(timeIntervalSince1970: 1_699_920_000))
    #expect(path.contains("day=2023-11-14T22%3A13%3A20"), "\(path)")
  }

  @Test func whatIsNoNumberDateOrDataIsRefused() {
    #expect(throws: DecodingError.self) { try decode(Named<Double>.self, "p/:value", "gangway://p/nan") }
    #expect(throws: DecodingError.self) { try decode(Named<Float>.self, "p/:value", "gangway://p/-inf") }
    #expect(throws: DecodingError.self) { try decode([Double].self, "p?value", "gangway://p?value=infinity") }
    #expect(throws: DecodingError.self) { try decode(Named<Decimal>.self, "p/:value", "gangway://p/1.5x") }
    #expect(throws: DecodingError.self) { try decode(Named<Decimal>.self, "p/:value", "gangway://p/NaN") }
    for text in [
      "yesterday", "2023-02-31", "2023-01-01T25:00:00Z", "2023-01-01T12:00:00", "2023-01-01T12:00:00Zx", "12",
    ] {
      #expect(throws: DecodingError.self, "\(text)") { try decode(Named<Date>.self, "p/:value", "gangway://p/\(text)") }
    }
    #expect(throws: DecodingError.self) { try decode(Named<Data>.self, "p/:value", "gangway://p/a-b") }
    #expect(throws: EncodingError.self) { try LinkEncoder.values(of: Named(value: Double.nan), single: nil) }
  }
}

private final class BendingFlow: StackCoordinator {
  enum Route: NavigationRoute { case home }
  let start = Route.home
  func destination(for route: Route) -> Destination { .screen { BendingHome() } }
}
private struct BendingHome: Screen { var body: some Content { Text("home") } }

private final class Encoded: Plugin {
  static let id = "encoded"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.multiStepLink("caf%C3%A9/:other") { (_: NoPayload) in LinkPlan.here }
  }
}

private final class BadlyEncoded: Plugin {
  static let id = "badly-encoded"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.multiStepLink("caf%C3/:id") { (_: NoPayload) in LinkPlan.here }
  }
}
