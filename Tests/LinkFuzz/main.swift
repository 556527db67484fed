// Makes URLs from patterns and types, changes their form, and checks that the decoded values are those of the path:
// script/check-fuzz.
//   link-fuzz COUNT SEED
import Foundation

enum Size: String, Codable, CaseIterable { case small, large, huge }
struct Token: Codable, Hashable {
  let text: String
  init(text: String) { self.text = text }
  init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
struct One<Value: Codable & Hashable>: Codable, Hashable { var value: Value }
struct Two<First: Codable & Hashable, Second: Codable & Hashable>: Codable, Hashable {
  var first: First
  var second: Second
  var more: [Int]?
}

var random = Generator(state: 1)
let letters = Array("aZ09-._~ éÉß☃😀/?&=#%:+*@e\u{301}İ")

@MainActor func word(_ range: ClosedRange<Int> = 1...8) -> String {
  let text = String(
    (0..<Int.random(in: range, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
  return text.isEmpty && range.lowerBound > 0 ? "x" : text
}
@MainActor func number() -> Int {
  Bool.random(using: &random) ? Int.random(in: -9...99, using: &random) : Int(truncatingIfNeeded: random.next())
}
@MainActor func decimal() -> Decimal {
  Decimal(string: "\(Int32(truncatingIfNeeded: random.next())).\(UInt16(truncatingIfNeeded: random.next()))") ?? 0
}
@MainActor func moment() -> Date {
  Date(timeIntervalSince1970: Double(Int.random(in: -2_000_000_000...4_000_000_000, using: &random)))
}
@MainActor func address() -> URL {
  URL(string: "https://example.org/\(UInt16(truncatingIfNeeded: random.next()))?a=b&c=d#e") ?? URL(fileURLWithPath: "/")
}
@MainActor func bytes() -> Data {
  Data((0..<Int.random(in: 1...12, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
}
@MainActor func uuid() -> UUID {
  UUID(
    uuidString: String(
      format: "%08X-0000-4000-8000-%012X", UInt32(truncatingIfNeeded: random.next()),
      Int(UInt32(truncatingIfNeeded: random.next())))) ?? UUID()
}

/// A wrong result of a URL that matched a pattern.
struct Finding: Error { let what: String }

/// A pattern with a type: URLs of random payloads, and the condition for a URL that matches.
@MainActor struct Kind {
  let pattern: LinkPattern
  /// Makes a URL without its scheme, with a check that an equivalent URL decodes to the same payload.
  let make: @MainActor () throws -> (path: String, isSame: (LinkValues) throws -> Bool)
  /// Returns whether values with names of the path are decoded as from the path alone.
  let holds: (LinkValues) throws -> Bool
}

@MainActor func kind<Payload: Codable & Hashable>(_ text: String, _ payload: @escaping @MainActor () -> Payload) -> Kind
{
  guard let pattern = try? LinkPattern(text) else { fatalError("\(text) is no pattern") }
  let single = pattern.parameters.count == 1 ? pattern.parameters.first : nil
  func inPath(_ values: [(name: String, value: String)]) -> [String] {
    pattern.parameters.map { name in values.filter { $0.name == name }.map(\.value).joined(separator: "\u{0}") }
  }
  return Kind(
    pattern: pattern,
    make: {
      let payload = payload()
      guard let path = pattern.path(with: try LinkEncoder.values(of: payload, single: single)) else {
        throw Finding(what: "no address of \(payload)")
      }
      return (path, { try LinkDecoder.decode(Payload.self, from: $0) == payload })
    },
    holds: { values in
      let whole = try LinkDecoder.decode(Payload.self, from: values)
      // Keep only the query items without a name of the path.
      var bare = values
      bare.query.removeAll { item in values.path.contains { $0.name == item.name } }
      let plain = try LinkDecoder.decode(Payload.self, from: bare)
      let (said, meant) = (
        try LinkEncoder.values(of: whole, single: single), try LinkEncoder.values(of: plain, single: single)
      )
      return whole == plain && inPath(said) == inPath(meant)
    })
}

let kinds: [Kind] = [
  kind("int/:value") { One(value: number()) }, kind("single/:id") { number() },
  kind("text/:value") { One(value: word()) },
  kind("uuid/:value") { One(value: uuid()) },
  kind("size/:value") { One(value: Size.allCases.randomElement(using: &random)) },
  kind("size/:value/fixed") { One(value: Size.allCases.randomElement(using: &random) ?? .small) },
  kind("token/:value") { One(value: Token(text: word())) }, kind("list/:value") { One(value: [number()]) },
  kind("tokens/:first/of/:second?more") {
    Two(
      first: Token(text: word()), second: Size.allCases.randomElement(using: &random) ?? .small,
      more: [number(), number()])
  },
  kind("flag/:value") { One(value: Bool.random(using: &random)) },
  kind("double/:value") { One(value: Double.random(in: -1e9...1e9, using: &random)) },
  kind("decimal/:value") { One(value: decimal()) }, kind("date/:value") { One(value: moment()) },
  kind("address/:value") { One(value: address()) }, kind("data/:value") { One(value: bytes()) },
  kind("map/:value") { ["value": word(), "other": word()] }, kind("Café/:value") { One(value: word()) },
  kind("late/:value?") { One<Int?>(value: Bool.random(using: &random) ? number() : nil) },
  kind("rest/*value") {
    One(value: [word(), word()].map { $0.replacingOccurrences(of: "/", with: "") + "x" }.joined(separator: "/"))
  },
  kind("two/:first/:second?more") {
    Two(first: number(), second: word(), more: Bool.random(using: &random) ? [1] : nil)
  },
]

let links = Links()
links.origins = ["https://app.example/base"]
links.add(
  kinds.map { kind in
    LinkRegistration(
      pattern: kind.pattern, plugin: "fuzz", payload: "", home: LinkHome([]), target: .any,
      plan: .atOnce { _ in .root },
      values: { _ in nil })
  }, of: "fuzz")

// MARK: Bending

@MainActor func escape(_ text: String, all: Bool) -> String {
  text.utf8.map { byte in
    let isPlain = byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
    if isPlain, !all || Bool.random(using: &random) { return String(UnicodeScalar(byte)) }
    return String(format: Bool.random(using: &random) ? "%%%02X" : "%%%02x", byte)
  }.joined()
}

/// Returns an equivalent URL in another form.
@MainActor func bend(_ path: String, _ pattern: LinkPattern) -> String {
  let mark = path.firstIndex(of: "?")
  var parts = (mark.map { path[..<$0] } ?? path[...]).split(separator: "/", omittingEmptySubsequences: false).map(
    String.init)
  var query = mark.map { path[path.index(after: $0)...].split(separator: "&").map(String.init) } ?? []
  for index in parts.indices {
    guard let plain = parts[index].removingPercentEncoding else { continue }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: parts[index] = escape(plain, all: true)
    case 1: parts[index] = escape(plain.decomposedStringWithCanonicalMapping, all: false)
    case 2: parts[index] = escape(plain.precomposedStringWithCanonicalMapping, all: false)
    default: break
    }
  }
  // Query items with a name of the path.
  for name in pattern.parameters where Bool.random(using: &random) {
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let value = [word(0...6), "large", "1", "true", "\(uuid())"].randomElement(using: &random) ?? ""
      query.insert(
        "\(escape(name, all: Bool.random(using: &random)))=\(escape(value, all: false))",
        at: Int.random(in: 0...query.count, using: &random))
    }
  }
  if parts.count > pattern.components.count - 1, Bool.random(using: &random) {
    query.insert(
      "unknown\(Int.random(in: 0..<9, using: &random))=\(escape(word(0...4), all: false))",
      at: Int.random(in: 0...query.count, using: &random))
    if pattern.description.hasPrefix("map") { query.removeAll { $0.hasPrefix("unknown") } }
  }
  if Bool.random(using: &random) { query.insert("", at: Int.random(in: 0...query.count, using: &random)) }
  var text = parts.joined(separator: "/")
  if Int.random(in: 0..<4, using: &random) == 0 { text += "/" }
  if !query.isEmpty { text += "?" + query.joined(separator: "&") }
  if Int.random(in: 0..<4, using: &random) == 0 { text += "#" + escape(word(), all: false) }
  let first = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
  let isOrigin = Int.random(in: 0..<4, using: &random) == 0
  // The host and the first component are compared without case.
  let rest = text.dropFirst(first.count)
  let head = Bool.random(using: &random) ? String(first) : first.contains("%") ? String(first) : first.uppercased()
  let beginning =
    isOrigin
    ? ["https://app.example/base/", "HTTPS://App.Example:443/base/"].randomElement(using: &random) ?? ""
    : ["gangway://", "GangWay://"].randomElement(using: &random) ?? ""
  return beginning + head + rest
}

/// Returns a URL with some changed bytes, which may mean anything.
@MainActor func damage(_ url: String) -> String {
  var bytes = Array(url.utf8)
  for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
    let index = Int.random(in: bytes.indices, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.remove(at: index)
    case 1: bytes.insert(Array("/?&=#%:@+.-\u{7f} 0aZ".utf8).randomElement(using: &random) ?? 0, at: index)
    case 2: bytes[index] = UInt8(truncatingIfNeeded: random.next())
    default: bytes.insert(contentsOf: bytes[index...].prefix(Int.random(in: 0...40, using: &random)), at: index)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[1]), let seed = UInt64(arguments[2]) else {
  print("Usage: link-fuzz COUNT SEED")
  exit(64)
}
random = Generator(state: seed)
let byPattern = Dictionary(kinds.map { ($0.pattern.description, $0) }, uniquingKeysWith: { first, _ in first })
var (same, other, nowhere, refused, slowest) = (0, 0, 0, 0, Duration.zero)

@MainActor func fail(_ url: String, _ why: String) -> Never {
  print("seed \(seed): \(url)\n  \(why)")
  exit(1)
}

for number in 0..<count {
  guard let kind = kinds.randomElement(using: &random) else { break }
  let path: String
  let isSame: (LinkValues) throws -> Bool
  do { (path, isSame) = try kind.make() } catch { fail(kind.pattern.description, "\(error)") }
  let bent = bend(path, kind.pattern)
  let isBroken = number % 3 == 0
  let url = isBroken ? damage(bent) : bent
  // The machine is shared, so repeat a slow match.
  var taken = Duration.seconds(1)
  for _ in 0..<3 where taken > .milliseconds(1) {
    let start = ContinuousClock.now
    _ = try? links.match(url)
    taken = ContinuousClock.now - start
  }
  slowest = max(slowest, taken)
  if taken > .milliseconds(1) { fail(url, "it took \(taken)") }
  do {
    guard let pattern = try links.match(url) else {
      if !isBroken { fail(url, "it should match \(kind.pattern), and matches nothing") }
      nowhere += 1
      continue
    }
    guard let found = byPattern[pattern.description] else {
      fail(url, "it matches \(pattern), which nobody registered")
    }
    let values = pattern.values(of: try LinkURL(url, links))
    if !isBroken {
      guard pattern == kind.pattern else { fail(url, "it should match \(kind.pattern), and matches \(pattern)") }
      guard try isSame(values) else { fail(url, "what is decoded is not what \(path) says") }
      same += 1
    } else {
      guard try found.holds(values) else { fail(url, "what is decoded is not what the path says") }
      other += 1
    }
  } catch {
    if !isBroken { fail(url, "\(error), where \(path) was meant") }
    refused += 1
  }
}
print(
  "\(count) addresses, seed \(seed): \(same) said the same, \(other) something else, \(nowhere) nothing, "
    + "\(refused) were refused; the slowest took \(slowest)")
