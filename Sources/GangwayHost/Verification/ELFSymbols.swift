/// The dynamic symbols of a shared library, and the table by which a name is found among them.
///
/// The GNU hash table: "GNU Hash ELF Sections", as glibc's `dl-lookup.c` reads it.
struct ELFSymbols {
  /// One dynamic symbol.
  struct Symbol {
    let nameOffset: Int
    let isDefined: Bool
    /// Whether it is a function or object visible to others, and not one of several that may be merged.
    let isStrong: Bool
  }

  private let table: Bytes
  private let strings: [UInt8]
  private let hash: Bytes
  private let firstHashed: Int
  private let bucketCount: Int
  private let bloomCount: Int
  private let bloomShift: UInt32

  /// How many there are, the empty first one included.
  let count: Int

  init(
    _ file: borrowing TrustedFile, symbolOffset: Int, strings: [UInt8], gnuHashOffset: Int?, hashOffset: Int?
  ) throws(Refusal) {
    self.strings = strings
    let fileSize = file.identity.size
    if let gnuHashOffset {
      let header = Bytes(file.read(16, at: gnuHashOffset))
      bucketCount = Int(try ELFFile.require(header.uint32(0)))
      firstHashed = Int(try ELFFile.require(header.uint32(4)))
      bloomCount = Int(try ELFFile.require(header.uint32(8)))
      bloomShift = try ELFFile.require(header.uint32(12))
      guard bucketCount > 0, bloomCount > 0, bloomCount <= fileSize / 8, bucketCount <= fileSize / 4 else {
        throw ELFFile.malformed("its symbol hash table has impossible sizes")
      }
      // The chains end with the last symbol, so at most as many words follow as there can be symbols.
      let chains = 16 + bloomCount * 8 + bucketCount * 4
      let room = min(fileSize - gnuHashOffset, chains + fileSize / 24 * 4)
      hash = Bytes(file.read(room, at: gnuHashOffset))
      count = try Self.lastHashed(hash, bucketCount, bloomCount, firstHashed)
    } else if let hashOffset {
      count = Int(try ELFFile.require(Bytes(file.read(8, at: hashOffset)).uint32(4)))
      (hash, firstHashed, bucketCount, bloomCount, bloomShift) = (Bytes([]), 0, 0, 0, 0)
    } else {
      throw ELFFile.malformed("it has no symbol hash table")
    }
    guard count <= fileSize / 24 else { throw ELFFile.malformed("it claims \(count) symbols, more than fit in it") }
    table = Bytes(file.read(count * 24, at: symbolOffset))
    guard table.bytes.count == count * 24 else { throw ELFFile.truncated("its symbol table", fileSize) }
  }

  private static func lastHashed(
    _ hash: Bytes, _ bucketCount: Int, _ bloomCount: Int, _ firstHashed: Int
  ) throws(Refusal) -> Int {
    let buckets = 16 + bloomCount * 8
    let chains = buckets + bucketCount * 4
    var last = 0
    for bucket in 0..<bucketCount {
      last = max(last, Int(try ELFFile.require(hash.uint32(buckets + bucket * 4))))
    }
    guard last >= firstHashed else { return firstHashed }
    while try ELFFile.require(hash.uint32(chains + (last - firstHashed) * 4)) & 1 == 0 { last += 1 }
    return last + 1
  }

  subscript(index: Int) -> Symbol? {
    guard let name = table.uint32(index * 24), let section = table.uint16(index * 24 + 6) else { return nil }
    let info = table.bytes[index * 24 + 4]
    let visibility = table.bytes[index * 24 + 5] & 3
    return Symbol(
      nameOffset: Int(name), isDefined: section != 0,
      isStrong: info >> 4 == 1 && (info & 15 == 1 || info & 15 == 2) && (visibility == 0 || visibility == 3))
  }

  /// The text at an offset of the string table.
  func string(at offset: Int) -> String? {
    guard let end = end(of: offset) else { return nil }
    return String(decoding: strings[offset..<end], as: UTF8.self)
  }

  /// The bytes of a name, without its end.
  func name(of symbol: Symbol) -> ArraySlice<UInt8>? {
    end(of: symbol.nameOffset).map { strings[symbol.nameOffset..<$0] }
  }

  private func end(of offset: Int) -> Int? {
    guard strings.indices.contains(offset) else { return nil }
    return strings[offset...].firstIndex(of: 0)
  }

  /// Whether a strong symbol of this name is defined here.
  func definesStrongly(_ name: ArraySlice<UInt8>) -> Bool {
    guard bucketCount > 0 else { return false }
    var code: UInt32 = 5381
    for byte in name { code = code &* 33 &+ UInt32(byte) }
    let word = hash.uint64(16 + Int(code / 64) % bloomCount * 8) ?? 0
    guard word >> UInt64(code % 64) & 1 == 1, word >> UInt64((code >> bloomShift) % 64) & 1 == 1 else { return false }
    let buckets = 16 + bloomCount * 8
    let chains = buckets + bucketCount * 4
    var index = Int(hash.uint32(buckets + Int(code) % bucketCount * 4) ?? 0)
    guard index >= firstHashed else { return false }
    while let link = hash.uint32(chains + (index - firstHashed) * 4) {
      if link | 1 == code | 1, let symbol = self[index], symbol.isStrong, symbol.isDefined,
        self.name(of: symbol) == name
      {
        return true
      }
      guard link & 1 == 0 else { return false }
      index += 1
    }
    return false
  }
}
