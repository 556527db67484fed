/// What URLs a link takes: components that are the same (`todos`), that are parameters (`:id`), or, at the end, all
/// that is left (`*path`); then the query parameters it needs (`?filter&page`).
///
/// Of the patterns that a URL matches the most specific one wins: compared component by component from the left, the
/// same comes before a parameter, and a parameter before the rest. Two patterns that differ only in the names of
/// parameters have equal rank, and cannot both be registered.
public struct LinkPattern: Hashable, Sendable, CustomStringConvertible {
  enum Component: Hashable, Sendable {
    case literal(String)
    case parameter(String)
    case rest(String)
  }

  /// The pattern as it was written.
  public let description: String
  let components: [Component]
  let query: [String]

  /// Why a text is no pattern.
  public struct Mistake: Error, Hashable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    public let description: String
  }

  /// Reads a pattern.
  ///
  /// - Throws: ``Mistake`` naming the component.
  public init(_ text: String) throws(Mistake) {
    description = text
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var components: [Component] = []
    var names: Set<String> = []
    func name(_ text: Substring) throws(Mistake) -> String {
      guard let first = text.first, first.isLetter, text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
        throw Mistake(description: "'\(text)' names no parameter: letters, digits and _ do, a letter first")
      }
      guard names.insert(String(text)).inserted else {
        throw Mistake(description: "the parameter '\(text)' stands in it twice")
      }
      return String(text)
    }
    for part in halves[0].split(separator: "/", omittingEmptySubsequences: false) {
      if case .rest(let rest) = components.last {
        throw Mistake(description: "'*\(rest)' takes all that is left, so nothing can follow it")
      }
      switch part.first {
      case nil: throw Mistake(description: "a component is empty: write todos/:id, without a slash at either end")
      case ":": components.append(.parameter(try name(part.dropFirst())))
      case "*": components.append(.rest(try name(part.dropFirst())))
      default:
        if components.isEmpty, part.contains(where: \.isUppercase) {
          throw Mistake(description: "'\(part)', the host, must be in lower case, for hosts are compared so")
        }
        components.append(.literal(String(part)))
      }
    }
    var query: [String] = []
    if halves.count > 1 {
      for part in halves[1].split(separator: "&", omittingEmptySubsequences: false) { query.append(try name(part)) }
    }
    self.components = components
    self.query = query
  }

  /// The pattern without the names of its parameters: equal for patterns of equal rank.
  public var shape: String {
    components.map { component in
      switch component {
      case .literal(let text): LinkURL.escaped(text)
      case .parameter: ":"
      case .rest: "*"
      }
    }.joined(separator: "/")
  }

  /// The names of the parameters in the path.
  var parameters: [String] {
    components.compactMap { component in
      switch component {
      case .literal: nil
      case .parameter(let name), .rest(let name): name
      }
    }
  }

  /// The parameters of a URL that matches: of its path, then of its query.
  func values(of url: LinkURL) -> LinkValues {
    var values = LinkValues()
    for (index, component) in components.enumerated() {
      switch component {
      case .literal: break
      case .parameter(let name): values.path.append((name, url.components[index]))
      case .rest(let name):
        values.path.append((name, url.components[index...].joined(separator: "/")))
      }
    }
    values.query = url.query
    return values
  }

  /// The URL with these parameters, without scheme; nil where one of the path's is missing or empty.
  func path(with values: [(name: String, value: String)]) -> String? {
    var parts: [String] = []
    for component in components {
      switch component {
      case .literal(let text): parts.append(LinkURL.escaped(text))
      case .parameter(let name):
        guard let value = values.last(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        parts.append(LinkURL.escaped(value))
      case .rest(let name):
        guard let value = values.last(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        parts += value.split(separator: "/", omittingEmptySubsequences: false).map { LinkURL.escaped(String($0)) }
      }
    }
    let inPath = Set(parameters)
    let rest = values.filter { !inPath.contains($0.name) }
    let declared = query.flatMap { name in rest.filter { $0.name == name } }
    let others = rest.filter { !query.contains($0.name) }
    let parameters = (declared + others).map { LinkURL.escaped($0.name) + "=" + LinkURL.escaped($0.value) }
    let needsMark = !parameters.isEmpty || !query.isEmpty
    return parts.joined(separator: "/") + (needsMark ? "?" + parameters.joined(separator: "&") : "")
  }
}

/// The parameters of a URL.
struct LinkValues {
  var path: [(name: String, value: String)] = []
  var query: [(name: String, value: String)] = []

  /// The value of a name: the path's, or the last one of the query.
  func value(_ name: String) -> String? {
    path.first { $0.name == name }?.value ?? query.last { $0.name == name }?.value
  }

  /// All values of a name, in their order.
  func all(_ name: String) -> [String] {
    (path + query).filter { $0.name == name }.map(\.value)
  }
}
