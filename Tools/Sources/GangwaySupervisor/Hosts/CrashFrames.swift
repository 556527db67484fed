import FoundationEssentials

/// Which code was running when a host crashed, as its signal handler wrote it down.
///
/// Format: a count, then as many addresses, the innermost first, each a machine word; then the text of `/proc/pid/maps`.
struct CrashFrames {
  /// Names the file to the host.
  static let variable = "GANGWAY_CRASH_FRAMES"

  /// The last components of the paths of the files whose code the calls are in, the innermost first.
  let libraries: [String]

  /// Reads a file; nil where there is none, or not all of it.
  init?(file: String) {
    guard let data = FileManager.default.contents(atPath: file) else { return nil }
    self.init(data)
  }

  init?(_ data: Data) {
    let size = MemoryLayout<UInt>.size
    func word(_ index: Int) -> UInt {
      data.dropFirst(index * size).prefix(size).reversed().reduce(0) { $0 << 8 | UInt($1) }
    }
    guard data.count >= size, case let count = word(0), count <= 1_024, data.count >= (Int(count) + 1) * size else {
      return nil
    }
    let ranges = data.dropFirst((Int(count) + 1) * size).split(separator: UInt8(ascii: "\n")).compactMap(Self.range)
    libraries = (0..<Int(count)).compactMap { number in
      let address = word(number + 1)
      return ranges.first { $0.addresses.contains(address) }?.name
    }
  }

  /// A line of `/proc/pid/maps`; nil where no file is mapped there.
  private static func range(_ line: Data) -> (addresses: Range<UInt>, name: String)? {
    guard let path = line.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let bounds = line.prefix { $0 != UInt8(ascii: " ") }.split(separator: UInt8(ascii: "-"))
      .compactMap { UInt(String(decoding: $0, as: UTF8.self), radix: 16) }
    guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
    let name = String(decoding: line[path...].split(separator: UInt8(ascii: "/")).last ?? Data(), as: UTF8.self)
    return (bounds[0]..<bounds[1], name)
  }

  /// The plugin whose code was running: that of the innermost call that is in one.
  ///
  /// - Parameter plugins: their ids, by the names of their files.
  func culprit(among plugins: [String: String]) -> String? { libraries.lazy.compactMap { plugins[$0] }.first }
}
