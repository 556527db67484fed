/// How a test, a script or a person at a prompt names an element: by label, by `LABEL #2`, or by `#id`.
public struct ElementLookup: Sendable {
  /// Why an element was not found.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was looked for, what is visible, and the nearest match.
    public var description: String
    init(description: String) { self.description = description }
  }

  private let name: String
  private let kinds: Set<Element.Kind>

  /// Looks for an element of one of these kinds; `verb` is what the caller wants to do, for the message.
  public init(_ name: String, kinds: Set<Element.Kind>) {
    self.name = name
    self.kinds = kinds
  }

  /// The one element of the presentation that is meant.
  ///
  /// - Throws: ``Failure`` when none or several match; it lists what would.
  public func find(in presentation: Presentation) throws -> Element {
    let candidates = presentation.reachable.filter { kinds.contains($0.kind) }
    let byLabel = candidates.filter { $0.label == name }
    if byLabel.count == 1 { return byLabel[0] }
    if byLabel.count > 1 {
      throw Failure(
        description: "'\(name)' is ambiguous: \(byLabel.count) elements have that label. Say "
          + byLabel.enumerated().map { "'\(name) #\($0 + 1)' (id #\($1.id))" }.joined(separator: " or ") + ".")
    }
    if name.hasPrefix("#"), let element = candidates.first(where: { $0.id == name.dropFirst() }) { return element }
    if let (label, index) = numbered {
      let same = candidates.filter { $0.label == label }
      if same.indices.contains(index - 1) { return same[index - 1] }
      if !same.isEmpty {
        throw Failure(description: "'\(label)' matches \(same.count) elements, so there is no #\(index).")
      }
    }
    throw Failure(description: explanation(presentation, candidates))
  }

  /// `LABEL #2` as its two parts.
  private var numbered: (String, Int)? {
    guard let mark = name.lastIndex(of: "#"), mark > name.startIndex, let index = Int(name[name.index(after: mark)...]),
      name[name.index(before: mark)] == " "
    else { return nil }
    return (String(name[..<name.index(before: mark)]), index)
  }

  private func explanation(_ presentation: Presentation, _ candidates: [Element]) -> String {
    if let other = presentation.reachable.first(where: { $0.label == name || "#\($0.id)" == name }) {
      return "'\(name)' is a \(other.kind.rawValue), which does not take that. "
        + "Those that do: \(Self.list(candidates.map(\.nameForLookup)))."
    }
    let labels = candidates.map(\.nameForLookup)
    let nearest = NearestMatch.of(name, among: labels).map { " Did you mean '\($0)'?" } ?? ""
    return
      "There is no '\(name)' on the screen.\(nearest) Visible: \(Self.list(labels)).\(presentation.textOnHiddenRows)"
  }

  private static func list(_ labels: [String]) -> String {
    labels.isEmpty ? "nothing" : labels.map { "'\($0)'" }.joined(separator: ", ")
  }
}

extension Element {
  /// How it is named: by its label or, where it has none, by its id.
  fileprivate var nameForLookup: String { label.isEmpty ? "#\(id)" : label }
}

/// Finds the word a person probably meant.
public enum NearestMatch {
  /// The candidate with the smallest edit distance, if it is close enough to be a slip.
  public static func of(_ word: String, among candidates: [String]) -> String? {
    let limit = max(2, word.count / 3)
    let ranked = candidates.map { ($0, distance(word.lowercased(), $0.lowercased())) }
    return ranked.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
  }

  /// The Levenshtein distance: insertions, deletions and substitutions that turn one word into the other.
  static func distance(_ first: String, _ second: String) -> Int {
    let target = Array(second)
    var row = Array(0...target.count)
    for (line, character) in first.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in target.indices {
        let substituted = diagonal + (character == target[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
      }
    }
    return row[target.count]
  }
}
