@_spi(FrontEnd) import GangwayProtocol

/// A reader of the inline content of a Markdown paragraph: emphasis, code and links, as runs of uniform text.
///
/// The algorithm is the one for delimiter runs in the appendix of CommonMark 0.31, with one stack. It visits each
/// character a bounded number of times.
struct MarkdownRuns {
  private enum Token {
    case text(String)
    case code(String)
    case mark(Character, count: Int, opens: Bool, closes: Bool)
    case style(Element.Run.Style, begins: Bool)
    case link(String?)
  }

  /// The schemes that can run code; their links stay plain text.
  private static let refused: Set<String> = ["javascript", "data", "vbscript", "file"]
  /// The maximum length of a URL, in characters.
  private static let maximumURL = 2000

  private let characters: [Character]
  private var at = 0
  private var tokens: [Token] = []
  private var text = ""
  /// The place up to which no run of this number of backticks ends code, so no place is searched twice.
  private var withoutCode: [Int: Int] = [:]
  /// The place up to which no address ends.
  private var withoutAddress = 0
  /// The indices of tokens that are opening brackets.
  private var brackets: [Int] = []

  /// Returns the runs of a paragraph.
  static func of(_ text: String) -> [Element.Run] {
    var reader = MarkdownRuns(Array(text))
    reader.split()
    return Self.merged(Self.matched(reader.tokens))
  }

  private init(_ characters: [Character]) { self.characters = characters }

  private mutating func flush() {
    if !text.isEmpty { tokens.append(.text(text)) }
    text = ""
  }

  // MARK: Tokens

  private mutating func split() {
    while at < characters.count {
      let character = characters[at]
      switch character {
      case "\\" where at + 1 < characters.count && Self.isPunctuation(characters[at + 1]):
        text.append(characters[at + 1])
        at += 2
      case "`": splitCode()
      case "*", "_", "~": splitMarks(character)
      case "[":
        flush()
        brackets.append(tokens.count)
        tokens.append(.text("["))
        at += 1
      case "]": splitLink()
      case "<": splitAddress()
      default:
        text.append(character)
        at += 1
      }
    }
    flush()
  }

  private func run(of character: Character, from start: Int) -> Int {
    var end = start
    while end < characters.count, characters[end] == character { end += 1 }
    return end - start
  }

  private mutating func splitCode() {
    let count = run(of: "`", from: at)
    var end = max(at + count, withoutCode[count] ?? 0)
    while end < characters.count {
      guard characters[end] == "`" else {
        end += 1
        continue
      }
      let closing = run(of: "`", from: end)
      if closing == count {
        flush()
        var code = String(characters[at + count..<end])
        if code.hasPrefix(" "), code.hasSuffix(" "), code.count > 2 { code = String(code.dropFirst().dropLast()) }
        tokens.append(.code(code))
        at = end + closing
        return
      }
      end += closing
    }
    withoutCode[count] = end
    text += String(repeating: "`", count: count)
    at += count
  }

  private mutating func splitMarks(_ mark: Character) {
    let count = run(of: mark, from: at)
    let before = at > 0 ? characters[at - 1] : " "
    let after = at + count < characters.count ? characters[at + count] : " "
    let isLeft =
      !after.isWhitespace && (!Self.isPunctuation(after) || before.isWhitespace || Self.isPunctuation(before))
    let isRight =
      !before.isWhitespace && (!Self.isPunctuation(before) || after.isWhitespace || Self.isPunctuation(after))
    let opens = mark == "_" ? isLeft && (!isRight || Self.isPunctuation(before)) : isLeft
    let closes = mark == "_" ? isRight && (!isLeft || Self.isPunctuation(after)) : isRight
    flush()
    at += count
    if mark == "~", count != 2 {
      tokens.append(.text(String(repeating: "~", count: count)))
    } else {
      tokens.append(.mark(mark, count: count, opens: opens, closes: closes))
    }
  }

