/// A lookup of an element by name: by label, by `LABEL #2`, or by `#id`. Tests, scripts and users at a prompt name
/// elements this way.
@_spi(FrontEnd) public struct ElementLookup: Sendable {
  /// The reason why no element was found.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name, the visible elements, and the nearest match.
    public var description: String
    /// Whether several elements or rows match.
    let isAmbiguous: Bool

    init(description: String, isAmbiguous: Bool = false) {
      self.description = description
      self.isAmbiguous = isAmbiguous
    }
  }

  private let name: String
  private let kinds: Set<Element.Kind>

  /// Makes a lookup of an element with this name and one of these kinds.
  public init(_ name: String, kinds: Set<Element.Kind>) {
    self.name = name
    self.kinds = kinds
  }

  /// Returns the one matching element of the presentation.
  ///
  /// - Throws: ``Failure`` if none or several match. It lists the names that would match.
  public func find(in presentation: Presentation) throws -> Element {
    let candidates = presentation.reachable.filter { kinds.contains($0.kind) }
    let byLabel = candidates.filter { $0.label == name }
    if byLabel.count == 1 { return byLabel[0] }
    if byLabel.count > 1 {
      throw Failure(
        description: "'\(name)' is ambiguous: \(byLabel.count) elements have that label. Use "
          + byLabel.enumerated().map { "'\(name) #\($0 + 1)' (id #\($1.id))" }.joined(separator: " or ") + ".",
        isAmbiguous: true)
    }
    if name.hasPrefix("#"), let element = candidates.first(where: { $0.id.rawValue == name.dropFirst() }) {
      return element
    }
    if let (label, index) = numbered {
      let same = candidates.filter { $0.label == label }
      if same.indices.contains(index - 1) { return same[index - 1] }
      if !same.isEmpty {
        let count = same.count == 1 ? "1 element" : "\(same.count) elements"
        throw Failure(description: "'\(label)' matches \(count), so there is no #\(index).")
      }
    }
    throw Failure(description: explanation(presentation, candidates))
  }

  /// The two parts of `LABEL #2`.
  private var numbered: (String, Int)? {
    guard let mark = name.lastIndex(of: "#"), mark > name.startIndex, let index = Int(name[name.index(after: mark)...]),
      name[name.index(before: mark)] == " "
    else { return nil }
    return (String(name[..<name.index(before: mark)]), index)
  }

  private func explanation(_ presentation: Presentation, _ candidates: [Element]) -> String {
    if let other = presentation.reachable.first(where: { $0.label == name || "#\($0.id)" == name }) {
      return "The \(other.kind.rawValue) '\(name)' does not support this action. "
        + "Elements that do: \(Self.list(candidates.map(\.nameForLookup)))."
    }
    let labels = candidates.map(\.nameForLookup)
    let nearest = NearestMatch.of(name, among: labels).map { " Did you mean '\($0)'?" } ?? ""
    return
      "There is no '\(name)' on the screen.\(nearest) Visible: \(Self.list(labels)).\(presentation.textOnHiddenRows)"
  }

  private static func list(_ labels: [String]) -> String {
    labels.isEmpty ? "none" : labels.map { "'\($0)'" }.joined(separator: ", ")
  }
}

extension Element {
  /// The name of the element: its label or, without one, its id.
  fileprivate var nameForLookup: String { label.isEmpty ? "#\(id)" : label }
}
