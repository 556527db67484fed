/// The version of the presentation protocol. Front ends and hosts with the same major version understand each other.
///
/// `Documentation/PresentationProtocol.md` describes the format.
@_spi(FrontEnd) public struct ProtocolVersion: Codable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The major version. It changes when an old peer could misunderstand a message. Peers with different majors refuse
  /// each other.
  public var major: Int
  /// The minor version. It changes when a new version adds a message or field, which an old peer ignores.
  package var minor: Int

  /// Makes a version from its two numbers.
  package init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// The version this library speaks.
  public static let current = ProtocolVersion(major: 1, minor: 0)

  /// Returns whether the first version is earlier.
  public static func < (first: Self, second: Self) -> Bool {
    (first.major, first.minor) < (second.major, second.minor)
  }

  /// The version as `major.minor`.
  public var description: String { "\(major).\(minor)" }
}
