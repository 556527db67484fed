/// What URLs a link takes: components that are the same (`todos`), that are parameters (`:id`), or, at the end, all
/// that is left (`*path`); then the query parameters it needs (`?filter&page`). A parameter at the end, or the rest, may be
/// absent where a `?` follows it (`todos/:page?`, `files/*path?`). The pattern `/` takes a web address itself.
///
/// A URL may have several parts, with `/+/` between them, each of which matches a pattern of its own; those after the first
/// are shown on top of it.
///
/// The first component is compared without case, for it is the host of the application's own URLs; all others as they are.
/// Texts are equal as Unicode says, however their letters are composed.
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
  /// Whether the last component may be absent.
  let isLastOptional: Bool
  /// See ``shapes(of:)``.
  let shapes: [String]

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
    shapes = Self.shapes(of: text)
    let (path, mark, isLastOptional) = Self.parts(of: text)
    self.isLastOptional = isLastOptional
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
    let whole =
      path.utf8.elementsEqual("/".utf8)
      ? []
      : path.utf8.split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for bytes in whole {
      let part = Substring(bytes)
      if case .rest(let rest) = components.last {
        throw Mistake(description: "'*\(rest)' takes all that is left, so nothing can follow it")
      }
      switch part.utf8.first {
      case nil: throw Mistake(description: "a component is empty: write todos/:id, without a slash at either end")
      case UInt8(ascii: ":"): components.append(.parameter(try name(part.dropFirst())))
      case UInt8(ascii: "*"): components.append(.rest(try name(part.dropFirst())))
      default: components.append(.literal(String(part)))
      }
    }
    if isLastOptional {
      switch components.last {
      case .parameter(let name) where components.count == 1, .rest(let name) where components.count == 1:
        throw Mistake(description: "'\(name)' is all there is, so it cannot be absent: write / for the address itself")
      case .parameter, .rest: break
      case .literal(let text): throw Mistake(description: "'\(text)' is no parameter, so it cannot be absent")
      case nil: throw Mistake(description: "a ? without a name stands in it")
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

  /// The path, where the query begins, and whether the last component may be absent.
  private static func parts(of text: String) -> (path: Substring, mark: String.Index?, isLastOptional: Bool) {
    let mark = UInt8(ascii: "?")
    guard let first = text.utf8.firstIndex(of: mark) else { return (text[...], nil, false) }
    let next = text.utf8.index(after: first)
    guard next < text.endIndex else { return (text[..<first], nil, true) }
    return text.utf8[next] == mark ? (text[..<first], next, true) : (text[..<first], first, false)
  }

  /// What a pattern takes, without the names of its parameters: two patterns that have one in common take the same URLs.
  /// One whose end may be absent has two.
  ///
  /// - Parameters:
  ///   - pattern: the pattern as it was written.
  ///   - ignoringCase: whether the application compares all letters without case.
  public static func shapes(of pattern: String, ignoringCase: Bool = false) -> [String] {
    let (path, _, isLastOptional) = parts(of: pattern)
    let whole = ignoringCase ? shape(of: path).lowercased() : shape(of: path)
    guard isLastOptional, let slash = whole.utf8.lastIndex(of: UInt8(ascii: "/")) else { return [whole] }
    return [whole, String(whole[..<slash])]
  }

  private static func shape(of path: Substring) -> String {
    let isPlain = path.utf8.allSatisfy {
      $0 < 0x80 && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "*")
        && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
    if isPlain { return String(path) }
    var isFirst = true
    var isFolded = true
    var path = path
    let shape = path.withUTF8 { path in
      String(unsafeUninitializedCapacity: path.count + path.count / 2 + 1) { bytes in
        var count = 0
        var isName = false
        var isStart = true
        func add(_ byte: UInt8) {
          bytes[count] = byte
          count += 1
        }
        for byte in path {
          if byte == UInt8(ascii: "/") {
            (isName, isStart, isFirst) = (false, true, false)
          } else if isStart {
            isStart = false
            isName = byte == UInt8(ascii: ":") || byte == UInt8(ascii: "*")
            if isName { add(byte) }
          }
          guard !isName else { continue }
          if isFirst, byte >= 0x80 || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { isFolded = false }
          add(byte)
        }
        return count
      }
    }
    guard !isFolded else { return shape }
    let end = shape.firstIndex(of: "/") ?? shape.endIndex
    return shape[..<end].lowercased() + shape[end...]
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

  /// The parameters of a URL that matches.
  func values(of url: LinkURL) -> LinkValues { values(of: url.components[...], url.query) }

  /// The parameters of a part of a URL that matches: of its path, then of the query.
  func values(of path: ArraySlice<String>, _ query: [(name: String, value: String)]) -> LinkValues {
    var values = LinkValues()
    for (position, component) in components.enumerated() {
      let index = path.startIndex + position
      switch component {
      case .literal: break
      case .parameter(let name):
        if index < path.endIndex { values.path.append((name, path[index])) }
      case .rest(let name):
        if index < path.endIndex { values.path.append((name, path[index...].joined(separator: "/"))) }
      }
    }
    // What stands in the path decides, even where it is absent.
    if !query.isEmpty {
      let names = parameters
      values.query = query.filter { !names.contains($0.name) }
    }
    return values
  }

  /// The URL with these parameters, without scheme; nil where one of the path's is missing or empty.
  func path(with values: [(name: String, value: String)]) -> String? {
    var parts: [String] = []
    for (index, component) in components.enumerated() {
      switch component {
      case .literal(let text): parts.append(LinkURL.escaped(index == 0 ? text.lowercased() : text))
      case .parameter(let name), .rest(let name):
        guard let value = values.last(where: { $0.name == name })?.value, !value.isEmpty else {
          if isLastOptional, index == components.count - 1 { break }
          return nil
        }
        if case .parameter = component {
          parts.append(LinkURL.escaped(value))
        } else {
          parts += value.split(separator: "/", omittingEmptySubsequences: false).map { LinkURL.escaped(String($0)) }
        }
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

  /// All values of a name, in their order: the path's only one, or those of the query.
  func all(_ name: String) -> [String] {
    if let value = path.first(where: { $0.name == name })?.value { return [value] }
    return query.filter { $0.name == name }.map(\.value)
  }
}
