import CZlib
import FoundationEssentials
@_spi(FrontEnd) import GangwayProtocol

/// A line of a session file: JSON, a tab, and the CRC-32 of the JSON as eight hexadecimal digits.
///
/// The checksum reveals that a disk or another program has changed the line. Without the checksum, damaged JSON would
/// often still be readable, with different text. JSON that ``Line`` writes has no tab.
///
/// Source of the checksum: RFC 1952, section 8, as zlib computes it.
enum CheckedLine {
  /// The reason why a line cannot be used.
  struct Damage: Error, CustomStringConvertible { let description: String }

  /// The number of bytes after the JSON, without the line break.
  private static let tail = 9

  /// Returns a value as a line, with its line break.
  ///
  /// - Throws: the errors of the value's encoding.
  static func encode(_ value: some Encodable) throws -> [UInt8] {
    sealing(try Line.encode(value).dropLast())
  }

  /// Returns a line of JSON with its checksum and line break.
  static func sealing(_ json: ArraySlice<UInt8>) -> [UInt8] {
    var line = Array(json)
    line.append(UInt8(ascii: "\t"))
    line += digits(checksum(json))
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// Returns the value of a line.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - line: the line without its line break.
  /// - Throws: ``Damage`` if the checksum does not match, and the errors of the value's decoding.
  static func decode<Value: Decodable>(_ type: Value.Type, from line: ArraySlice<UInt8>) throws -> Value {
    let (json, end) = (line.dropLast(tail), line.suffix(tail))
    guard end.count == tail, end.first == UInt8(ascii: "\t") else {
      throw Damage(description: Words.Unusable.noChecksum)
    }
    let expected = digits(checksum(json))
    guard end.dropFirst().elementsEqual(expected) else {
      throw Damage(
        description: Words.Unusable.otherChecksum(
          String(decoding: expected, as: UTF8.self), written: String(decoding: end.dropFirst(), as: UTF8.self)))
    }
    return try Line.decode(type, from: json)
  }

  /// Splits a line that contains two lines because their line break was damaged; returns nil if there is only one.
  static func split(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
    guard let tab = line.firstIndex(of: UInt8(ascii: "\t")), tab + tail < line.endIndex else { return nil }
    return [line[..<(tab + tail)], line[(tab + tail + 1)...]]
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, UInt32($0.count))) }
  }

  private static func digits(_ checksum: UInt32) -> [UInt8] {
    let letters = Array("0123456789abcdef".utf8)
    return (0..<8).map { letters[Int(checksum >> (28 - 4 * $0) & 15)] }
  }
}
