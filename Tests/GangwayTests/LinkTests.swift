@_spi(FrontEnd) import GangwayProtocol
import FoundationEssentials
@_spi(FrontEnd) @testable import Gangway
@_spi(FrontEnd) @testable import GangwayTesting
import Testing

@MainActor @Suite struct LinkTests {
  private func castle() async throws -> FlowTester<RootCoordinator> {
    try await FlowTester(plugins: [Castle.self, Lodge.self])
  }

  @Test(arguments: [
    ("gangway://halls", "Gate"), ("GANGWAY://HALLS", "Gate"), ("gangway://halls/", "Gate"),
    ("gangway://halls/7", "Gate > Hall"), ("gangway://halls/search?q=a%20b&page=3", "Gate > Search"),
    ("gangway://halls/search?page=3&q=x&q=last&unknown=1", "Gate > Search"),
    ("gangway://halls/secret", "Gate > Secret"),
    ("gangway://towers/north/rooms/%E2%98%83", "Yard > Stair > Room"), ("gangway://tour", "Gate > Hall > Chamber"),
    ("gangway://halls/7#fragment", "Gate > Hall"),
  ])
  func aURLLeadsWhereItsPatternSays(_ url: String, _ path: String) async throws {
    let flow = try await castle()
    try await flow.open(url)
    #expect(flow.presentation.path.map(\.title).joined(separator: " > ") == path)
  }

  @Test func parametersReachTheRouteTyped() async throws {
    let flow = try await castle()
    try await flow.open("gangway://halls/search?q=a%20b&q=caf%C3%A9&page=3")
    #expect(flow.screen.contains("This is search(\"café\", page: 3)"))
    // An absent parameter is nil. A plus is a plus.
    try await flow.open("gangway://halls/search?q=1+1")
    #expect(flow.screen.contains("This is search(\"1+1\", page: 1)"))
  }

  @Test(arguments: [
    ("", NavigationError.Code.malformedURL), ("halls/7", .malformedURL), ("gangway://halls/%zz", .malformedURL),
    ("gangway://halls/%C3", .malformedURL), ("gangway://halls/a b", .malformedURL),
    ("gangway://me@halls/7", .malformedURL),
    ("gangway://halls/%4", .malformedURL), ("http://halls/7", .invalidScheme), ("gangway://", .unknownURL),
    ("gangway:halls", .unknownURL), ("gangway:///halls", .unknownURL), ("gangway://moat", .unmatchedLink),
    ("gangway://halls/7/8", .unmatchedLink), ("gangway://halls//7", .unmatchedLink),
    ("gangway://halls/search", .missingQueryString), ("gangway://halls/seven", .payload),
    ("gangway://halls/search?page=3", .payload), ("gangway://halls/search?q=a&page=x", .payload),
    ("gangway://broken-tour", .payload),
  ])
  func aURLThatLeadsNowhereIsATypedErrorAndChangesNothing(_ url: String, _ code: NavigationError.Code) async throws {
    let flow = try await castle()
    try await flow.open("gangway://halls/1")
    let before = flow.checkpoint
    let error = await #expect(throws: NavigationError.self) { try await flow.session.open(url) }
    #expect(error?.code == code, "\(error?.message ?? "")")
    #expect(flow.checkpoint == before)
  }

  @Test func aMegabyteIsRefusedWithoutBeingRead() async throws {
    let flow = try await castle()
    let url = "gangway://halls/" + String(repeating: "7", count: 1_048_576)
    let error = await #expect(throws: NavigationError.self) { try await flow.session.open(url) }
    #expect(error?.message.hasSuffix("has 1048592 bytes; the maximum is 65536.") == true)
  }

