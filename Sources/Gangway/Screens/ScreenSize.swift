import GangwayProtocol

/// How much an author may put on a screen: more is not sent to front ends, but refused in its place.
///
/// What a person typed does not count: they must be able to see it, and to make it shorter.
enum ScreenSize {
  /// The most that all elements of a screen may take in a message, in bytes.
  static let maximum = 1 << 20

  /// What is shown in the place of a screen that has too much in it, and what its author is told; nil where it has not.
  static func refusal(of elements: [Element]) -> (shown: Element, problem: String)? {
    // Counting is much faster than encoding, and a little less than that.
    guard elements.roughLength > maximum / 2 else { return nil }
    let length = Self.length(of: elements)
    guard length > maximum else { return nil }
    let (element, part) = blamed(in: elements)
    let name =
      element.label.isEmpty
      ? "the \(element.kind.rawValue) #\(element.id)"
      : "'\(element.label.prefix(80))' (\(element.kind.rawValue) #\(element.id))"
    var shown = Element(
      id: "gangway.oversized", kind: .banner, label: "This screen has more in it than can be shown.", role: .problem)
    shown.detail = "Most of it is in \(name)."
    return (
      shown,
      "The screen has \(length) bytes in it, of which \(part) are \(name), and at most \(maximum) are shown. "
        + "Give it less: a list or table of a collection has only the rows in it that are in sight."
    )
  }

  private static func length(of elements: [Element]) -> Int {
    func untyped(_ element: Element) -> Element {
      var element = element
      if element.kind.isEdited { element.value = nil }
      element.children = element.children.map(untyped)
      return element
    }
    return (try? Line.encode(elements.map(untyped)).count) ?? 0
  }

  /// The element that most of the screen is in: the smallest that has more than half of what contains it.
  private static func blamed(in elements: [Element]) -> (element: Element, length: Int) {
    var (found, length) = (Element(id: "", kind: .section), Int.max)
    var inside = elements
    while let largest = inside.max(by: { [$0].roughLength < [$1].roughLength }) {
      let size = Self.length(of: [largest])
      guard length == .max || size > length / 2 else { break }
      (found, length, inside) = (largest, size, largest.children)
    }
    return (found, length)
  }
}

extension [Element] {
  /// About how many bytes they take in a message: what is long in them is counted, the rest guessed.
  fileprivate var roughLength: Int {
    var length = 0
    visit { element in
      length += 60 + element.id.utf8.count + element.label.utf8.count
      if !element.kind.isEdited { length += element.value?.utf8.count ?? 0 }
      length += element.detail?.utf8.count ?? 0
      for option in element.options { length += 30 + option.id.utf8.count + option.title.utf8.count }
      for row in element.cells { for cell in row { length += 30 + cell.text.utf8.count } }
      length += element.lengthOfAttributes
    }
    return length
  }
}

extension Element {
  /// About how many bytes the attributes take of which there may be much.
  fileprivate var lengthOfAttributes: Int {
    guard hasAttributes else { return 0 }
    var length = self.image?.base64.utf8.count ?? 0
    for text in (self.selection ?? []) + (self.keys ?? []) + (self.lines ?? []) { length += 4 + text.utf8.count }
    for run in self.runs ?? [] { length += 30 + run.text.utf8.count + (run.url?.utf8.count ?? 0) }
    for path in self.paths ?? [] { length += 30 + path.d.utf8.count }
    for series in self.chart?.series ?? [] { length += 10 * series.values.count }
    for label in self.chart?.labels ?? [] { length += 4 + label.utf8.count }
    for text in [self.badge, self.help, self.problem, self.symbol] { length += text?.utf8.count ?? 0 }
    return length
  }
}
