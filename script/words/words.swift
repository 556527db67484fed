// Finds prose that breaks a rule of the house style: words [--strings] FILE...
// Prints `FILE:LINE: RULE: TEXT` for each finding. script/check-words says which files have prose.
import Foundation

/// A piece of prose: a paragraph, a comment, a string or a cell of a table.
struct Passage {
  var line: Int
  var text: String
}

struct Finding {
  var line: Int
  var rule: String
  var text: String
}

/// The words that only this project understood, with the words of the field.
let privateWords: [(pattern: String, instead: String)] = [
  ("(the|a|another|this|that|each|every|same|one) person('s)?", "user"), ("(some|any)body('s)?", "user"),
  ("who(m|se)?ever", "a noun"), ("put away", "parked"),
  ("(is|are|was|were|be|been|being|gets?) told", "message, notification or error"), ("mend(s|ed|ing)?", "fix"),
  ("leads? to", "open"), ("(come|comes|came) about", "happen"), ("of one's own", "a noun"),
  ("(is|are|was|were) to be", "must, should or will"), ("shall", "must or will"),
  ("(is|are|was|were|be|been) given up", "cancelled or dropped"), ("that of which", "a noun"),
  ("none of an?", "not a"), ("two of one name", "duplicate name"), ("for whom?", "a noun"), ("so many of", "a number"),
]

let openers = ["What", "Who", "Whom", "Whoever", "Whose", "Whatever", "Where there", "That which", "Of what"]

/// The most words of a sentence.
let longest = 25
/// The most columns of a line.
let widest = 120

