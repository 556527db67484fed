import FoundationEssentials

/// A writer of numbers and texts, one after another.
///
/// JSON takes 20 µs to read for each plugin, and an app may have hundreds. Numbers are little-endian base 128 as in
/// DWARF ("LEB128", DWARF 5, 7.6). Texts are UTF-8, after their length.
struct CacheWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func write(_ text: String) {
    write(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func write(_ flag: Bool) { write(flag ? 1 : 0) }

  mutating func write(_ text: String?) {
    write(text != nil)
    if let text { write(text) }
  }

  mutating func write<Item>(_ items: [Item], _ each: (inout CacheWriter, Item) -> Void) {
    write(items.count)
    for item in items { each(&self, item) }
  }
}

/// A reader of the bytes from ``CacheWriter``, with all bounds checked.
struct CacheReader {
  /// The error of bytes that ``CacheWriter`` did not write.
  struct Damaged: Error {}

  private let bytes: [UInt8]
  private var position: Int

  init(_ bytes: [UInt8], from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// The bytes that are not read yet.
  var rest: ArraySlice<UInt8> { bytes[min(position, bytes.count)...] }

  mutating func number() throws(Damaged) -> Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      // The tenth byte has room for one bit. Higher bits would be lost, and their damage would stay hidden.
      guard shift < 63 || byte <= 1 else { throw Damaged() }
      value |= UInt64(byte & 0x7f) << shift
      if byte & 0x80 == 0 { return Int(Int64(bitPattern: value)) }
      shift += 7
    }
    throw Damaged()
  }

  mutating func text() throws(Damaged) -> String {
    let count = try number()
    guard count >= 0, count <= bytes.count - position else { throw Damaged() }
    defer { position += count }
    return String(decoding: bytes[position..<position + count], as: UTF8.self)
  }

  mutating func flag() throws(Damaged) -> Bool { try number() != 0 }

  mutating func optionalText() throws(Damaged) -> String? { try flag() ? try text() : nil }

  mutating func items<Item>(
    _ each: (inout CacheReader) throws(Damaged) -> Item
  ) throws(Damaged) -> [Item] {
    let count = try number()
    // Each item has at least one byte. So a damaged count cannot ask for unlimited memory.
    guard count >= 0, count <= bytes.count - position else { throw Damaged() }
    var items: [Item] = []
    items.reserveCapacity(count)
    for _ in 0..<count { items.append(try each(&self)) }
    return items
  }
}
