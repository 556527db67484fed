/// The version of the presentation protocol: front ends and hosts of one major version understand each other.
///
/// The format is described in `Documentation/PresentationProtocol.md`.
public struct ProtocolVersion: Codable, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Raised when an old peer could misunderstand a message. Peers of different majors refuse each other.
  public var major: Int
  /// Raised when a message or a field is added, which an old peer ignores.
  public var minor: Int

  /// Makes a version from its two numbers.
  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// The version this library speaks.
  public static let current = ProtocolVersion(major: 1, minor: 3)

  /// Whether it is the earlier of two versions.
  public static func < (first: Self, second: Self) -> Bool {
    (first.major, first.minor) < (second.major, second.minor)
  }

  /// The version as `major.minor`.
  public var description: String { "\(major).\(minor)" }
}
