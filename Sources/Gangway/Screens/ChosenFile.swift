@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A file that the user chose in a ``FilePicker``.
///
/// It is a copy, so the user's own file never changes. The copy is removed when the action of the picker ends.
public struct ChosenFile: Hashable, Sendable {
  /// The name of the user's file, such as `receipt.png`: one component of a path, without control characters.
  public let name: String
  /// The media type, such as `image/png`: from the browser, or from the extension of the name; nil if it is not known.
  public let type: String?
  /// The number of bytes.
  public let byteCount: Int
  /// The path of the copy.
  public let path: String

  /// Returns the content.
  ///
  /// The file is read outside of the main actor.
  ///
  /// - Throws: the error of the file system, also if the copy has been moved or removed.
  public func bytes() async throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

  /// Moves the copy to a place of the feature, such as its data folder.
  ///
  /// If the place is on another file system, the file is copied, outside of the main actor.
  ///
  /// - Parameter destination: the path of the file to make. An existing file is never replaced.
  /// - Throws: an error that users can read: the destination exists, its folder does not, or the disk is full. The copy
  ///   is then still there.
  public func move(to destination: String) async throws {
    do {
      try HandoverFolder.move(path, to: destination)
    } catch let failure as HandoverFolder.Failure {
      // Users never read a feature's paths.
      throw FileRules.Refusal(description: "'\(name)' could not be stored: \(failure.reason ?? failure.description).")
    }
  }
}

/// The files that an input takes.
struct FileRules: Sendable {
  /// Extensions with a dot, and media types, in lower case; empty for any file.
  let accepts: [String]
  let maximumBytes: Int

  /// The reason why a file is refused, for the user.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns a file that a front end handed over.
  ///
  /// - Throws: ``Refusal``.
  func check(_ file: HandedFile) throws -> ChosenFile {
    guard let folder = try? HandoverFolder(), folder.contains(file.path), let size = HandoverFolder.size(of: file.path)
    else { throw Refusal(description: "'\(file.name)' did not arrive. Choose it again.") }
    guard size <= maximumBytes else {
      throw Refusal(description: "'\(file.name)' was not accepted. \(FileSize.tooLarge(size, limit: maximumBytes))")
    }
    let known = FileType.of(file)
    guard accepts.isEmpty || accepts.contains(where: { FileType.matches($0, file, known) }) else {
      throw Refusal(
        description: "'\(file.name)' was not accepted. Choose a file of one of these types: "
          + "\(accepts.joined(separator: ", ")).")
    }
    if !accepts.isEmpty, let known, size > 0, !FileType.fits(known, file.path) {
      throw Refusal(
        description: "'\(file.name)' was not accepted. Its name says \(known), but its content is something else.")
    }
    return ChosenFile(name: file.name, type: known, byteCount: size, path: file.path)
  }
}

/// The media types of files.
private enum FileType {
  /// The types of common extensions.
  ///
  /// Source: the media type registry of IANA.
  private static let types = [
    ".avif": "image/avif", ".csv": "text/csv", ".gif": "image/gif", ".html": "text/html", ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg", ".json": "application/json", ".md": "text/markdown", ".mp3": "audio/mpeg",
    ".mp4": "video/mp4", ".pdf": "application/pdf", ".png": "image/png", ".svg": "image/svg+xml",
    ".txt": "text/plain", ".webp": "image/webp", ".xml": "application/xml", ".zip": "application/zip",
  ]

  /// The first bytes of the types that can be checked.
  ///
  /// Sources: PNG (third edition, 5.2), JPEG (ITU-T T.81, B.1.1), GIF89a (17), RFC 9649 (WebP), ISO 32000-2 (PDF).
  private static let beginnings: [String: [(offset: Int, bytes: [UInt8])]] = [
    "image/png": [(0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])], "image/jpeg": [(0, [0xff, 0xd8, 0xff])],
    "image/gif": [(0, Array("GIF8".utf8))], "image/webp": [(0, Array("RIFF".utf8)), (8, Array("WEBP".utf8))],
    "application/pdf": [(0, Array("%PDF-".utf8))],
  ]

  /// Returns the type that the sender named, or else the one of the extension; nil if neither is known.
  static func of(_ file: HandedFile) -> String? {
    // Browsers send this type for files that they do not know.
    if let type = file.type, type != "application/octet-stream" { return type }
    return types[file.fileExtension] ?? file.type
  }

  /// Returns whether a file is of an extension, a type, or a group of types such as `image/*`.
  static func matches(_ accepted: String, _ file: HandedFile, _ type: String?) -> Bool {
    if accepted.hasPrefix(".") { return file.name.lowercased().hasSuffix(accepted) }
    guard let type else { return false }
    return accepted.hasSuffix("/*") ? type.hasPrefix(accepted.dropLast()) : type == accepted
  }

  /// Returns whether a file begins as its type does; a type without a known beginning always fits.
  static func fits(_ type: String, _ path: String) -> Bool {
    guard let wanted = beginnings[type] else { return true }
    let first = HandoverFolder.beginning(of: path)
    return wanted.allSatisfy { first.dropFirst($0.offset).starts(with: $0.bytes) }
  }
}

/// A file that a feature offers the user.
enum OfferedFile: Sendable {
  case bytes(name: String, type: String?, [UInt8])
  case file(path: String, name: String?, type: String?)

  /// Returns the file in the form for front ends; bytes are written to the folder for handed-over files.
  ///
  /// - Throws: ``FileRules/Refusal`` if there is no such file; the errors of the folder.
  func handOver() throws -> HandedFile {
    switch self {
    case .bytes(let name, let type, let bytes):
      do {
        return HandedFile(name: name, type: type, path: try HandoverFolder().make(holding: bytes))
      } catch let failure as HandoverFolder.Failure {
        throw FileRules.Refusal(
          description: "'\(name)' could not be created: \(failure.reason ?? failure.description).")
      }
    case .file(let path, let name, let type):
      // Front ends follow no link. So a link that replaces the file later does not open another file.
      let real = URL(filePath: path).resolvingSymlinksInPath().path
      let shown = HandedFile(name: name ?? path, type: type, path: real)
      guard HandoverFolder.size(of: real) != nil else {
        throw FileRules.Refusal(description: "'\(shown.name)' is no longer there.")
      }
      return shown
    }
  }
}
