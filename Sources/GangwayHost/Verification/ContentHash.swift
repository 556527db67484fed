import FoundationEssentials

/// An FNV-1a hash over 64-bit words, which tells contents apart.
///
/// It does not stop an attacker, who could write the cache as well. Source: Fowler, Noll, Vo, "FNV hash",
/// isthe.com/chongo/tech/comp/fnv.
struct ContentHash {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func update(_ bytes: some ContiguousBytes) {
    bytes.withUnsafeBytes { raw in
      var index = 0
      while index + 8 <= raw.count {
        value = (value ^ raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x0000_0100_0000_01b3
        index += 8
      }
      while index < raw.count {
        value = (value ^ UInt64(raw[index])) &* 0x0000_0100_0000_01b3
        index += 1
      }
    }
  }
}
