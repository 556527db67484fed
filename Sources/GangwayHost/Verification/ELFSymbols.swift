import Glibc

/// The dynamic symbols of a shared library, and the table by which a name is found among them.
///
/// A large library has thousands, and a host looks at hundreds of libraries: the hashes that the file itself has for its
/// defined symbols are compared, and only what they agree on is looked up by name.
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

  /// The table of symbols: its beginning in memory, the rest in the file.
  private final class Table {
    private let descriptor: Int32
    private let offset: Int
    private let beginning: Bytes
    private static let size = 24

    init(_ file: borrowing TrustedFile, offset: Int, beginning count: Int) {
      descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 3)
      self.offset = offset
      beginning = Bytes(file.read(count * Self.size, at: offset))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    subscript(index: Int) -> Symbol? {
      if let symbol = Self.symbol(beginning, index * Self.size) { return symbol }
      guard index >= 0 else { return nil }
      let record = [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, count in
        count = max(0, pread(descriptor, buffer.baseAddress, Self.size, off_t(offset + index * Self.size)))
      }
      return Self.symbol(Bytes(record), 0)
    }

    /// All symbols, read at once.
    func all(_ count: Int) -> [Symbol] {
      let size = Self.size * count
      let bytes = Bytes(
        [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
          filled = max(0, pread(descriptor, buffer.baseAddress, size, off_t(offset)))
        })
      return (0..<count).compactMap { Self.symbol(bytes, $0 * Self.size) }
    }

    private static func symbol(_ bytes: Bytes, _ offset: Int) -> Symbol? {
      guard let name = bytes.uint32(offset), let word = bytes.uint32(offset + 4) else { return nil }
      let info = word & 0xff
      let visibility = word >> 8 & 3
      return Symbol(
        nameOffset: Int(name), isDefined: word >> 16 != 0,
        isStrong: info >> 4 == 1 && (info & 15 == 1 || info & 15 == 2) && (visibility == 0 || visibility == 3))
    }
  }

  private let table: Table
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
      (hash, count) = try Self.readHash(file, gnuHashOffset, bucketCount, bloomCount, firstHashed)
    } else if let hashOffset {
      count = Int(try ELFFile.require(Bytes(file.read(8, at: hashOffset)).uint32(4)))
      (hash, firstHashed, bucketCount, bloomCount, bloomShift) = (Bytes([]), count, 0, 0, 0)
    } else {
      throw ELFFile.malformed("it has no symbol hash table")
    }
    guard count <= fileSize / 24, firstHashed <= count else {
      throw ELFFile.malformed("it claims \(max(count, firstHashed)) symbols, more than fit in it")
    }
    guard symbolOffset <= fileSize - count * 24 else { throw ELFFile.truncated("its symbol table", fileSize) }
    table = Table(file, offset: symbolOffset, beginning: firstHashed)
  }

  /// Reads the hash table: first the buckets, which say where the chains end, then those.
  private static func readHash(
    _ file: borrowing TrustedFile, _ offset: Int, _ bucketCount: Int, _ bloomCount: Int, _ firstHashed: Int
  ) throws(Refusal) -> (Bytes, count: Int) {
    let fileSize = file.identity.size
    let buckets = 16 + bloomCount * 8
    let chains = buckets + bucketCount * 4
    // A good guess of how many chains there are saves a second reading.
    let guess = chains + min(fileSize / 24, bucketCount * 4) * 4 + 4096
    var hash = Bytes(file.read(min(fileSize - offset, guess), at: offset))
    var last = 0
    for bucket in 0..<bucketCount {
      last = max(last, Int(try ELFFile.require(hash.uint32(buckets + bucket * 4))))
    }
    guard last >= firstHashed else { return (hash, firstHashed) }
    // The chains end with the last symbol, so at most as many words follow as there can be symbols.
    let room = min(fileSize - offset, chains + fileSize / 24 * 4)
    while true {
      if hash.uint32(chains + (last - firstHashed) * 4) == nil, hash.bytes.count < room {
        hash = Bytes(file.read(room, at: offset))
      }
      if try ELFFile.require(hash.uint32(chains + (last - firstHashed) * 4)) & 1 != 0 { break }
      last += 1
    }
    return (hash, last + 1)
  }

  subscript(index: Int) -> Symbol? { index < count ? table[index] : nil }

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
    return strings.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, let found = memchr(base + offset, 0, bytes.count - offset) else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  // MARK: Looking up

  /// The symbols of a name, defined or not hidden by a hash that is not there.
  private func indices(of name: ArraySlice<UInt8>) -> [Int] {
    guard bucketCount > 0 else {
      return (0..<count).filter { index in self[index].flatMap { self.name(of: $0) } == name }
    }
    var code: UInt32 = 5381
    for byte in name { code = code &* 33 &+ UInt32(byte) }
    guard isInBloom(code) else { return [] }
    var found: [Int] = []
    forEachCandidate(code, bucket: Int(code) % bucketCount) { index in
      if let symbol = self[index], self.name(of: symbol) == name { found.append(index) }
      return true
    }
    return found
  }

  /// How many symbols of this name are defined.
  func defined(_ name: String) -> Int {
    indices(of: Array(name.utf8)[...]).filter { self[$0]?.isDefined == true }.count
  }

  /// Whether a strong symbol of this name is defined here.
  func definesStrongly(_ name: ArraySlice<UInt8>) -> Bool {
    indices(of: name).contains { index in self[index].map { $0.isStrong && $0.isDefined } ?? false }
  }

  /// The first symbol that both define for others; nil where there is none.
  func symbol(definedIn other: ELFSymbols) -> String? {
    let chains = 16 + bloomCount * 8 + bucketCount * 4
    for index in (bucketCount > 0 ? firstHashed : 1)..<max(count, 1) {
      if bucketCount > 0 {
        // The file's own hash of the name, but for its last bit, which marks the end of a chain.
        guard let code = hash.uint32(chains + (index - firstHashed) * 4), other.mayDefine(code) else { continue }
      }
      guard let symbol = self[index], symbol.isStrong, symbol.isDefined, let name = name(of: symbol),
        other.definesStrongly(name)
      else { continue }
      return String(decoding: name, as: UTF8.self)
    }
    return nil
  }

  /// Whether a name with this hash, whose last bit is not known, may be defined here.
  private func mayDefine(_ code: UInt32) -> Bool {
    guard bucketCount > 0 else { return true }
    for code in [code & ~1, code | 1] where isInBloom(code) {
      var isThere = false
      forEachCandidate(code, bucket: Int(code) % bucketCount) { _ in
        isThere = true
        return false
      }
      if isThere { return true }
    }
    return false
  }

  private func isInBloom(_ code: UInt32) -> Bool {
    let word = hash.uint64(16 + Int(code / 64) % bloomCount * 8) ?? 0
    return word >> UInt64(code % 64) & 1 == 1 && word >> UInt64((code >> (bloomShift & 31)) % 64) & 1 == 1
  }

  /// Visits the symbols of a bucket whose hash is this one, but for the last bit.
  private func forEachCandidate(_ code: UInt32, bucket: Int, _ visit: (Int) -> Bool) {
    let buckets = 16 + bloomCount * 8
    let chains = buckets + bucketCount * 4
    var index = Int(hash.uint32(buckets + bucket * 4) ?? 0)
    guard index >= firstHashed else { return }
    while let link = hash.uint32(chains + (index - firstHashed) * 4) {
      if link | 1 == code | 1, !visit(index) { return }
      guard link & 1 == 0 else { return }
      index += 1
    }
  }

  /// The names of the symbols needed here that begin with a text.
  func needed(beginningWith prefix: String) -> [String] {
    names(of: (0..<firstHashed).compactMap { self[$0] }.filter { !$0.isDefined }, beginningWith: prefix)
  }

  /// The names of the symbols defined here that begin with a text. All symbols are read for it.
  func defined(beginningWith prefix: String) -> [String] {
    names(of: table.all(count).filter(\.isDefined), beginningWith: prefix)
  }

  private func names(of symbols: [Symbol], beginningWith prefix: String) -> [String] {
    let bytes = Array(prefix.utf8)
    return symbols.compactMap { symbol in
      guard strings.indices.contains(symbol.nameOffset), strings[symbol.nameOffset...].starts(with: bytes) else {
        return nil
      }
      return string(at: symbol.nameOffset)
    }
  }
}
