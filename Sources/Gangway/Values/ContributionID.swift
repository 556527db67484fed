@_spi(FrontEnd) import GangwayProtocol

/// The id of something that a plugin contributes: `plugin.name`, both of the form `[a-z][a-z0-9-]*`.
///
/// As text, an id is `"todos.detail"`. The ``Registrar`` checks ids once, when a plugin registers them. Using an id
/// that no plugin registered is an error.
public struct ContributionID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The whole id.
  public let rawValue: String

  /// Creates an id from text.
  public init(_ text: String) { rawValue = text }

  /// Creates the id of a plugin's contribution.
  public init(plugin: PluginID, name: String) { rawValue = "\(plugin).\(name)" }

  /// The plugin that contributes it: the text before the first dot.
  public var plugin: PluginID { PluginID(rawValue: String(rawValue.prefix { $0 != "." })) }

  /// The name within the plugin: the text after the first dot.
  public var name: String { String(rawValue.dropFirst(plugin.rawValue.count + 1)) }

  /// The whole id.
  public var description: String { rawValue }

  /// Returns whether a text is the id of a plugin, or the name of a contribution: `[a-z][a-z0-9-]*`.
  public static func isName(_ text: some StringProtocol) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy {
      isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
    }
  }

  /// Orders ids by their text.
  public static func < (first: ContributionID, second: ContributionID) -> Bool { first.rawValue < second.rawValue }
}

extension ContributionID: ExpressibleByStringInterpolation {
  /// Creates an id from a string literal.
  public init(stringLiteral text: String) { rawValue = text }
}

extension ContributionID: Codable {
  /// Decodes the text of the id.
  public init(from decoder: any Decoder) throws { rawValue = try String(from: decoder) }
  /// Encodes the text of the id.
  public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}