  @Test func theMistakeIsNamedWithItsPlace() async throws {
    let flow = try await castle()
    let error = await #expect(throws: NavigationError.self) { try await flow.session.open("gangway://halls/%zz") }
    #expect(
      error?.message
        == "'gangway://halls/%zz' is not a URL: '%zz' is not a percent-escape: two hexadecimal digits must follow %, "
        + "at byte 17.")
    let payload = await #expect(throws: NavigationError.self) { try await flow.session.open("gangway://halls/seven") }
    #expect(
      payload?.message
        == "gangway://halls/seven matches halls/:number of the plugin castle, but does not fit HallLink: "
        + "'seven' for the component 'number' is not a whole number (Int).")
    #expect(payload?.personMessage == "The link is incomplete or has a mistake.")
  }

  @Test(arguments: UInt64(1)...20) func theMostSpecificPatternWins(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let links = Links()
    let patterns = ["a/:x/c", "a/b/:y", "a/b/c", "a/*rest", ":any/b/c", "a/b/c/d?q"]
    for pattern in patterns.shuffled(using: &random) { links.add([.test(try LinkPattern(pattern))], of: "test") }
    for (url, pattern) in [
      ("a/b/c", "a/b/c"), ("a/b/z", "a/b/:y"), ("a/z/c", "a/:x/c"), ("a/z/z", "a/*rest"), ("z/b/c", ":any/b/c"),
      ("a/b/c/d", "a/b/c/d?q"), ("a/b/c/e", "a/*rest"), ("a/z", "a/*rest"),
    ] {
      #expect(try links.match("gangway://\(url)")?.description == pattern)
    }
    #expect(try links.match("gangway://a") == nil)
  }

  @Test func twoLinksOfOneShapeAreARegistrationErrorNamingBoth() throws {
    let registry = Registry()
    try registry.register(Castle.self)
    let error = #expect(throws: RegistrationError.self) { try registry.register(Rival.self) }
    #expect(
      error?.problems == [
        "registers the link halls/:other, which matches the same URLs as halls/:number of the plugin castle",
        "registers the links rival/:a and rival/:b, which match the same URLs",
        "registers the link rival/route to a route, but no tab of the plugin has a stack with routes of this type; "
          + "register such a tab",
        "registers the link rival/tab to the tab rival.nowhere, but does not register that tab",
      ])
    #expect(registry.links.all.allSatisfy { $0.plugin == "castle" })
  }

  @Test(arguments: [
    ("", "a component is empty"), ("/a", "a component is empty"), ("a//b", "a component is empty"),
    ("a/*rest/b", "nothing can follow it"), ("a/:x/:x", "occurs twice"), ("a/:", "is not a parameter name"),
    ("a/:1", "is not a parameter name"), ("a?q&q", "occurs twice"), ("a?", "is not a parameter"),
    (":a?", "is the whole pattern"),
    ("a/%zz", "'%zz' is not a percent-escape: two hexadecimal digits must follow %"), ("a%", "is not a percent-escape"),
    ("caf%E9/x", "its percent-escapes are not UTF-8 in 'caf%E9'"), ("/?", "without a name"),
    ("a/:x??", "is not a parameter name"),
  ])
  func aPatternThatIsNoneSaysWhy(_ pattern: String, _ reason: String) {
    let mistake = #expect(throws: LinkPattern.Mistake.self) { try LinkPattern(pattern) }
    #expect(mistake?.description.contains(reason) == true)
  }

  @Test func whatIsThereStays() async throws {
    let flow = try await castle()
    try await flow.open("gangway://halls/7")
    let before = flow.checkpoint
    try await flow.open("gangway://halls/7")
    #expect(flow.checkpoint == before)
    try await flow.open("gangway://tour")
    try await flow.open("gangway://halls/1")
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Hall"])
  }

  @Test func aLinkAcrossPluginsIsOneTransaction() async throws {
    let flow = try await castle()
    try await flow.open("gangway://towers/north/rooms/12")
    let (revision, commits) = (flow.presentation.revision, flow.history.count)
    try await flow.open("gangway://tour")
    #expect(flow.history.count == commits + 1)
    #expect(flow.presentation.revision == revision + 1)
    #expect(flow.screen.hasSuffix("Number 7"))
  }

  @Test func aLinkThatFailsOnItsWayNamesTheStep() async throws {
    let flow = try await castle()
    let error = await #expect(throws: NavigationError.self) { try await flow.session.open("gangway://broken-tour") }
    #expect(
      error?.message.hasPrefix(
        #"Step 3 of the plan, show lodge.room("seven"), failed: lodge.room takes Int, but was given "seven""#) == true)
  }

  @Test(arguments: ["gangway://halls", "gangway://halls/7", "gangway://halls/secret"])
  func aURLMadeFromTheTreeLeadsBack(_ url: String) async throws {
    let flow = try await castle()
    try await flow.open(url)
    #expect(flow.url == url)
  }

  @Test func aPlaceThatNoLinkLeadsToHasNoURL() async throws {
    let flow = try await castle()
    try await flow.open("gangway://tour")
    #expect(flow.url == nil)
  }

  /// URL → payload → URL for random payloads, with the tree in between.
  @Test func everyPayloadSurvivesTheWayThroughAURL() async throws {
    var random = SplitMix(seed: 7)
    let links = Links()
    let pattern = try LinkPattern("x/:name/:number?flag&list")
    for _ in 0..<500 {
      let payload = Everything.random(&random)
      let values = try LinkEncoder.values(of: payload, single: nil)
      let url = try #require(pattern.path(with: values).map { "gangway://\($0)" })
      let parsed = try LinkURL(url, links)
      #expect(try Everything(from: LinkDecoder(values: pattern.values(of: parsed))) == payload, "\(url)")
    }
    let flow = try await castle()
    for _ in 0..<20 {
      let number = Int.random(in: Int.min...Int.max, using: &random)
      try await flow.open("gangway://halls/\(number)")
      let tree = flow.tree
      let url = try #require(flow.url)
      try await flow.open("gangway://halls")
      try await flow.open(url)
      #expect(flow.presentation.path.count == 2)
      #expect(flow.screen.contains("This is hall(\(number))"))
      #expect(flow.tree == tree)
    }
  }

  @Test func webAddressesAreTheApplicationsTooWhereItSaysSo() throws {
    let registry = Registry()
    try registry.register(Castle.self)
    registry.links.origins = ["https://castle.example"]
    #expect(try registry.links.match("https://castle.example/halls/7")?.description == "halls/:number")
    #expect(try registry.links.match("HTTPS://Castle.Example/halls/7")?.description == "halls/:number")
    #expect(throws: NavigationError(.invalidScheme, "")) { try registry.links.match("https://moat.example/halls/7") }
  }

  @Test func aLinkToAPlaceShowsItOnTopOfWhatIsSeen() async throws {
    let flow = try await castle()
    try await flow.open("gangway://halls/7")
    try await flow.open("gangway://sign-in")
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Hall", "Form"])
  }

  @Test func aModalGivesWayToALink() async throws {
    let flow = try await castle()
    try await #require(flow.session.router(of: Halls.self)).show(.sheet)
    try await flow.settle()
    try await flow.open("gangway://halls/7")
    #expect(flow.presentation.layers.count == 1)
    #expect(flow.presentation.path.map(\.title) == ["Gate", "Hall"])
  }
}

