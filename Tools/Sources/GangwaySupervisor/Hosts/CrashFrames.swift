import FoundationEssentials
@_spi(FrontEnd) import GangwayProtocol

/// The call stack of a crashed host, as its signal handler wrote it.
///
/// Format: a count, then as many addresses, innermost first, each a machine word; then the text of `/proc/pid/maps`.
package struct CrashFrames {
  /// The environment variable that names the file to the host.
  static let variable = "GANGWAY_CRASH_FRAMES"

  /// The file names of the libraries that the calls belong to, innermost first.
  let libraries: [String]

  /// Makes a call stack of the libraries' file names, innermost first.
  package init(libraries: [String]) { self.libraries = libraries }

  /// Reads a file; returns nil if the file is missing or truncated.
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

  /// Parses a line of `/proc/pid/maps`; returns nil if the line maps no file.
  private static func range(_ line: Data) -> (addresses: Range<UInt>, name: String)? {
    guard let path = line.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let bounds = line.prefix { $0 != UInt8(ascii: " ") }.split(separator: UInt8(ascii: "-"))
      .compactMap { UInt(String(decoding: $0, as: UTF8.self), radix: 16) }
    guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
    let name = String(decoding: line[path...].split(separator: UInt8(ascii: "/")).last ?? Data(), as: UTF8.self)
    return (bounds[0]..<bounds[1], name)
  }

  /// Returns the plugin whose code was running: the plugin of the innermost call that belongs to one.
  ///
  /// - Parameter plugins: the plugins' ids, by file name.
  func culprit(among plugins: [String: PluginID]) -> PluginID? { libraries.lazy.compactMap { plugins[$0] }.first }
}
