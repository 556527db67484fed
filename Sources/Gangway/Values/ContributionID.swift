/// The id of something that a plugin contributes: `plugin.name`, both of the form `[a-z][a-z0-9-]*`.
///
/// Written as a text, `"todos.detail"`. What is registered is checked once, by the ``Registrar``; an id that nothing was
/// registered under is an error where it is used.
public struct ContributionID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The whole id.
  public let rawValue: String

  /// Takes a text as an id.
  public init(_ text: String) { rawValue = text }

  /// The id of a plugin's contribution.
  public init(plugin: String, name: String) { rawValue = "\(plugin).\(name)" }

  /// The plugin that contributes it: what stands before the first dot.
  public var plugin: String { String(rawValue.prefix { $0 != "." }) }

  /// Its name within the plugin: what stands after the first dot.
  public var name: String { String(rawValue.dropFirst(plugin.count + 1)) }

  /// The whole id.
  public var description: String { rawValue }

  /// Whether a text is the id of a plugin, or the name of a contribution: `[a-z][a-z0-9-]*`.
  public static func isName(_ text: some StringProtocol) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy {
      isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
    }
  }

  /// By their texts.
  public static func < (first: ContributionID, second: ContributionID) -> Bool { first.rawValue < second.rawValue }
}

extension ContributionID: ExpressibleByStringInterpolation {
  /// Takes a text as an id.
  public init(stringLiteral text: String) { rawValue = text }
}

extension ContributionID: Codable {
  /// Reads the text alone.
  public init(from decoder: any Decoder) throws { rawValue = try String(from: decoder) }
  /// Writes the text alone.
  public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}