  private mutating func splitLink() {
    at += 1
    guard let open = brackets.popLast(), at < characters.count, characters[at] == "(" else {
      text += "]"
      return
    }
    var end = at + 1
    var depth = 0
    let limit = min(characters.count, end + Self.maximumURL)
    while end < limit, characters[end] != ")" || depth > 0, !"[]<".contains(characters[end]) {
      depth += characters[end] == "(" ? 1 : characters[end] == ")" ? -1 : 0
      end += 1
    }
    let inside = String(characters[min(at + 1, characters.count)..<end])
    let url = String(inside.prefix { !$0.isWhitespace })
    guard end < limit, characters[end] == ")", !url.isEmpty, Self.isAllowed(url) else {
      text += "]"
      return
    }
    flush()
    tokens[open] = .link(url)
    tokens.append(.link(nil))
    // A link cannot contain another link.
    brackets = []
    at = end + 1
  }

  /// Reads `<https://…>`.
  private mutating func splitAddress() {
    var end = max(at + 1, withoutAddress)
    while end < characters.count, characters[end] != ">", !characters[end].isWhitespace { end += 1 }
    let isClosed = end < characters.count && characters[end] == ">"
    if !isClosed { withoutAddress = end }
    let url = isClosed && end - at <= Self.maximumURL ? String(characters[at + 1..<end]) : ""
    guard url.contains(":"), Self.isAllowed(url) else {
      text += "<"
      at += 1
      return
    }
    flush()
    tokens += [.link(url), .text(url), .link(nil)]
    at = end + 1
  }

  private static func isAllowed(_ url: String) -> Bool {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    return url.contains(":") && !scheme.isEmpty && !refused.contains(scheme)
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
      && url.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f }
  }

  private static func isPunctuation(_ character: Character) -> Bool {
    character.isPunctuation || character.isSymbol
  }

  // MARK: Emphasis

  /// Returns the tokens with marks turned into styles or text.
  private static func matched(_ tokens: [Token]) -> [Token] {
    /// The replacement of each token: styles that begin after it, and styles that end before it.
    var inserted: [Int: [Token]] = [:]
    var left: [Int: Int] = [:]
    var stack: [(index: Int, mark: Character)] = []
    var waiting: [Character: Int] = [:]
    for (index, token) in tokens.enumerated() {
      guard case .mark(let mark, let count, let opens, let closes) = token else { continue }
      left[index] = count
      while closes, (left[index] ?? 0) > 0, (waiting[mark] ?? 0) > 0 {
        while let top = stack.last, top.mark != mark {
          stack.removeLast()
          waiting[top.mark, default: 1] -= 1
        }
        guard let opener = stack.last, let open = left[opener.index], let close = left[index] else { break }
        let used = min(2, min(open, close))
        let style: Element.Run.Style = mark == "~" ? .struck : used == 2 ? .bold : .italic
        inserted[opener.index, default: []].append(.style(style, begins: true))
        inserted[index, default: []].append(.style(style, begins: false))
        left[opener.index] = open - used
        left[index] = close - used
        if open == used {
          stack.removeLast()
          waiting[mark, default: 1] -= 1
        }
      }
      if opens, (left[index] ?? 0) > 0 {
        stack.append((index, mark))
        waiting[mark, default: 0] += 1
      }
    }
    return tokens.enumerated().flatMap { index, token -> [Token] in
      guard case .mark(let mark, _, _, _) = token else { return [token] }
      let rest = left[index] ?? 0
      return (rest > 0 ? [.text(String(repeating: mark, count: rest))] : []) + (inserted[index] ?? [])
    }
  }

  private static func merged(_ tokens: [Token]) -> [Element.Run] {
    var runs: [Element.Run] = []
    var depth: [Element.Run.Style: Int] = [:]
    var url: String?
    func add(_ text: String, isCode: Bool) {
      let styles = [Element.Run.Style.bold, .italic, .struck].filter { (depth[$0] ?? 0) > 0 } + (isCode ? [.code] : [])
      let run = Element.Run(text, styles, url: url)
      if let last = runs.last, last.styles == run.styles, last.url == run.url {
        runs[runs.count - 1].text += text
      } else {
        runs.append(run)
      }
    }
    for token in tokens {
      switch token {
      case .text(let text): add(text, isCode: false)
      case .code(let text): add(text, isCode: true)
      case .mark(let mark, let count, _, _): add(String(repeating: mark, count: count), isCode: false)
      case .style(let style, let begins): depth[style, default: 0] += begins ? 1 : -1
      case .link(let to): url = to
      }
    }
    return runs
  }
}
