/// A file that a front end sends to a feature, or that a feature offers to the user.
///
/// Messages only name the file, so they have the same size for any file.
@_spi(FrontEnd) public struct HandedFile: Codable, Hashable, Sendable {
  /// The name for the user: one component of a path, without control characters.
  public let name: String
  /// The media type that the sender named, such as `text/csv`; nil if it named none.
  public let type: String?
  /// The path of the content.
  public let path: String

  /// Makes the name of a file.
  ///
  /// - Parameters:
  ///   - name: the name from outside, of which only the last component is used; see ``safeName(_:)``.
  ///   - type: the media type; a text that is no media type counts as nil.
  ///   - path: the path of the content.
  public init(name: String, type: String?, path: String) {
    self.name = Self.safeName(name)
    self.type = type.flatMap(Self.mediaType)
    self.path = path
  }

  /// Reads a file in a message, whose name may come from anywhere.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try fields.decode(String.self, forKey: .name), type: try fields.decodeIfPresent(String.self, forKey: .type),
      path: try fields.decode(String.self, forKey: .path))
  }

  private enum CodingKeys: String, CodingKey { case name, type, path }

  /// The most bytes of a name: the limit of Linux file systems (NAME_MAX).
  private static let longestName = 255

  /// Returns a name that is safe to use for a file in a folder.
  ///
  /// Only the last component is kept, without control characters, and without a leading dot, which would hide the file.
  /// An empty name becomes `file`.
  package static func safeName(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    // The end of a text in the other direction could hide the file's real extension.
    let scalars = last.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
    var safe = String(String.UnicodeScalarView(scalars))
    while let first = safe.first, first == "." || first.isWhitespace { safe.removeFirst() }
    while let last = safe.last, last.isWhitespace { safe.removeLast() }
    let end = self.end(of: safe)
    var stem = self.stem(of: safe)
    while stem.utf8.count + end.utf8.count > longestName { stem.removeLast() }
    return stem.isEmpty ? "file" : stem + end
  }

  /// Returns a name with a number before its extension: `list (2).csv`.
  package static func numbered(_ name: String, _ number: Int) -> String {
    safeName("\(stem(of: name)) (\(number))\(end(of: name))")
  }

  /// Returns a media type in lower case and without parameters; nil for other text.
  ///
  /// Source: RFC 6838, section 4.2.
  private static func mediaType(_ text: String) -> String? {
    let bare = text.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    let parts = bare.split(separator: "/", omittingEmptySubsequences: false)
    let isType =
      bare.utf8.count <= 127 && parts.count == 2
      && parts.allSatisfy { part in
        part.first.map { $0.isLetter || $0.isNumber } == true
          && part.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: Array("!#$&-^_.+".utf8).contains(byte)
            }
          }
      }
    return isType ? bare : nil
  }

  private static func stem(of name: String) -> String { String(name.dropLast(end(of: name).count)) }

  /// Returns the extension of a name with its dot, in its own spelling; empty if it has none, or a very long one.
  private static func end(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 32 else { return "" }
    return String(name[dot...])
  }

  /// The extension in lower case with its dot, such as `.csv`; empty if there is none.
  package var fileExtension: String { Self.end(of: name).lowercased() }
}
