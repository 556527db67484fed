import FoundationEssentials
@_spi(FrontEnd) import GangwayProtocol

/// The framework's own words on a page, in one language.
///
/// Each language has a file beside this one. An owner's file can add a language, or change single words.
struct PageWords: Hashable, Sendable {
  /// A word or sentence; some have placeholders in braces.
  enum Key: String, CaseIterable {
    case skip, enter, messages, tabs, innerTabs, path, back, close, undo, save, actions, required, chart, values
    case sending, scriptsForFiles, cell, emptyCell, markedCell, welcome, opening, copy
    // The rows that a list does not show, the separator between groups of digits, and the ways to the ends.
    case rowsAbove, rowsBelow, groups, toEnd, toBeginning
    // The answers to files that a browser sends.
    case fileOverLimit, fileScreenChanged, fileNotStored, filesTooMany
    // The messages of the script in the page.
    case copied, selected, reconnecting, connectionLost, sessionGone, notStored, fileTooLarge, fileNotSent, textLost,
      textKept

    /// Whether the script in the page shows the text.
    var isOfScript: Bool {
      switch self {
      case .copied, .selected, .reconnecting, .connectionLost, .sessionGone, .notStored, .fileTooLarge, .fileNotSent,
        .textLost, .textKept:
        true
      default: false
      }
    }
  }

  /// The mistake in a file of words.
  struct Mistake: Error, CustomStringConvertible { let description: String }

  private var texts: [Key: String]

  private init(_ texts: [Key: String]) { self.texts = texts }

  static let english = builtIn(PackageResources.en_json)
  private static let others = [
    "ar": builtIn(PackageResources.ar_json), "de": builtIn(PackageResources.de_json),
    "fr": builtIn(PackageResources.fr_json),
  ]
  /// The languages with a file of their own, by their tags.
  static let languages = ["en"] + others.keys.sorted()

  /// Returns the words of a language; English if the language has no file.
  static func of(_ language: PageLanguage) -> PageWords {
    let primary = language.tag.lowercased().prefix { $0 != "-" }
    return others[String(primary)] ?? english
  }

  private static func builtIn(_ file: [UInt8]) -> PageWords {
    do {
      return PageWords(try read(file))
    } catch {
      preconditionFailure("A file with the texts of a language is damaged in this build: \(error)")
    }
  }

  subscript(key: Key) -> String { texts[key] ?? Self.english.texts[key] ?? "" }

  /// Returns a text with values in place of its placeholders.
  func text(_ key: Key, _ values: [String: String]) -> String {
    self[key].replacing(/\{(\w+)\}/) { values[String($0.1)] ?? String($0.0) }
  }

  /// Changes the words that an owner's file has; the others stay.
  ///
  /// - Throws: ``Mistake`` if the file is not a JSON object of texts, has an unknown key, or lacks a placeholder.
  mutating func apply(_ file: [UInt8]) throws(Mistake) { texts.merge(try Self.read(file)) { $1 } }

  private static func read(_ file: [UInt8]) throws(Mistake) -> [Key: String] {
    let read: [String: String]
    do {
      read = try JSONDecoder().decode([String: String].self, from: Data(file))
    } catch {
      throw Mistake(description: Words.Operator.notWords)
    }
    var texts: [Key: String] = [:]
    for (name, text) in read.sorted(by: { $0.key < $1.key }) {
      guard let key = Key(rawValue: name) else {
        let known = Key.allCases.map(\.rawValue)
        throw Mistake(
          description: Words.Operator.unknownWord(name, nearest: NearestMatch.of(name, among: known), known: known))
      }
      let (wanted, given) = (placeholders(key), Set(text.matches(of: /\{\w+\}/).map { String($0.0) }))
      guard wanted == given else {
        throw Mistake(
          description: Words.Operator.otherPlaceholders(name, wanted: wanted.sorted(), given: given.sorted()))
      }
      texts[key] = text
    }
    return texts
  }

  private static func placeholders(_ key: Key) -> Set<String> {
    switch key {
    case .cell: ["{row}", "{column}", "{text}"]
    case .markedCell: ["{cell}"]
    case .textKept: ["{label}"]
    case .fileOverLimit: ["{limit}"]
    case .rowsAbove, .rowsBelow: ["{count}"]
    default: []
    }
  }

  /// The line that gives the script of the page its texts; empty for English, which the script has itself.
  var script: String {
    guard self != Self.english else { return "" }
    let own = Key.allCases.filter(\.isOfScript).map { ($0.rawValue, self[$0]) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = (try? encoder.encode(Dictionary(uniqueKeysWithValues: own))) ?? Data("{}".utf8)
    return "globalThis.gangwayWords = \(String(decoding: json, as: UTF8.self))\n"
  }
}

extension PageWords {
  /// Returns the label of a cell in a grid.
  func cell(row: Int, column: Int, text: String, isMarked: Bool) -> String {
    let cell = self.text(
      .cell, ["row": "\(row)", "column": "\(column)", "text": text.isEmpty ? self[.emptyCell] : text])
    return isMarked ? self.text(.markedCell, ["cell": cell]) : cell
  }

  /// Returns the answer to a file with more bytes than a limit.
  func fileOverLimit(_ limit: Int) -> String { text(.fileOverLimit, ["limit": FileSize.text(limit)]) }

  /// Returns the text about the rows before or after those that a list shows.
  func rows(_ key: Key, _ count: Int) -> String { text(key, ["count": count.grouped(by: self[.groups])]) }
}
