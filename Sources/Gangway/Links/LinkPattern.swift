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
    let mark = text.utf8.firstIndex(of: UInt8(ascii: "?"))
    var components: [Component] = []
    var names: Set<String> = []
    func name(_ text: Substring) throws(Mistake) -> String {
      guard Self.isName(text) else {
        throw Mistake(description: "'\(text)' names no parameter: letters, digits and _ do, a letter first")
      }
      guard names.insert(String(text)).inserted else {
        throw Mistake(description: "the parameter '\(text)' stands in it twice")
      }
      return String(text)
    }
    let path = mark.map { text[..<$0] } ?? text[...]
    for bytes in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      let part = Substring(bytes)
      if case .rest(let rest) = components.last {
        throw Mistake(description: "'*\(rest)' takes all that is left, so nothing can follow it")
      }
      switch part.utf8.first {
      case nil: throw Mistake(description: "a component is empty: write todos/:id, without a slash at either end")
      case UInt8(ascii: ":"): components.append(.parameter(try name(part.dropFirst())))
      case UInt8(ascii: "*"): components.append(.rest(try name(part.dropFirst())))
      default:
        if components.isEmpty, Self.hasUppercase(part) {
          throw Mistake(description: "'\(part)', the host, must be in lower case, for hosts are compared so")
        }
        components.append(.literal(String(part)))
      }
    }
    var query: [String] = []
    if let mark {
      let rest = text[text.utf8.index(after: mark)...]
      for part in rest.split(separator: "&", omittingEmptySubsequences: false) { query.append(try name(part)) }
    }
    self.components = components
    self.query = query
  }

  // Hosts read the patterns of hundreds of plugins when they start; what Unicode has to say of letters is asked only
  // where there are others than ASCII's.

  private static func isName(_ text: Substring) -> Bool {
    if let first = text.utf8.first, text.utf8.allSatisfy({ $0 < 0x80 }) {
      func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
      return isLetter(first)
        && text.utf8.allSatisfy {
          isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
        }
    }
    guard let first = text.first, first.isLetter else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  private static func hasUppercase(_ text: Substring) -> Bool {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return text.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
    return text.contains(where: \.isUppercase)
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

  /// The shape of a pattern that was read before, without reading it again: equal where ``shape`` is.
  public static func shape(of pattern: String) -> String {
    if !pattern.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }) {
      return pattern
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pattern.utf8.count)
    var isName = false
    var isStart = true
    for byte in pattern.utf8 {
      if byte == UInt8(ascii: "?") { break }
      if byte == UInt8(ascii: "/") {
        (isName, isStart) = (false, true)
      } else if isStart {
        isStart = false
        isName = byte == UInt8(ascii: ":") || byte == UInt8(ascii: "*")
        if isName { bytes.append(byte) }
      }
      if !isName { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
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
