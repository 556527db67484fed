import Foundation
import Gangway
import Glibc

/// The content of a file that can be shown.
enum FilePreview: Sendable, Equatable {
  /// The beginning of a text, and the number of bytes after it.
  case text(String, rest: Int64)
  case picture([UInt8])
  /// Other content: the first bytes as numbers.
  case bytes(String)
  case empty
  /// A file that cannot be read without side effects, with the reason.
  case nothing(String)

  /// The most bytes to read of a text.
  static let longestText = 128 << 10

  /// Reads the content that can be shown.
  ///
  /// A pipe or device is not opened. To read it would take data meant for others, or wait forever.
  ///
  /// - Throws: ``FileError``.
  @concurrent static func read(_ path: EscapedPath) async throws -> FilePreview {
    let named = try FileFacts(path, follows: true)
    guard named.kind == .file else { return .nothing("There is no content to show for this kind: \(named.kind.word).") }
    // If the file is a pipe by now, this call does not wait for it.
    let file = path.withPointer { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard file >= 0 else { throw FileError(errno, path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileError(errno, path) }
    let facts = FileFacts(status)
    guard facts.kind == .file else { return .nothing("This file was replaced. Its kind is now: \(facts.kind.word).") }
    let start = try bytes(file, longestText, path)
    if start.isEmpty { return .empty }
    if isPicture(start) {
      guard facts.size <= Int64(Image.maximumLength) else {
        return .nothing(
          "The picture is too large to show: \(FileFacts.bytes(facts.size)); the maximum is "
            + "\(FileFacts.bytes(Int64(Image.maximumLength)))."
        )
      }
      return .picture(start + (try bytes(file, Image.maximumLength - start.count, path)))
    }
    if let text = text(start, isCut: facts.size > Int64(start.count)) {
      return .text(text, rest: max(0, facts.size - Int64(start.count)))
    }
    return .bytes(dump(start.prefix(256)))
  }

  private static func bytes(_ file: Int32, _ most: Int, _ path: EscapedPath) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < most {
      let read = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
        let count = Glibc.read(file, buffer.baseAddress, min(buffer.count, most - bytes.count))
        if count > 0 { bytes.append(contentsOf: buffer.prefix(count)) }
        return count
      }
      if read == 0 { break }
      if read < 0 { throw FileError(errno, path) }
    }
    return bytes
  }

  /// Returns whether the first bytes are a picture's. The name does not matter.
  static func isPicture(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) || bytes.starts(with: [0xFF, 0xD8, 0xFF])
      || bytes.starts(with: Array("GIF8".utf8))
      || (bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8)))
  }

  /// Returns bytes as text; nil if they are not text. The end may cut a character in two.
  static func text(_ bytes: [UInt8], isCut: Bool) -> String? {
    if bytes.contains(0) { return nil }
    for dropped in 0...(isCut ? 3 : 0) {
      if let text = String(validating: bytes.dropLast(dropped), as: UTF8.self) { return text }
    }
    return nil
  }

  private static func dump(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    return stride(from: 0, to: bytes.count, by: 16).map { start in
      let line = bytes[start..<min(start + 16, bytes.count)]
      let numbers = line.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
      let letters = line.map { (32..<127).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
      return numbers + String(repeating: " ", count: 49 - numbers.count) + letters
    }
    .joined(separator: "\n")
  }
}
