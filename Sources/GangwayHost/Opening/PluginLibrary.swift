@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
import Glibc

/// Functions of the system that no Swift module declares.
enum SystemFunction {
  typealias Backtrace = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32

  /// The function that lists the calls of the current thread, by the unwind tables.
  ///
  /// Source: backtrace(3).
  static let backtrace = dlsym(nil, "backtrace").map { unsafeBitCast($0, to: Backtrace.self) }
}

/// The opening of verified libraries. Plugin code enters the process only here.
enum PluginLibrary {
  private typealias Entry = @convention(c) () -> UnsafeMutableRawPointer?

  /// An open library.
  ///
  /// It stays open for the life of the process. Swift images cannot be unloaded, because their runtime records would
  /// dangle.
  struct Opened: @unchecked Sendable {
    fileprivate let entry: UnsafeMutableRawPointer
  }

  /// Opens a library and calls its entry.
  ///
  /// - Throws: a refusal at the step `load`, with the dynamic loader's message.
  static func load(_ file: borrowing TrustedFile) throws(Refusal) -> any Plugin.Type {
    try file.requireUnchanged()
    return try plugin(of: open(file.path))
  }

  /// Opens a library, which runs its initializers. Runs on any thread.
  ///
  /// - Throws: a refusal at the step `load`, with the dynamic loader's message.
  static func open(_ path: String) throws(Refusal) -> Opened {
    // The loader would search for a bare name in other folders.
    guard let handle = dlopen(path.contains("/") ? path : "./" + path, RTLD_NOW | RTLD_LOCAL) else {
      throw Refusal(
        .load, .loadFailed, "it cannot be loaded: \(dlerror().map { String(cString: $0) } ?? "no reason given")",
        advice: "Install its libraries, or rebuild it with the framework that this host uses.")
    }
    guard let symbol = dlsym(handle, PluginContract.entry) else {
      throw Refusal(
        .load, .loadFailed, "its entry is missing: \(dlerror().map { String(cString: $0) } ?? "no reason given")",
        advice: "Rebuild it.")
    }
    return Opened(entry: symbol)
  }

  /// Returns the plugin that a library's entry exports.
  static func plugin(of library: Opened) throws(Refusal) -> any Plugin.Type {
    guard let export = unsafeBitCast(library.entry, to: Entry.self)() else {
      throw Refusal(
        .load, .emptyEntry, "its entry '\(PluginContract.entry)' returned nothing",
        advice: "Return exportPlugin(YourPlugin.self) from it.")
    }
    return PluginExport.take(export).type
  }

  /// The path of the framework in this process: the file from which its code is mapped.
  static let frameworkPath: String = {
    let marker: @convention(c) () -> Void = { _gangwayABIMarker() }
    let address = UInt(bitPattern: unsafeBitCast(marker, to: UnsafeRawPointer.self))
    return MappedFiles.first { _, addresses in addresses.contains(address) } ?? "libGangway.so"
  }()
}
