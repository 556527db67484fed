@_spi(FrontEnd) import GangwayProtocol

/// The limit on the size of a screen.
///
/// A larger screen is replaced by a message and not sent to front ends.
///
/// The user's own input does not count, because they must be able to see it and shorten it.
enum ScreenSize {
  /// The maximum size of all elements of a screen in a message, in bytes.
  static let maximum = 1 << 20

  /// Returns the replacement of a screen that is too large, and the message to its author; nil for other screens.
  static func refusal(of elements: [Element]) -> (shown: Element, problem: String)? {
    // The estimate is much faster than encoding, and a little too low.
    guard elements.roughLength > maximum / 2 else { return nil }
    let length = Self.length(of: elements)
    guard length > maximum else { return nil }
    let (element, part) = blamed(in: elements)
    let name =
      element.label.isEmpty
      ? "the \(element.kind.rawValue) #\(element.id)"
      : "'\(element.label.prefix(80))' (\(element.kind.rawValue) #\(element.id))"
    var shown = Element(
      id: "gangway.oversized", kind: .banner, label: "This screen is too large to show.", role: .problem)
    shown.detail = "Most of it is in \(name)."
    return (
      shown,
      "The screen has \(length) bytes, \(part) of them in \(name); the maximum is \(maximum). "
        + "Use a List or Table with a collection: it sends only the visible rows."
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

  /// Returns the element with most of the screen: the smallest that has more than half of its container.
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
  /// The approximate size in a message, in bytes: long parts are counted, and the rest is estimated.
  fileprivate var roughLength: Int {
    var length = 0
    visit { element in
      length += 60 + element.id.rawValue.utf8.count + element.label.utf8.count
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
  /// The approximate size of the attributes that may be long, in bytes.
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
