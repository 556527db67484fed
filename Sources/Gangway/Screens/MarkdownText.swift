@_spi(FrontEnd) import GangwayProtocol

/// A reader of Markdown: the part of CommonMark 0.31 that a screen can show.
///
/// It reads headings with `#`, paragraphs, fenced code, quotes, nested bullet and numbered lists, and breaks. Within
/// paragraphs, it reads emphasis, strong emphasis, code, links, escapes, and `~~struck~~` text (GitHub Flavored
/// Markdown, 6.5). HTML is plain text. Blocks deeper than ``maximumLevel`` are shown at that level. The time is
/// proportional to the length of the text.
struct MarkdownText {
  /// A paragraph, or another block.
  struct Block: Equatable {
    enum Kind: Equatable {
      case heading(Int)
      case paragraph, quote, code, rule
      /// An item of a list, with its mark.
      case item(String)
    }

    var kind: Kind
    /// The depth in lists and quotes, from 0.
    var level = 0
    var text: String
  }

  /// The maximum depth of blocks.
  static let maximumLevel = 8

  let blocks: [Block]

  init(_ text: some StringProtocol) {
    var reader = BlockReader()
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) { reader.read(line) }
    blocks = reader.finish()
  }
}

/// A reader that joins lines to blocks.
private struct BlockReader {
  private var blocks: [MarkdownText.Block] = []
  private var open: MarkdownText.Block?
  /// The fence that ends the code being read, and the indentation of its lines.
  private var fence: (mark: Character, count: Int, indent: Int)?
  /// The columns where the text of the open lists' items begins.
  private var lists: [Int] = []

  mutating func read(_ line: some StringProtocol) { read(Substring(line), quotes: 0) }

  mutating func finish() -> [MarkdownText.Block] {
    close()
    return blocks
  }

  private mutating func close() {
    fence = nil
    guard var block = open else { return }
    open = nil
    if block.kind == .code {
      if block.text.hasSuffix("\n") { block.text.removeLast() }
    } else {
      while block.text.last == " " { block.text.removeLast() }
    }
    if block.text.isEmpty, case .paragraph = block.kind {
      return
    }
    blocks.append(block)
  }

  private mutating func read(_ line: Substring, quotes: Int) {
    var (rest, indent) = Self.unindented(line)
    if let fence {
      let run = rest.prefix { $0 == fence.mark }.count
      if run >= fence.count, rest.dropFirst(run).allSatisfy({ $0 == " " }) { return close() }
      open?.text += Self.dedented(line, fence.indent) + "\n"
      return
    }
    guard !rest.isEmpty else { return close() }
    var quotes = quotes
    // All marks are read in one loop, so a line is read once however many marks it has.
    while rest.first == ">" {
      quotes += 1
      (rest, indent) = Self.unindented(rest.dropFirst())
    }
    if quotes > 0 { return readQuote(rest, quotes) }
    while let last = lists.last, indent < last { lists.removeLast() }
    var level = min(lists.count, MarkdownText.maximumLevel)
    if let (mark, text) = Self.item(rest) {
      close()
      lists.append(indent + rest.count - text.count)
      open = .init(kind: .item(mark), level: level, text: String(text))
      return
    }
    if lists.isEmpty || indent > 0 { level = min(lists.count, MarkdownText.maximumLevel) }
    if startBlock(rest, level, indent) { return }
    guard var block = open else {
      open = .init(kind: .paragraph, level: level, text: String(rest))
      return
    }
    let isBroken = block.text.hasSuffix("  ") || block.text.hasSuffix("\\")
    if isBroken { Self.trim(&block.text) }
    open = nil
    block.text += (isBroken ? "\n" : " ") + rest
    open = block
  }

  private mutating func readQuote(_ rest: Substring, _ quotes: Int) {
    lists = []
    let level = min(quotes, MarkdownText.maximumLevel) - 1
    if open?.kind == .quote, open?.level == level, !rest.isEmpty {
      open?.text += " " + rest
    } else {
      close()
      if !rest.isEmpty { open = .init(kind: .quote, level: level, text: String(rest)) }
    }
  }

  /// Starts a block that its first characters identify; returns whether there is one.
  private mutating func startBlock(_ rest: Substring, _ level: Int, _ indent: Int) -> Bool {
    let marks = rest.prefix { $0 == "#" }.count
    if (1...6).contains(marks), rest.dropFirst(marks).first.map({ $0 == " " }) ?? true {
      close()
      var text = rest.dropFirst(marks).drop { $0 == " " }
      while text.last == " " || text.last == "#" { text.removeLast() }
      blocks.append(.init(kind: .heading(marks), text: String(text)))
      return true
    }
    if let mark = rest.first, mark == "`" || mark == "~" {
      let count = rest.prefix { $0 == mark }.count
      if count >= 3, mark == "~" || !rest.dropFirst(count).contains("`") {
        close()
        fence = (mark, count, indent)
        open = .init(kind: .code, level: level, text: "")
        return true
      }
    }
    if let mark = rest.first, "-*_".contains(mark), rest.allSatisfy({ $0 == mark || $0 == " " }),
      rest.lazy.filter({ $0 == mark }).count >= 3
    {
      close()
      blocks.append(.init(kind: .rule, text: ""))
      return true
    }
    return false
  }

  /// Returns the mark of a list's item, and the text after it.
  private static func item(_ rest: Substring) -> (String, Substring)? {
    guard let first = rest.first else { return nil }
    if "-*+".contains(first) {
      let text = rest.dropFirst()
      // A line of only such marks is a break.
      guard text.first == " ", !(rest.allSatisfy { $0 == first || $0 == " " }) else { return nil }
      return ("•", text.drop { $0 == " " })
    }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard (1...9).contains(digits.count) else { return nil }
    let after = rest.dropFirst(digits.count)
    guard after.first == "." || after.first == ")", after.dropFirst().first == " " else { return nil }
    return ("\(digits).", after.dropFirst(2).drop { $0 == " " })
  }

  /// Removes the spaces or the backslash at the end of a line with a break.
  private static func trim(_ text: inout String) {
    if text.hasSuffix("\\") { text.removeLast() }
    while text.last == " " { text.removeLast() }
  }

  /// Returns a line without its leading blanks, and the number of those; a tab counts as four.
  private static func unindented(_ line: Substring) -> (Substring, Int) {
    var (rest, indent) = (line, 0)
    while let first = rest.first, first == " " || first == "\t" {
      indent += first == "\t" ? 4 : 1
      rest.removeFirst()
    }
    // Two spaces at the end are a break within a paragraph; other trailing spaces mean nothing.
    let blanks = rest.reversed().prefix { $0 == " " }.count
    if blanks > 0 { rest = rest.dropLast(blanks == 1 ? 1 : blanks - 2) }
    return (rest.allSatisfy { $0 == " " } ? "" : rest, indent)
  }

  private static func dedented(_ line: Substring, _ indent: Int) -> Substring {
    line.dropFirst(min(indent, line.prefix { $0 == " " }.count))
  }
}
