@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A PNG, JPEG, GIF or WebP picture.
public struct Image: PrimitiveContent {
  /// The maximum size of a picture's file, in bytes.
  ///
  /// A larger picture is replaced by a message.
  nonisolated public static let maximumLength = 512 << 10
  /// The maximum width and height of a picture, in pixels.
  nonisolated public static let maximumSide = 8192

  let source: Source
  let label: String

  enum Source {
    case file(String)
    case bytes([UInt8])
  }

  /// Creates a picture from a file's bytes.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the file.
  ///   - label: a description of the picture, for screen readers.
  public init(_ bytes: [UInt8], label: String) { (source, self.label) = (.bytes(bytes), label) }

  /// Creates a picture from a file, which is read when the picture is first shown, and again after the file has
  /// changed.
  ///
  /// - Parameters:
  ///   - file: the path of the file.
  ///   - label: a description of the picture, for screen readers.
  public init(file: String, label: String) { (source, self.label) = (.file(file), label) }

  /// Creates a picture without information of its own, which screen readers skip.
  public init(decorative bytes: [UInt8]) { (source, label) = (.bytes(bytes), "") }

  /// Creates a picture from a file without information of its own, which screen readers skip.
  public init(decorativeFile file: String) { (source, label) = (.file(file), "") }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.image, label) { element in
      if label.isEmpty { element.role = .decorative }
      do {
        element.image = try PictureFile.data(of: source)
      } catch {
        element.problem = "The picture could not be shown: \(error)"
      }
    }
  }
}
