import Glibc

/// The dynamic symbols of a shared library, with the table that finds a symbol by name.
///
/// A large library has thousands of symbols, and a host examines hundreds of libraries. So a search compares the hashes
/// that the file has for its defined symbols. It compares names only if the hashes match.
///
/// The GNU hash table: "GNU Hash ELF Sections", as glibc's `dl-lookup.c` reads it.
struct ELFSymbols {
  /// One dynamic symbol.
  struct Symbol {
    let nameOffset: Int
    let isDefined: Bool
    /// Whether it is a function or object that other libraries see, and not one of several that may be merged.
    let isStrong: Bool
  }

  /// The symbol table: its beginning in memory, the rest in the file.
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

    /// Returns all symbols, with one read.
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

  /// The number of symbols, the empty first one included.
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
      throw ELFFile.malformed("it claims \(max(count, firstHashed)) symbols, more than fit in the file")
    }
    guard symbolOffset <= fileSize - count * 24 else { throw ELFFile.truncated("its symbol table", fileSize) }
    table = Table(file, offset: symbolOffset, beginning: firstHashed)
  }

  /// Reads the hash table: first the buckets, which show where the chains end, then the chains.
  private static func readHash(
    _ file: borrowing TrustedFile, _ offset: Int, _ bucketCount: Int, _ bloomCount: Int, _ firstHashed: Int
  ) throws(Refusal) -> (Bytes, count: Int) {
    let fileSize = file.identity.size
    let buckets = 16 + bloomCount * 8
    let chains = buckets + bucketCount * 4
    // A good guess of the number of chains saves a second read.
    let guess = chains + min(fileSize / 24, bucketCount * 4) * 4 + 4096
    var hash = Bytes(file.read(min(fileSize - offset, guess), at: offset))
    var last = 0
    for bucket in 0..<bucketCount {
      last = max(last, Int(try ELFFile.require(hash.uint32(buckets + bucket * 4))))
    }
    guard last >= firstHashed else { return (hash, firstHashed) }
    // The chains end with the last symbol. So at most as many words follow as there can be symbols.
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

  /// Returns the text at an offset of the string table.
  func string(at offset: Int) -> String? {
    guard let end = end(of: offset) else { return nil }
    return String(decoding: strings[offset..<end], as: UTF8.self)
  }

  /// Returns the bytes of a name, without the zero at its end.
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

  /// Returns the symbols with a name. A GNU hash table lists only defined symbols; without one, all symbols are
  /// searched.
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

  /// Returns the number of defined symbols with a name.
  func defined(_ name: String) -> Int {
    indices(of: Array(name.utf8)[...]).filter { self[$0]?.isDefined == true }.count
  }

  /// Returns whether the library defines a strong symbol with a name.
  func definesStrongly(_ name: ArraySlice<UInt8>) -> Bool {
    indices(of: name).contains { index in self[index].map { $0.isStrong && $0.isDefined } ?? false }
  }

  /// Returns the first strong symbol that both libraries define; nil if there is none.
  func symbol(definedIn other: ELFSymbols) -> String? {
    let chains = 16 + bloomCount * 8 + bucketCount * 4
    for index in (bucketCount > 0 ? firstHashed : 1)..<max(count, 1) {
      if bucketCount > 0 {
        // The file's own hash of the name, except its last bit, which marks the end of a chain.
        guard let code = hash.uint32(chains + (index - firstHashed) * 4), other.mayDefine(code) else { continue }
      }
      guard let symbol = self[index], symbol.isStrong, symbol.isDefined, let name = name(of: symbol),
        other.definesStrongly(name)
      else { continue }
      return String(decoding: name, as: UTF8.self)
    }
    return nil
  }

  /// Returns whether the library may define a name with this hash, whose last bit is unknown.
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

  /// Visits the symbols of a bucket that have this hash, except its last bit, until `visit` returns false.
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

  /// Returns the names of needed symbols with a prefix.
  func needed(beginningWith prefix: String) -> [String] {
    names(of: (0..<firstHashed).compactMap { self[$0] }.filter { !$0.isDefined }, beginningWith: prefix)
  }

  /// Returns the names of defined symbols with a prefix. This reads all symbols.
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
