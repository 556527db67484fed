import Gangway
import Glibc

/// What the headers of a library say, read with none of its code run.
public struct LibraryFacts: Codable, Sendable {
  /// The path.
  public let file: String
  /// In bytes.
  public let size: Int
  /// The libraries it needs.
  public let needed: [String]
  /// How many dynamic symbols it has.
  public let symbols: Int
  /// The markers of the framework's binary interface and of the compiler that it names.
  public let markers: [String]
  /// Those that this command has.
  public let ownMarkers: [String]
  /// How often it exports the entry.
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

/// Where this command and its hosts find and keep things.
public enum HostPaths {
  /// The file of the framework that this process has loaded.
  public static var framework: String { PluginLibrary.frameworkPath }
  /// The folder in which verdicts and contributions are kept.
  public static var cache: String { Folders.cache }
  /// The folder that holds plugins' data.
  public static var data: String { Folders.data }
}
