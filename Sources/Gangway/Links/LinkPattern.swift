/// A pattern that defines the URLs of a link.
///
/// A component of the path is a literal (`todos`), a parameter (`:id`) or, at the end, the rest of the path (`*path`).
/// The query parameters that the link needs follow (`?filter&page`). A parameter or rest at the end may be absent if a
/// `?` follows it (`todos/:page?`, `files/*path?`). The pattern `/` matches a web address itself.
///
/// A literal may be percent-encoded: `caf%C3%A9` and `café` match the same URLs. An escaped character stands for
/// itself, so `%3Aid` is the literal text `:id`.
///
/// A URL may have several parts, separated by `/+/`. Each part matches a pattern of its own. The other parts are shown
/// on top of the first.
///
/// The first component ignores case, because it is the host in the application's own URLs. By default, all other
/// components are case-sensitive. Texts are equal if Unicode defines them as equal, however their letters are composed.
///
/// If a URL matches several patterns, the most specific pattern wins. The comparison runs component by component from
/// the left. A literal comes before a parameter, and a parameter before the rest. Two patterns that differ only in the
/// names of parameters have equal rank, and cannot both be registered.
@_spi(FrontEnd) public struct LinkPattern: Hashable, Sendable, CustomStringConvertible {
  enum Component: Hashable, Sendable {
    case literal(String)
    case parameter(String)
    case rest(String)
  }

  /// The pattern as the plugin wrote it.
  public let description: String
  let components: [Component]
  let query: [String]
  /// Whether the last component may be absent.
  let isLastOptional: Bool
  /// The shapes of the pattern; see ``shapes(of:ignoringCase:)``.
  let shapes: [String]

  /// The reason why a text is not a pattern.
  public struct Mistake: Error, Hashable, CustomStringConvertible {
    /// The mistake, and how to fix it.
    public let description: String
  }

  /// Parses a pattern.
  ///
  /// - Throws: ``Mistake`` that names the component.
  package init(_ text: String) throws(Mistake) {
    description = text
    shapes = Self.shapes(of: text)
    let (path, mark, isLastOptional) = Self.parts(of: text)
    self.isLastOptional = isLastOptional
    var components: [Component] = []
    var names: Set<String> = []
    func name(_ text: Substring) throws(Mistake) -> String {
      guard Self.isName(text) else {
        throw Mistake(
          description: "'\(text)' is not a parameter name: use letters, digits and _, beginning with a letter")
      }
      guard names.insert(String(text)).inserted else {
        throw Mistake(description: "the parameter '\(text)' occurs twice")
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
        throw Mistake(description: "'*\(rest)' matches the rest of the path, so nothing can follow it")
      }
      switch part.utf8.first {
      case nil: throw Mistake(description: "a component is empty: write todos/:id, without a slash at either end")
      case UInt8(ascii: ":"): components.append(.parameter(try name(part.dropFirst())))
      case UInt8(ascii: "*"): components.append(.rest(try name(part.dropFirst())))
      default: components.append(.literal(try Self.literal(part)))
      }
    }
    if isLastOptional {
      switch components.last {
      case .parameter(let name) where components.count == 1, .rest(let name) where components.count == 1:
        throw Mistake(
          description: "'\(name)' is the whole pattern, so it cannot be optional: write / to match URLs without a path")
      case .parameter, .rest: break
      case .literal(let text): throw Mistake(description: "'\(text)' is not a parameter, so it cannot be optional")
      case nil: throw Mistake(description: "it has a ? without a name")
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

  /// Returns the text of a literal component, whose percent-escapes are decoded once.
  private static func literal(_ part: Substring) throws(Mistake) -> String {
    guard part.utf8.contains(UInt8(ascii: "%")) else { return String(part) }
    do {
      return try LinkURL.unescaped(part)
    } catch {
      throw Mistake(description: "\((error as? LinkURL.Mistake)?.reason ?? "\(error)") in '\(part)'")
    }
  }

  // Hosts parse the patterns of hundreds of plugins at startup. Unicode properties of letters are needed only for text
  // beyond ASCII.

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

  /// Returns the path, the start of the query, and whether the last component may be absent.
  private static func parts(of text: String) -> (path: Substring, mark: String.Index?, isLastOptional: Bool) {
    let mark = UInt8(ascii: "?")
    guard let first = text.utf8.firstIndex(of: mark) else { return (text[...], nil, false) }
    let next = text.utf8.index(after: first)
    guard next < text.endIndex else { return (text[..<first], nil, true) }
    return text.utf8[next] == mark ? (text[..<first], next, true) : (text[..<first], first, false)
  }

  /// Returns the shapes of a pattern: its path without the names of the parameters.
  ///
  /// Two patterns that have a shape in common match the same URLs. A pattern whose end may be absent has two shapes.
  ///
  /// - Parameters:
  ///   - pattern: the pattern as the plugin wrote it.
  ///   - ignoringCase: whether the application ignores case in all components.
  public static func shapes(of pattern: String, ignoringCase: Bool = false) -> [String] {
    let (path, _, isLastOptional) = parts(of: pattern)
    let whole = ignoringCase ? shape(of: path).lowercased() : shape(of: path)
    guard isLastOptional, let slash = whole.utf8.lastIndex(of: UInt8(ascii: "/")) else { return [whole] }
    return [whole, String(whole[..<slash])]
  }

  private static func shape(of path: Substring) -> String {
    let isPlain = path.utf8.allSatisfy {
      $0 < 0x80 && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "*") && $0 != UInt8(ascii: "%")
        && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
    if isPlain { return String(path) }
    var isFirst = true
    var isFolded = true
    var path = path.utf8.contains(UInt8(ascii: "%")) ? plain(path) : path
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

  /// Returns a path with only those percent-escapes that the syntax of patterns needs.
  private static func plain(_ path: Substring) -> Substring {
    let components = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { bytes in
      let component = Substring(bytes)
      guard let first = bytes.first, first != UInt8(ascii: ":"), first != UInt8(ascii: "*"),
        let text = try? literal(component)
      else { return component }
      var plain = text.replacing("%", with: "%25").replacing("/", with: "%2F")[...]
      if let first = plain.utf8.first, first == UInt8(ascii: ":") || first == UInt8(ascii: "*") {
        plain = (first == UInt8(ascii: ":") ? "%3A" : "%2A") + plain.dropFirst()
      }
      return plain
    }
    return Substring(components.joined(separator: "/"))
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

  /// Returns the parameters of a URL that matches the pattern.
  func values(of url: LinkURL) -> LinkValues { values(of: url.components[...], url.query) }

  /// Returns the parameters of a part of a URL that matches: those of its path and those of the query.
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
    // A parameter of the path hides query parameters with its name, even if the URL's path lacks it.
    if !query.isEmpty {
      let names = parameters
      values.query = query.filter { !names.contains($0.name) }
    }
    return values
  }

  /// Returns the URL with these parameters, without its scheme; nil if a required path parameter is missing or empty.
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

  /// Returns the value of a name in the path, or else the last value in the query.
  func value(_ name: String) -> String? {
    path.first { $0.name == name }?.value ?? query.last { $0.name == name }?.value
  }

  /// Returns all values of a name in their order: the only value in the path, or else those in the query.
  func all(_ name: String) -> [String] {
    if let value = path.first(where: { $0.name == name })?.value { return [value] }
    return query.filter { $0.name == name }.map(\.value)
  }
}
