@_spi(FrontEnd) import Gangway
import Glibc

/// The headers of a library, read without running its code.
@_spi(FrontEnd) public struct LibraryFacts: Codable, Sendable {
  /// The path.
  package let file: String
  /// The size, in bytes.
  public let size: Int
  /// The needed libraries.
  public let needed: [String]
  /// The number of dynamic symbols.
  public let symbols: Int
  /// The library's markers of the framework's binary interface and of the compiler.
  public let markers: [String]
  /// The markers of this command.
  public let ownMarkers: [String]
  /// The number of entries that the library exports.
  public let entries: Int

  /// Reads a library.
  ///
  /// - Throws: ``Refusal`` at the steps `find`, `trust` and `file`.
  public init(file: String) throws(Refusal) {
    let trusted = try TrustedFile(file)
    let image = try ELFFile(trusted)
    self.file = file
    size = trusted.identity.size
    needed = image.needed
    symbols = image.symbols.count
    entries = image.symbols.defined(PluginContract.entry)
    markers = Self.markers(in: image.symbols)
    ownMarkers = Self.markers(in: try ELFFile(TrustedFile(PluginLibrary.frameworkPath)).symbols)
  }

  private static func markers(in symbols: ELFSymbols) -> [String] {
    let markers = PluginContract.markers(in: symbols)
    return [markers.abi, markers.compiler].compactMap(\.self)
  }
}

/// The paths of this command and its hosts.
@_spi(FrontEnd) public enum HostPaths {
  /// The path of the framework in this process.
  public static var framework: String { PluginLibrary.frameworkPath }
  /// The folder of stored verdicts and contributions.
  public static var cache: String { Folders.cache }
  /// The folder into which `gangway install` puts plugins. Hosts search it before their own folder.
  public static var plugins: String { Folders.plugins }
  /// The folder of plugins' data.
  public static var data: String { Folders.data }
}