/// A payload with every type that a URL can hold.
private struct Everything: Codable, Equatable {
  enum Kind: String, Codable, CaseIterable { case small, large = "very large" }
  let name: String
  let number: Int
  let flag: Bool
  let share: Double
  let byte: UInt8?
  let kind: Kind
  let list: [String]?

  static func random(_ random: inout SplitMix) -> Everything {
    let letters = Array("aZ09 /?#%&=+:äß☃🏰~._-'\"\\")
    func text(_ range: ClosedRange<Int>) -> String {
      String((0..<Int.random(in: range, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
    }
    let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in text(0...5) }
    return Everything(
      name: text(1...12), number: .random(in: Int.min...Int.max, using: &random), flag: .random(using: &random),
      share: .random(in: -1e9...1e9, using: &random), byte: .random(using: &random) ? nil : 200,
      kind: Kind.allCases.randomElement(using: &random) ?? .small, list: items.isEmpty ? nil : items)
  }
}

/// A random number generator with the same numbers each time.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension LinkRegistration {
  @MainActor static func test(_ pattern: LinkPattern) -> LinkRegistration {
    LinkRegistration(
      pattern: pattern, plugin: "test", payload: "", home: LinkHome([]), target: .any, plan: .atOnce { _ in .root },
      values: { _ in nil })
  }
}

final class Rival: Plugin {
  static let id = "rival"
  static let version = "1.0.0"
  func register(in registry: Registrar) {
    registry.multiStepLink("halls/:other") { (_: NoPayload) in LinkPlan.here }
    registry.multiStepLink("rival/:a") { (_: NoPayload) in LinkPlan.here }
    registry.multiStepLink("rival/:b") { (_: NoPayload) in LinkPlan.here }
    registry.link("rival/route", to: Cellar.Route.stairs)
    registry.link("rival/tab", tab: "nowhere")
  }
}
