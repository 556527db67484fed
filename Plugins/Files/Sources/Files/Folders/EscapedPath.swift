import Glibc

/// The path of a file as text, for any bytes in its name.
///
/// Bytes that are not UTF-8, control characters and `%` become `%` and two hexadecimal digits, as in URLs. Everything
/// else stays as it is.
struct EscapedPath: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The absolute path. Only the root has a slash at its end.
  let text: String

  static let root = EscapedPath(text: "/")

  private init(text: String) { self.text = text }

  /// Makes a path from the system's bytes.
  init(bytes: some Collection<UInt8>) { text = bytes.isEmpty ? "/" : Self.escape(Array(bytes)) }

  /// Reads a path as written; nil if it is not absolute, or no file can have it.
  init?(_ text: String) {
    guard text.hasPrefix("/"), let bytes = Self.unescape(text), !bytes.contains(0) else { return nil }
    var parts: [[UInt8]] = []
    for part in bytes.split(separator: UInt8(ascii: "/")) where Array(part) != [46] {
      if Array(part) == [46, 46] { _ = parts.popLast() } else { parts.append(Array(part)) }
    }
    self.text = "/" + parts.map(Self.escape).joined(separator: "/")
  }

  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let path = EscapedPath(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is not an absolute path"))
    }
    self = path
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  var description: String { text }

  /// The path for the system.
  var bytes: [UInt8] { Self.unescape(text) ?? [] }

  /// Calls the system with the path.
  func withPointer<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // The buffer has at least one element, so it has an address.
      buffer.baseAddress.map(body) ?? withUnsafePointer(to: 0, body)
    }
  }

  /// The last part, for users.
  var name: String {
    text == "/" ? "/" : String(text[text.index(after: text.lastIndex(of: "/") ?? text.startIndex)...])
  }

  /// Returns the target of a path, without links. So users who follow links in a circle stay where they are.
  ///
  /// - Throws: ``FileError``.
  func resolved() throws -> EscapedPath {
    guard let real = withPointer({ realpath($0, nil) }) else { throw FileError(errno, self) }
    defer { free(real) }
    return EscapedPath(bytes: UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) })
  }

  /// Checks that a folder contains this file, and the target if the file is a link.
  ///
  /// - Throws: ``FileError`` if the file is elsewhere, or its folder does not exist.
  func check(within root: EscapedPath) throws {
    guard root != .root else { return }
    let outside = FileError(self, "It is outside the folder of this app.")
    guard isInside(root) else { throw outside }
    // The target of a broken link does not exist, but the link has a place.
    let real = try (try? resolved()) ?? parent.resolved()
    guard real.isInside(try root.resolved()) else { throw outside }
  }

  private func isInside(_ folder: EscapedPath) -> Bool { self == folder || text.hasPrefix(folder.text + "/") }

  /// Returns a file in this folder, by its escaped name.
  func appending(_ name: String) -> EscapedPath { EscapedPath(text: text == "/" ? "/\(name)" : "\(text)/\(name)") }

  /// The folder of the file. The root is its own folder.
  var parent: EscapedPath {
    guard let slash = text.lastIndex(of: "/"), slash != text.startIndex else { return .root }
    return EscapedPath(text: String(text[..<slash]))
  }

  // MARK: Escaping

  static func escape(_ bytes: [UInt8]) -> String {
    // Most names are plain and need no escaping.
    if !bytes.contains(where: { $0 < 0x20 || $0 == 0x25 || $0 >= 0x7F }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var text = ""
    var rest = bytes[...]
    while let first = rest.first {
      let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
      let next = rest.prefix(length)
      if let character = String(validating: next, as: UTF8.self), isPlain(character.unicodeScalars.first) {
        text += character
        rest = rest.dropFirst(length)
      } else {
        text += "%" + hex(first)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  private static func isPlain(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar, scalar != "%" else { return false }
    // A character that changes the direction of a line, or is invisible, could make one name look like another.
    return ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }

  private static func hex(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return text.count == 1 ? "0" + text : text
  }

  static func unescape(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
