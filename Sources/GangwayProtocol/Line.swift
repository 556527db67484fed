#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Encoding of messages as lines: one JSON object without a line break, then a newline.
@_spi(FrontEnd) public enum Line {
  /// The longest line that a host or supervisor accepts, in bytes.
  public static let maximumLength = 16 << 20

  /// The byte that a crashing host writes between or within lines. No JSON text contains it.
  package static let crashByte: UInt8 = 0x18

  /// Returns a message as a line, with its newline.
  ///
  /// - Throws: an `EncodingError` for a number that JSON cannot hold.
  public static func encode(_ message: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var bytes = [UInt8](try encoder.encode(message))
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// Returns the message in a line.
  ///
  /// - Throws: ``HostMessage/Failure`` with the code `malformed`, which names the wrong field and the reason.
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
  /// The place of the mistake in the text and its reason, in one line.
  package var reason: String {
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
@_spi(FrontEnd) public struct LineSplitter: Sendable {
  /// One piece of the stream.
  public enum Piece: Hashable, Sendable {
    /// A line without its newline.
    case line([UInt8])
    /// A line longer than the limit, dropped; with its length in bytes.
    case oversized(Int)
    /// The byte that a crashing host writes.
    case crash
  }

  private var partial: [UInt8] = []
  private var dropped = 0
  private let limit: Int

  /// Makes a splitter that drops lines longer than `limit` bytes.
  public init(limit: Int = Line.maximumLength) { self.limit = limit }

  /// Whether the stream is within a line.
  package var isInsideLine: Bool { !partial.isEmpty || dropped > 0 }

  /// Adds bytes and returns the pieces that they complete.
  public mutating func append(_ bytes: some Sequence<UInt8>) -> [Piece] {
    if let pieces = bytes.withContiguousStorageIfAvailable({ split($0) }) { return pieces }
    return Array(bytes).withUnsafeBufferPointer { split($0) }
  }

  /// Adds bytes run by run. Byte by byte takes many times as long.
  private mutating func split(_ bytes: UnsafeBufferPointer<UInt8>) -> [Piece] {
    var pieces: [Piece] = []
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == Line.crashByte } ?? bytes.endIndex
      add(bytes[start..<end])
      guard end < bytes.endIndex else { break }
      pieces.append(bytes[end] == Line.crashByte ? .crash : finishLine())
      start = end + 1
    }
    return pieces
  }

  private mutating func add(_ run: Slice<UnsafeBufferPointer<UInt8>>) {
    if dropped > 0 {
      dropped += run.count
    } else if partial.count + run.count > limit {
      dropped = partial.count + run.count
      partial = []
    } else {
      partial += run
    }
  }

  private mutating func finishLine() -> Piece {
    defer {
      partial = []
      dropped = 0
    }
    return dropped > 0 ? .oversized(dropped) : .line(partial)
  }
}
