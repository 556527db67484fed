#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Messages as lines: one JSON object without a line break, then a newline.
public enum Line {
  /// The longest line a host or supervisor takes, in bytes.
  public static let maximumLength = 16 << 20

  /// The byte a dying host writes between or within lines. It can stand in no JSON text.
  public static let crashByte: UInt8 = 0x18

  /// A message as a line, its newline included.
  ///
  /// - Throws: an `EncodingError` for a number that JSON cannot hold.
  public static func encode(_ message: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes = [UInt8](try encoder.encode(message))
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The message in a line.
  ///
  /// - Throws: ``HostMessage/Failure`` with the code `malformed`, saying which field is wrong and why.
  public static func decode<Message: Decodable>(_ type: Message.Type, from line: some Sequence<UInt8>) throws -> Message
  {
    do {
      return try JSONDecoder().decode(type, from: Data(line))
    } catch let error as DecodingError {
      throw HostMessage.Failure(code: "malformed", message: error.reason)
    }
  }
}

extension DecodingError {
  /// Where in the text the mistake is and what it is, in a line.
  public var reason: String {
    func place(_ context: Context, _ key: (any CodingKey)? = nil) -> String {
      let path = (context.codingPath + (key.map { [$0] } ?? [])).map { $0.intValue.map(String.init) ?? $0.stringValue }
      return path.isEmpty ? "the message" : "'\(path.joined(separator: "."))'"
    }
    switch self {
    case .keyNotFound(let key, let context): return "\(place(context, key)) is missing"
    case .valueNotFound(let type, let context): return "\(place(context)) is null, where \(type) is needed"
    case .typeMismatch(let type, let context): return "\(place(context)) is not of type \(type)"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty
        ? "not a JSON object: \(context.debugDescription)"
        : "\(place(context)): \(context.debugDescription)"
    @unknown default: return "\(self)"
    }
  }
}

/// Cuts a stream of bytes into lines.
public struct LineSplitter: Sendable {
  /// What came out of the stream.
  public enum Piece: Hashable, Sendable {
    /// A line without its newline.
    case line([UInt8])
    /// A line longer than the limit, dropped; its length so far in bytes.
    case oversized(Int)
    /// The byte a dying host writes.
    case crash
  }

  private var partial: [UInt8] = []
  private var dropped = 0
  private let limit: Int

  /// Makes a splitter that drops lines longer than `limit` bytes.
  public init(limit: Int = Line.maximumLength) { self.limit = limit }

  /// Whether the stream stands within a line.
  public var isInsideLine: Bool { !partial.isEmpty || dropped > 0 }

  /// Takes in bytes and gives out what they complete.
  public mutating func append(_ bytes: some Sequence<UInt8>) -> [Piece] {
    var pieces: [Piece] = []
    for byte in bytes {
      switch byte {
      case Line.crashByte: pieces.append(.crash)
      case UInt8(ascii: "\n"):
        pieces.append(dropped > 0 ? .oversized(dropped) : .line(partial))
        partial.removeAll(keepingCapacity: true)
        dropped = 0
      case _ where dropped > 0: dropped += 1
      case _ where partial.count == limit:
        dropped = limit + 1
        partial = []
      default: partial.append(byte)
      }
    }
    return pieces
  }
}
