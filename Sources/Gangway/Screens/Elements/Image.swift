import GangwayProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A picture: a PNG, JPEG, GIF or WebP.
public struct Image: Content {
  /// How large a picture's file may be, in bytes. What is larger is not shown, which is said in its place.
  nonisolated public static let maximumLength = 512 << 10
  /// How wide and high a picture may be, in pixels.
  nonisolated public static let maximumSide = 8192

  /// It has no parts of its own kind.
  public typealias Body = EmptyContent
  let source: Source
  let label: String

  enum Source {
    case file(String)
    case bytes([UInt8])
  }

  /// Makes a picture of a file's bytes.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - label: what is to be seen, for those who cannot see it.
  public init(_ bytes: [UInt8], label: String) { (source, self.label) = (.bytes(bytes), label) }

  /// Makes a picture of a file, which is read when it is first shown, and when it has changed since.
  ///
  /// - Parameters:
  ///   - file: its path.
  ///   - label: what is to be seen, for those who cannot see it.
  public init(file: String, label: String) { (source, self.label) = (.file(file), label) }

  /// Makes a picture that says nothing that is not said elsewhere: it is passed over where it cannot be seen.
  public init(decorative bytes: [UInt8]) { (source, label) = (.bytes(bytes), "") }

  /// Makes a picture of a file that says nothing that is not said elsewhere.
  public init(decorativeFile file: String) { (source, label) = (.file(file), "") }

  /// Adds itself to a render.
  public func _render(into renderer: ContentRenderer) {
    renderer.add(.image, label) { element in
      if label.isEmpty { element.role = .decorative }
      do {
        element.image = try PictureFile.data(of: source)
      } catch {
        element.problem = "The picture cannot be shown: \(error)"
      }
    }
  }
}
