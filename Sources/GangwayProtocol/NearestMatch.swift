/// Finds the word that the user probably meant.
@_spi(FrontEnd) public enum NearestMatch {
  /// Returns the candidate with the smallest edit distance, if it is small enough for a typing mistake.
  public static func of(_ word: String, among candidates: [String]) -> String? {
    let limit = limit(for: word)
    let ranked = candidates.map { ($0, distance(word.lowercased(), $0.lowercased())) }
    return ranked.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
  }

  /// The largest distance of a typing mistake in a word.
  fileprivate static func limit(for word: String) -> Int { max(2, word.count / 3) }

  /// Returns the Levenshtein distance: the insertions, deletions and substitutions that turn one word into the other.
  static func distance(_ first: String, _ second: String) -> Int {
    // Most names are ASCII, whose bytes are compared much faster.
    if first.utf8.allSatisfy({ $0 < 0x80 }), second.utf8.allSatisfy({ $0 < 0x80 }) {
      return distance(first.utf8, Array(second.utf8))
    }
    return distance(first, Array(second))
  }

  private static func distance<Letters: Sequence>(_ first: Letters, _ target: [Letters.Element]) -> Int
  where Letters.Element: Equatable {
    var row = Array(0...target.count)
    for (line, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in target.indices {
        let substituted = diagonal + (letter == target[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
      }
    }
    return row[target.count]
  }
}

extension NearestMatch {
  /// Many words to find the nearest one in, without a comparison with each.
  package struct Words: Sendable {
    private struct Word: Sendable {
      let text: String
      let letters: Letters?
    }

    /// The number of letters of an ASCII word, and a set of them in which some letters share a bit.
    private struct Letters: Sendable {
      let count: Int
      var bits: UInt64 = 0

      init?(_ word: String) {
        count = word.utf8.count
        for letter in word.utf8 {
          guard letter < 0x80 else { return nil }
          bits |= 1 << UInt64(letter & 63)
        }
      }

      /// Returns whether the words may have at most this edit distance.
      func isNear(_ other: Letters, _ limit: Int) -> Bool {
        // An edit removes at most one letter and adds at most one.
        abs(count - other.count) <= limit && (bits ^ other.bits).nonzeroBitCount <= 2 * limit
      }
    }

    private var words: [Word] = []

    /// The maximum number of words that are compared letter by letter, which takes 0.05 ms.
    ///
    /// With more words that have almost the same letters, a suggestion is not worth a wait.
    private static let comparisons = 200

    /// Makes an empty collection.
    package init() {}

    /// Adds a word.
    package mutating func append(_ text: String) {
      words.append(Word(text: text, letters: Letters(text.lowercased())))
    }

    /// Returns the word with the smallest edit distance, as ``NearestMatch/of(_:among:)`` does for sorted candidates.
    package func nearest(to word: String) -> String? {
      let word = word.lowercased()
      let limit = NearestMatch.limit(for: word)
      let letters = Letters(word)
      var best: (distance: Int, text: String)?
      var left = Self.comparisons
      for candidate in words where left > 0 {
        if let letters, let others = candidate.letters, !letters.isNear(others, limit) { continue }
        left -= 1
        let distance = NearestMatch.distance(word, candidate.text.lowercased())
        guard distance <= limit else { continue }
        if let best, (best.distance, best.text) < (distance, candidate.text) { continue }
        best = (distance, candidate.text)
      }
      return best?.text
    }
  }
}
