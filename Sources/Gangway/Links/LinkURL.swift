/// A URL, parsed for matching, with percent-decoded components and parameters.
///
/// The syntax is that of RFC 3986. A `+` stands for itself, and the fragment is dropped.
struct LinkURL {
  /// The maximum length of a URL, in bytes.
  static let maximumLength = 65_536

  /// The components of the path, after the host if the scheme is one of the application's own.
  private(set) var components: [String] = []
  /// The indices of the components at which the parts after the first begin.
  private(set) var breaks: [Int] = []
  /// The range of components of each part; `/+/` separates the parts.
  var parts: [Range<Int>] {
    guard !breaks.isEmpty else { return [0..<components.count] }
    return zip([0] + breaks, breaks + [components.count]).map { $0..<$1 }
  }
  /// The query parameters in their order.
  private(set) var query: [(name: String, value: String)] = []
  /// Whether the first component is in the form that is compared, in lower case, as a host always is.
  private(set) var isFirstFolded = true
  /// Whether the URL has a `?`.
  private(set) var hasQuery = false

  /// Parses a URL.
  ///
  /// - Throws: `malformedURL` with the position of the mistake, `invalidScheme`, or `unknownURL` if there is no host.
  @MainActor init(_ text: String, _ links: Links) throws {
    guard text.utf8.count <= Self.maximumLength else {
      throw NavigationError(
        .urlTooLong(beginning: "\(text.prefix(40))", bytes: text.utf8.count, limit: Self.maximumLength))
    }
    var copy = text
    do {
      try copy.withUTF8 { try parse($0, links) }
    } catch let error as Mistake {
      throw NavigationError(
        .malformedURL(url: "\(text.prefix(200))", why: error.reason, byte: error.offset + 1))
    }
  }

  struct Mistake: Error {
    let reason: String
    let offset: Int
  }

