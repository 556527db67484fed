@_spi(FrontEnd) import GangwayProtocol

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A reader of the facts about a picture that front ends need: its type and its size in pixels.
enum PictureFile {
  /// A small cache of pictures, by file.
  @MainActor private static var read: [String: (changed: Date, length: Int, data: Element.ImageData)] = [:]
  private static let maximumRead = 16

  /// Returns a picture in the form for messages.
  ///
  /// - Throws: ``InputProblem``, which says that the data is not a picture, is too large, or cannot be read.
  @MainActor static func data(of source: Image.Source) throws -> Element.ImageData {
    switch source {
    case .bytes(let bytes): return try data(bytes)
    case .file(let path):
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard let attributes,
        let length = attributes[.size].flatMap({ $0 as? UInt64 ?? ($0 as? Int).map(UInt64.init) }).map(Int.init)
      else {
        throw InputProblem(description: "the file \(path) does not exist or cannot be read.")
      }
      let changed = attributes[.modificationDate] as? Date ?? .distantPast
      if let known = read[path], known.changed == changed, known.length == length { return known.data }
      guard length <= Image.maximumLength else { throw tooLong(length) }
      guard let bytes = FileManager.default.contents(atPath: path) else {
        throw InputProblem(description: "the file \(path) could not be read.")
      }
      let made = try data([UInt8](bytes))
      if read.count >= maximumRead { read.removeAll() }
      read[path] = (changed, length, made)
      return made
    }
  }

  private static func tooLong(_ length: Int) -> InputProblem {
    InputProblem(description: "it has \(length) bytes; the maximum is \(Image.maximumLength).")
  }

  private static func data(_ bytes: [UInt8]) throws -> Element.ImageData {
    guard bytes.count <= Image.maximumLength else { throw tooLong(bytes.count) }
    guard let (type, width, height) = facts(bytes) else {
      throw InputProblem(description: "it is not a PNG, JPEG, GIF or WebP.")
    }
    guard (1...Image.maximumSide).contains(width), (1...Image.maximumSide).contains(height) else {
      throw InputProblem(
        description:
          "it is \(width) × \(height) pixels; the maximum is \(Image.maximumSide) × \(Image.maximumSide).")
    }
    return Element.ImageData(type: type, width: width, height: height, base64: Data(bytes).base64EncodedString())
  }

  /// Returns the type and the size of a picture from its first bytes; nil if the type is not known.
  ///
  /// Sources: PNG (third edition, 11.2.1), GIF89a (18), JPEG (ITU-T T.81, B.2.2) and the WebP container specification.
  static func facts(_ bytes: [UInt8]) -> (type: String, width: Int, height: Int)? {
    func number(_ at: Int, _ count: Int, isBigEndian: Bool) -> Int? {
      guard at >= 0, at + count <= bytes.count else { return nil }
      let part = isBigEndian ? Array(bytes[at..<at + count]) : bytes[at..<at + count].reversed()
      return part.reduce(0) { $0 << 8 | Int($1) }
    }
    func has(_ text: [UInt8], at: Int) -> Bool { bytes.dropFirst(at).starts(with: text) }
    if has([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], at: 0), has(Array("IHDR".utf8), at: 12) {
      guard let width = number(16, 4, isBigEndian: true), let height = number(20, 4, isBigEndian: true) else {
        return nil
      }
      return ("image/png", width, height)
    }
    if has(Array("GIF87a".utf8), at: 0) || has(Array("GIF89a".utf8), at: 0) {
      guard let width = number(6, 2, isBigEndian: false), let height = number(8, 2, isBigEndian: false) else {
        return nil
      }
      return ("image/gif", width, height)
    }
    if has(Array("RIFF".utf8), at: 0), has(Array("WEBP".utf8), at: 8) {
      if has(Array("VP8X".utf8), at: 12), let width = number(24, 3, isBigEndian: false),
        let height = number(27, 3, isBigEndian: false)
      {
        return ("image/webp", width + 1, height + 1)
      }
      if has(Array("VP8 ".utf8), at: 12), let width = number(26, 2, isBigEndian: false),
        let height = number(28, 2, isBigEndian: false)
      {
        return ("image/webp", width & 0x3fff, height & 0x3fff)
      }
      if has(Array("VP8L".utf8), at: 12), let bits = number(21, 4, isBigEndian: false) {
        return ("image/webp", (bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)
      }
      return nil
    }
    guard has([0xff, 0xd8], at: 0) else { return nil }
    // The segments before the one that begins a frame.
    var at = 2
    while let marker = number(at, 2, isBigEndian: true), marker >> 8 == 0xff {
      let kind = marker & 0xff
      if (0xc0...0xcf).contains(kind), ![0xc4, 0xc8, 0xcc].contains(kind) {
        guard let height = number(at + 5, 2, isBigEndian: true), let width = number(at + 7, 2, isBigEndian: true) else {
          return nil
        }
        return ("image/jpeg", width, height)
      }
      guard let length = number(at + 2, 2, isBigEndian: true), length >= 2 else { return nil }
      at += 2 + length
    }
    return nil
  }
}
