/// A version of a plugin, `major.minor.patch`, ordered as in semantic versioning (semver.org).
///
/// Text after a `-` or `+` is kept, but does not affect the order.
@_spi(FrontEnd) public struct PluginVersion: Hashable, Sendable, Comparable, CustomStringConvertible, Codable {
  /// The three numbers.
  package let major, minor, patch: Int
  /// The version as it was written.
  public let description: String

  /// Creates a version from text; nil if the text is not a version.
  ///
  /// Missing numbers are 0.
  package init?(_ text: String) {
    let core = text.prefix { $0 != "-" && $0 != "+" }
    let parts = core.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard let number = Int(part), number >= 0, part.first != "+", part.first != "-" else { return nil }
      numbers.append(number)
    }
    while numbers.count < 3 { numbers.append(0) }
    (major, minor, patch, description) = (numbers[0], numbers[1], numbers[2], text)
  }

  /// Orders versions by major number, then minor, then patch.
  public static func < (first: PluginVersion, second: PluginVersion) -> Bool {
    (first.major, first.minor, first.patch) < (second.major, second.minor, second.patch)
  }

  /// Decodes the version from its text.
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let version = PluginVersion(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is not a version like 1.2.3"))
    }
    self = version
  }

  /// Encodes the version as its text.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
