/// The headers of a shared library, read with all bounds checked and without running its code.
///
/// Format: System V ABI, "Object Files" and "Program Loading and Dynamic Linking"; glibc's `<elf.h>`.
struct ELFFile {
  /// The names in `DT_NEEDED`.
  private(set) var needed: [String] = []
  /// The name in `DT_SONAME`, by which the loader identifies the library at any path.
  private(set) var name: String?
  /// The paths in `DT_RPATH` and `DT_RUNPATH`, where the loader finds needed libraries: folders separated by colons.
  private(set) var rPath: String?
  private(set) var runPath: String?
  /// The dynamic symbols.
  private(set) var symbols: ELFSymbols

  private struct Segment {
    let address: Int
    let offset: Int
    let size: Int
  }

  /// The largest string table to read, in bytes. No useful library has a tenth of it.
  private static let maximumStrings = 64 << 20

  private static let thisMachine: UInt16 = {
    #if arch(x86_64)
      62
    #elseif arch(arm64)
      183
    #else
      0
    #endif
  }()

  /// Reads the headers of a file.
  ///
  /// - Throws: a refusal at the step `file`.
  init(_ file: borrowing TrustedFile) throws(Refusal) {
    let header = Bytes(file.read(64, at: 0))
    try Self.checkIdentification(header, size: file.identity.size)
    let type = try Self.require(header.uint16(16))
    guard type == 3 else {
      throw Refusal(
        .file, .notSharedObject, "it is \(Self.kind(type)), not a shared object",
        advice: "Build it as a dynamic library product.")
    }
    let machine = try Self.require(header.uint16(18))
    guard machine == Self.thisMachine else {
      throw Refusal(
        .file, .otherArchitecture,
        "it is built for \(Self.name(machine)), but this host runs on \(Self.name(Self.thisMachine))",
        advice: "Build it on or for this machine.")
    }
    // No loader reads the sections. But a file without the end of their table is truncated.
    let sections = try Self.require(header.int64(40))
    let size = Int(try Self.require(header.uint16(58))) * Int(try Self.require(header.uint16(60)))
    try Self.check(sections, size, "its section headers", file.identity.size)
    let segments = try Self.segments(header, file)
    let dynamic = try Self.dynamicEntries(header, segments, file)
    try self.init(dynamic, segments, file)
  }

  private init(
    _ dynamic: [(tag: Int, value: Int)], _ segments: [Segment], _ file: borrowing TrustedFile
  ) throws(Refusal) {
    func value(_ tag: Int) -> Int? { dynamic.first { $0.tag == tag }?.value }
    func offset(_ address: Int) throws(Refusal) -> Int {
      guard let segment = segments.first(where: { $0.address <= address && address - $0.address < $0.size }) else {
        throw Self.malformed("its dynamic section points outside the file (address \(address))")
      }
      return segment.offset + (address - segment.address)
    }
    guard let stringAddress = value(5), let stringSize = value(10), let symbolAddress = value(6) else {
      throw Self.malformed("it has no dynamic symbol table")
    }
    guard stringSize <= Self.maximumStrings else {
      throw Self.malformed("its string table has \(stringSize) bytes; the maximum is \(Self.maximumStrings)")
    }
    let strings = file.read(stringSize, at: try offset(stringAddress))
    guard strings.count == stringSize else { throw Self.truncated("its string table", file.identity.size) }
    let hashOffset: Int?
    if let address = value(0x6fff_fef5) { hashOffset = try offset(address) } else { hashOffset = nil }
    let sysVOffset: Int?
    if let address = value(4) { sysVOffset = try offset(address) } else { sysVOffset = nil }
    symbols = try ELFSymbols(
      file, symbolOffset: try offset(symbolAddress), strings: strings, gnuHashOffset: hashOffset,
      hashOffset: sysVOffset)
    for entry in dynamic where entry.tag == 1 {
      guard let name = symbols.string(at: entry.value) else {
        throw Self.malformed("the name of a needed library lies outside its string table")
      }
      needed.append(name)
    }
    func string(_ tag: Int, _ what: String) throws(Refusal) -> String? {
      guard let position = value(tag) else { return nil }
      guard let string = symbols.string(at: position) else {
        throw Self.malformed("\(what) lies outside its string table")
      }
      return string
    }
    name = try string(14, "its name")
    rPath = try string(15, "its search path")
    runPath = try string(29, "its search path")
  }

  // MARK: Parts