  @MainActor private mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ links: Links) throws {
    guard !bytes.isEmpty else { throw Mistake(reason: "it is empty", offset: 0) }
    for (offset, byte) in bytes.enumerated() where byte <= 0x20 || byte == 0x7f {
      throw Mistake(reason: "it contains a blank or a control character", offset: offset)
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
      throw Mistake(reason: "it has no scheme, such as \(links.schemes.first ?? "gangway")://", offset: 0)
    }
    let scheme = Self.lowercased(bytes[..<colon])
    var position = colon + 1
    let isHierarchical =
      bytes.count >= position + 2 && bytes[position] == UInt8(ascii: "/")
      && bytes[position + 1] == UInt8(ascii: "/")
    let authorityStart = isHierarchical ? position + 2 : position
    let authorityEnd = isHierarchical ? Self.end(of: authorityStart, bytes, path: false) : position
    let host = Self.lowercased(bytes[authorityStart..<authorityEnd])
    let isOwn = links.schemes.contains(scheme)
    let isOrigin = !links.origins.isEmpty && links.base(of: scheme, host, nil) != nil
    guard isOrigin || isOwn else { throw Self.foreign(scheme, links) }
    guard !host.isEmpty else {
      throw NavigationError(.noHost(scheme: scheme))
    }
    // Almost no host has this byte, and a search for the character takes much longer.
    guard !host.utf8.contains(UInt8(ascii: "@")) || !host.contains("@") else {
      throw Mistake(reason: "it has a user name before the host", offset: authorityStart)
    }
    position = authorityEnd
    let pathEnd = Self.end(of: position, bytes, path: true)
    if isOrigin {
      try parsePath(bytes, position..<pathEnd)
      if let base = links.base(of: scheme, host, components) {
        components.removeFirst(base)
        breaks = breaks.map { $0 - base }.filter { $0 > 0 }
        isFirstFolded = false
      } else if isOwn {
        components.insert(try Self.decoded(bytes, authorityStart..<authorityEnd, lowercase: true), at: 0)
        breaks = breaks.map { $0 + 1 }
      } else {
        throw Self.foreign(scheme, links)
      }
    } else {
      components.append(try Self.decoded(bytes, authorityStart..<authorityEnd, lowercase: true))
      try parsePath(bytes, position..<pathEnd)
    }
    guard pathEnd < bytes.count, bytes[pathEnd] == UInt8(ascii: "?") else { return }
    hasQuery = true
    let queryEnd = bytes[pathEnd...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    try parseQuery(bytes, pathEnd + 1..<queryEnd)
  }

  @MainActor private static func foreign(_ scheme: String, _ links: Links) -> NavigationError {
    NavigationError(.invalidScheme(scheme: scheme, known: (links.schemes + links.origins).joined(separator: ", ")))
  }

  private mutating func parsePath(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) throws {
    var start = range.lowerBound
    while start < range.upperBound {
      start += 1
      let end = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? range.upperBound
      // A slash at the end has no meaning.
      if start == range.upperBound { return }
      // A `+` between two components begins another part. At the start of a part or at the end of the path, it is a
      // component like any other.
      if end == start + 1, bytes[start] == UInt8(ascii: "+"), end + 1 < range.upperBound,
        (breaks.last ?? 0) < components.count
      {
        breaks.append(components.count)
        start = end
        continue
      }
      components.append(try Self.decoded(bytes, start..<end))
      start = end
    }
  }

  private mutating func parseQuery(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) throws {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "&")) ?? range.upperBound
      if start < end {
        let mark = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
        query.append((try Self.decoded(bytes, start..<mark), try Self.decoded(bytes, min(mark + 1, end)..<end)))
      }
      start = end + 1
    }
  }

  /// Returns the end of the authority or path that begins at an index.
  private static func end(of start: Int, _ bytes: UnsafeBufferPointer<UInt8>, path: Bool) -> Int {
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || (!path && byte == UInt8(ascii: "/")) { break }
      position += 1
    }
    return position
  }

  private static func lowercased(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let isLower = bytes.allSatisfy { !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    let text = String(decoding: bytes, as: UTF8.self)
    return isLower ? text : text.lowercased()
  }

  private static func decoded(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, lowercase: Bool = false
  ) throws -> String {
    let slice = bytes[range]
    guard slice.contains(UInt8(ascii: "%")) else {
      return lowercase ? lowercased(slice) : String(decoding: slice, as: UTF8.self)
    }
    var plain: [UInt8] = []
    plain.reserveCapacity(range.count)
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = bytes[position]
      guard byte == UInt8(ascii: "%") else {
        plain.append(byte)
        position += 1
        continue
      }
      guard position + 2 < range.upperBound, let high = hex(bytes[position + 1]), let low = hex(bytes[position + 2])
      else {
        let end = min(position + 3, range.upperBound)
        let text = String(decoding: bytes[position..<end], as: UTF8.self)
        throw Mistake(
          reason: "'\(text)' is not a percent-escape: two hexadecimal digits must follow %", offset: position)
      }
      plain.append(high << 4 | low)
      position += 3
    }
    guard let text = String(validating: plain, as: UTF8.self) else {
      throw Mistake(reason: "its percent-escapes are not UTF-8", offset: range.lowerBound)
    }
    return lowercase ? text.lowercased() : text
  }

  /// Returns a component of a pattern without its percent-escapes.
  ///
  /// - Throws: ``Mistake`` if an escape is not valid.
  static func unescaped(_ component: Substring) throws -> String {
    var copy = component
    return try copy.withUTF8 { try decoded($0, 0..<$0.count) }
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Returns a text in which all characters are escaped but those that RFC 3986 leaves unreserved.
  static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy(isUnreserved) { return text }
    var escaped = ""
    for byte in text.utf8 {
      if isUnreserved(byte) {
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        escaped += digits.count == 1 ? "%0" + digits : "%" + digits
      }
    }
    return escaped
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
