import Glibc

/// Characters of long texts. The usual operations of `String` look at each character of a text, which takes
/// milliseconds for a pasted megabyte.
extension String {
  /// Whether each byte of the text is one character: ASCII, without carriage returns, which may join a line feed.
  var isPlain: Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      guard let start = bytes.baseAddress else { return true }
      // A loop without an exit is vectorized.
      var all: UInt8 = 0
      for byte in bytes { all |= byte }
      return all < 0x80 && memchr(start, 0x0d, bytes.count) == nil
    } ?? false
  }

  /// The number of characters.
  var characterCount: Int { isPlain ? utf8.count : count }

  /// Returns the index of a character.
  ///
  /// - Parameter number: its number, from 0 to the number of characters.
  func index(ofCharacter number: Int) -> Index {
    isPlain ? utf8.index(startIndex, offsetBy: number) : index(startIndex, offsetBy: number)
  }
}