  private static func checkIdentification(_ header: Bytes, size: Int) throws(Refusal) {
    guard header.bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
      let what = size == 0 ? "it is empty" : "it is not an ELF file: it does not begin with 7f 45 4c 46"
      throw Refusal(.file, .notELF, what, advice: "Name a shared library built for Linux.")
    }
    guard header.bytes.count == 64 else { throw truncated("its header", size) }
    guard header.bytes[4] == 2 else {
      throw Refusal(
        .file, .otherArchitecture, "it is a 32-bit file, but this host is a 64-bit program",
        advice: "Build it for 64 bits."
      )
    }
    guard header.bytes[5] == 1 else {
      throw Refusal(
        .file, .otherArchitecture, "it is big-endian, but this machine is little-endian",
        advice: "Build it on or for this machine.")
    }
  }

  private static func segments(_ header: Bytes, _ file: borrowing TrustedFile) throws(Refusal) -> [Segment] {
    var segments: [Segment] = []
    try eachProgramHeader(header, file) { type, entry throws(Refusal) in
      let (isExecutable, isWritable) = (try require(entry.uint32(4)) & 1 != 0, try require(entry.uint32(4)) & 2 != 0)
      if type == 0x6474_e551, isExecutable { throw unsafe("an executable stack") }
      guard type == 1 else { return }
      if isExecutable, isWritable { throw unsafe("memory that is both writable and executable") }
      let segment = Segment(
        address: try require(entry.int64(16)), offset: try require(entry.int64(8)), size: try require(entry.int64(32)))
      try check(segment.offset, segment.size, "a segment", file.identity.size)
      segments.append(segment)
    }
    return segments
  }

  private static func dynamicEntries(
    _ header: Bytes, _ segments: [Segment], _ file: borrowing TrustedFile
  ) throws(Refusal) -> [(tag: Int, value: Int)] {
    var entries: [(tag: Int, value: Int)] = []
    var isFound = false
    let fileSize = file.identity.size
    var place = (offset: 0, size: 0)
    try eachProgramHeader(header, file) { type, entry throws(Refusal) in
      guard type == 2 else { return }
      isFound = true
      place = (try require(entry.int64(8)), try require(entry.int64(32)))
      try check(place.offset, place.size, "its dynamic section", fileSize)
      // The loader uses the address, so the checked bytes must be the ones at that address.
      let address = try require(entry.int64(16))
      let mapped = segments.first { $0.address <= address && address - $0.address < $0.size }
      guard let mapped, mapped.offset + (address - mapped.address) == place.offset else {
        throw malformed(
          "its dynamic section is at offset \(place.offset), but its address \(address) maps to another offset")
      }
    }
    guard isFound else { throw malformed("it has no dynamic section") }
    let bytes = Bytes(file.read(min(place.size, 1 << 20), at: place.offset))
    for index in 0..<bytes.bytes.count / 16 {
      let tag = try require(bytes.int64(index * 16))
      guard tag != 0 else { break }
      entries.append((tag, try require(bytes.int64(index * 16 + 8))))
    }
    return entries
  }

  private static func eachProgramHeader(
    _ header: Bytes, _ file: borrowing TrustedFile, _ visit: (UInt32, Bytes) throws(Refusal) -> Void
  ) throws(Refusal) {
    let offset = try require(header.int64(32))
    let size = Int(try require(header.uint16(54)))
    let count = Int(try require(header.uint16(56)))
    guard size >= 56, count > 0 else { throw malformed("it has no program headers") }
    try check(offset, size * count, "its program headers", file.identity.size)
    let bytes = Bytes(file.read(size * count, at: offset))
    for index in 0..<count {
      let entry = Bytes([UInt8](bytes.bytes.dropFirst(index * size).prefix(size)))
      try visit(try require(entry.uint32(0)), entry)
    }
  }

  // MARK: Words

  private static func check(_ offset: Int, _ size: Int, _ what: String, _ fileSize: Int) throws(Refusal) {
    guard offset >= 0, size >= 0, offset <= fileSize, size <= fileSize - offset else {
      throw truncated(what, fileSize)
    }
  }

  static func truncated(_ what: String, _ size: Int) -> Refusal {
    Refusal(
      .file, .truncated, "the end of \(what) is beyond the end of the file, which has \(size) bytes",
      advice: "The file is incomplete: copy or build it again.")
  }

  private static func unsafe(_ what: String) -> Refusal {
    Refusal(
      .file, .malformed, "it asks for \(what), which makes memory bugs in any plugin easier to exploit",
      advice: "Build the plugin without it. Assembly code needs a .note.GNU-stack section.")
  }

  static func malformed(_ what: String) -> Refusal {
    Refusal(.file, .malformed, what, advice: "The file is damaged, or an unusual tool made it. Build the plugin again.")
  }

  static func require<Value>(_ value: Value?) throws(Refusal) -> Value {
    guard let value else { throw malformed("a field of its headers is out of range") }
    return value
  }

  private static func kind(_ type: UInt16) -> String {
    switch type {
    case 1: "a relocatable object"
    case 2: "an executable"
    case 4: "a core dump"
    default: "an ELF file of type \(type)"
    }
  }

  private static func name(_ machine: UInt16) -> String {
    switch machine {
    case 3: "i386"
    case 40: "arm"
    case 62: "x86-64"
    case 183: "aarch64"
    case 243: "risc-v"
    default: "machine \(machine)"
    }
  }
}

/// The bytes of a file, read as little-endian numbers. A read returns nil beyond the end or outside `Int`'s range.
struct Bytes {
  let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func load<Number: FixedWidthInteger>(_ type: Number.Type, _ offset: Int) -> Number? {
    guard offset >= 0, offset <= bytes.count - MemoryLayout<Number>.size else { return nil }
    return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
  }

  func uint16(_ offset: Int) -> UInt16? { load(UInt16.self, offset) }
  func uint32(_ offset: Int) -> UInt32? { load(UInt32.self, offset) }
  func uint64(_ offset: Int) -> UInt64? { load(UInt64.self, offset) }
  func int64(_ offset: Int) -> Int? { load(UInt64.self, offset).flatMap(Int.init(exactly:)) }
}