/// The text without code, links and emphasis.
func plain(_ text: String) -> String {
  var text = text.replacing(/!?\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
  text = text.replacing(/``?[^`]+``?/, with: "Code")
  text = text.replacing(/<[^ <>]+>/, with: "")
  return text.replacing(/\*\*|__/, with: "")
}

/// The sentences of a passage: a colon and a semicolon end none, for what follows is read with what came before.
func sentences(of text: String) -> [String] {
  var parts: [String] = []
  var current = ""
  let words = plain(text).split(separator: " ")
  for word in words {
    current += current.isEmpty ? String(word) : " " + word
    let bare = word.drop { "\"'([".contains($0) }
    let isEnd = bare.contains(/[.!?]["'\)\]]*$/) && !bare.contains(/^(e\.g\.|i\.e\.|etc\.|vs\.|\.+)$/)
    if isEnd {
      parts.append(current)
      current = ""
    }
  }
  if !current.isEmpty { parts.append(current) }
  return parts
}

func wordCount(_ sentence: String) -> Int {
  sentence.split(separator: " ").count { $0.contains { $0.isLetter || $0.isNumber } }
}

nonisolated(unsafe) let privateExpressions = try privateWords.map { word in
  (try Regex("(?i)\\b(\(word.pattern))\\b"), word.instead)
}

func findings(in passage: Passage) -> [Finding] {
  var found: [Finding] = []
  for sentence in sentences(of: passage.text) {
    if !sentence.contains(/\?["'\)]*$/),
      let opener = openers.first(where: { sentence.hasPrefix($0 + " ") || sentence.hasPrefix("\"" + $0 + " ") })
    {
      found.append(Finding(line: passage.line, rule: "begins with '\(opener)'", text: sentence))
    }
    let count = wordCount(sentence)
    if count > longest {
      found.append(Finding(line: passage.line, rule: "\(count) words, at most \(longest)", text: sentence))
    }
    for (expression, instead) in privateExpressions {
      if let match = sentence.firstMatch(of: expression) {
        let word = sentence[match.range]
        found.append(Finding(line: passage.line, rule: "'\(word)'; say: \(instead)", text: sentence))
      }
    }
  }
  return found
}

// MARK: - Where prose is

/// Joins the lines of a block into passages: a blank line, an item of a list and a heading begin a new one.
struct Paragraphs {
  private(set) var passages: [Passage] = []
  private var current: Passage?

  mutating func add(_ text: Substring, line: Int) {
    let text = text.trimmingCharacters(in: .whitespaces)
    if text.isEmpty { return end() }
    if let item = text.firstMatch(of: /^([-*+]|\d+\.) +(.*)$/) {
      end()
      // `- name: text`, as documentation comments write a parameter.
      let words = String(item.2)
      let field = words.firstMatch(of: /^[a-zA-Z]+( [a-zA-Z]+)?: *(.*)$/)
      current = Passage(line: line, text: field.map { String($0.2) } ?? words)
    } else if let heading = text.firstMatch(of: /^#+ +(.*)$/) {
      end()
      current = Passage(line: line, text: String(heading.1))
      end()
    } else if current == nil {
      current = Passage(line: line, text: text)
    } else {
      current?.text += " " + text
    }
  }

  mutating func end() {
    if let current { passages.append(current) }
    current = nil
  }
}

func passagesOfMarkdown(_ lines: [Substring]) -> [Passage] {
  var paragraphs = Paragraphs()
  var cells: [Passage] = []
  var isCode = false
  for (index, line) in lines.enumerated() {
    let trimmed = line.trimmingCharacters(in: .whitespaces)
    if trimmed.hasPrefix("```") {
      isCode.toggle()
      paragraphs.end()
    } else if isCode || trimmed.hasPrefix("<") || trimmed.hasPrefix("![") {
      paragraphs.end()
    } else if trimmed.hasPrefix("|") {
      paragraphs.end()
      for cell in trimmed.split(separator: "|") {
        cells.append(Passage(line: index + 1, text: cell.trimmingCharacters(in: .whitespaces)))
      }
    } else {
      paragraphs.add(line, line: index + 1)
    }
  }
  paragraphs.end()
  return paragraphs.passages + cells
}

/// The comments of a source, and its strings where they are wanted.
func passagesOfCode(_ lines: [Substring], marker: String, strings: Bool) -> [Passage] {
  var paragraphs = Paragraphs()
  var found: [Passage] = []
  var isCode = false
  for (index, line) in lines.enumerated() {
    let trimmed = line.trimmingCharacters(in: .whitespaces)
    let isComment = trimmed.hasPrefix(marker) && !trimmed.hasPrefix("#!")
    if isComment {
      let text = trimmed.drop { $0 == marker.last }.drop { $0 == " " }
      if text.hasPrefix("```") {
        isCode.toggle()
        paragraphs.end()
      } else if isCode || text.hasPrefix("MARK:") || text.hasPrefix("swift-") || text.hasPrefix("shellcheck") {
        paragraphs.end()
      } else {
        paragraphs.add(Substring(text), line: index + 1)
      }
      continue
    }
    isCode = false
    paragraphs.end()
    guard strings else { continue }
    found += stringsOfSwift(String(line)).map { Passage(line: index + 1, text: $0) }
  }
  paragraphs.end()
  return paragraphs.passages + found
}

/// The literals of a line that are prose: three words or more. An interpolation counts as one word.
func stringsOfSwift(_ line: String) -> [String] {
  var found: [String] = []
  var rest = line[...]
  while let start = rest.firstIndex(of: "\"") {
    rest = rest[rest.index(after: start)...]
    var literal = ""
    var depth = 0
    while let character = rest.first {
      rest = rest.dropFirst()
      if depth > 0 {
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
      } else if character == "\\" {
        if rest.first == "(" {
          depth = 1
          literal += "X"
        }
        rest = rest.dropFirst()
      } else if character == "\"" {
        break
      } else {
        literal.append(character)
      }
    }
    if literal.contains(/[A-Za-z]+ [A-Za-z]+ [A-Za-z]+/) { found.append(literal) }
  }
  return found
}

// MARK: - The command

var arguments = CommandLine.arguments.dropFirst()
let strings = arguments.first == "--strings"
if strings { arguments = arguments.dropFirst() }
for file in arguments {
  guard let content = try? String(contentsOfFile: file, encoding: .utf8) else {
    FileHandle.standardError.write(Data("\(file) cannot be read.\n".utf8))
    exit(1)
  }
  let lines = content.split(separator: "\n", omittingEmptySubsequences: false)
  let name = file.split(separator: "/").last ?? ""
  let passages =
    switch name.split(separator: ".").last {
    case "md": passagesOfMarkdown(lines)
    case "swift", "js", "css": passagesOfCode(lines, marker: "//", strings: strings)
    default: passagesOfCode(lines, marker: "#", strings: false)
    }
  var all = passages.flatMap(findings)
  // Other languages have long lines of code that their own tools break, or do not.
  let isChecked = name.hasSuffix(".md") || name.hasSuffix(".swift")
  for (index, line) in lines.enumerated() where line.count > widest {
    let trimmed = line.trimmingCharacters(in: .whitespaces)
    if !isChecked, !trimmed.hasPrefix("//"), !trimmed.hasPrefix("#"), !trimmed.hasPrefix("*") { continue }
    // Rows of tables and addresses cannot be broken.
    if trimmed.hasPrefix("|") || !trimmed.contains(" ") || trimmed.contains(/https?:\/\/\S{40,}/) { continue }
    all.append(Finding(line: index + 1, rule: "\(line.count) columns, at most \(widest)", text: trimmed))
  }
  for finding in all.sorted(by: { $0.line < $1.line }) {
    print("\(file):\(finding.line): \(finding.rule): \(finding.text.prefix(160))")
  }
}
