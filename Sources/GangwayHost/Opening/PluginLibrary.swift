import Gangway
import GangwayClient
import Glibc

/// Functions and data of the system's that no module of Swift has.
enum SystemFunction {
  typealias Backtrace = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32

  /// The calls of the present thread, by the unwind tables.
  ///
  /// Source: backtrace(3).
  static let backtrace = dlsym(nil, "backtrace").map { unsafeBitCast($0, to: Backtrace.self) }
}

/// Opening a verified library. The one place where code of a plugin comes into the process.
enum PluginLibrary {
  private typealias Entry = @convention(c) () -> UnsafeMutableRawPointer?

  /// A library that has been opened, which stays so for the life of the process: Swift images cannot be unloaded, for
  /// their runtime records would dangle.
  struct Opened: @unchecked Sendable {
    fileprivate let entry: UnsafeMutableRawPointer
  }

  /// Loads a library and calls its entry.
  ///
  /// - Throws: a refusal at the step `load` with the dynamic loader's own words.
  static func load(_ file: borrowing TrustedFile) throws(Refusal) -> any Plugin.Type {
    try file.requireUnchanged()
    return try plugin(of: open(file.path))
  }

  /// Opens a library, which runs what it does on being loaded. On any thread.
  ///
  /// - Throws: a refusal at the step `load` with the dynamic loader's own words.
  static func open(_ path: String) throws(Refusal) -> Opened {
    // A bare name would be looked for elsewhere.
    guard let handle = dlopen(path.contains("/") ? path : "./" + path, RTLD_NOW | RTLD_LOCAL) else {
      throw Refusal(
        .load, .loadFailed, "it cannot be loaded: \(dlerror().map { String(cString: $0) } ?? "no reason given")",
        advice: "Install what it needs, or build it again with the framework that this host uses.")
    }
    guard let symbol = dlsym(handle, PluginContract.entry) else {
      throw Refusal(
        .load, .loadFailed, "its entry is gone: \(dlerror().map { String(cString: $0) } ?? "no reason given")",
        advice: "Build it again.")
    }
    return Opened(entry: symbol)
  }

  /// Calls the entry of a library.
  static func plugin(of library: Opened) throws(Refusal) -> any Plugin.Type {
    guard let export = unsafeBitCast(library.entry, to: Entry.self)() else {
      throw Refusal(
        .load, .emptyEntry, "its entry '\(PluginContract.entry)' returned nothing",
        advice: "Return exportPlugin(YourPlugin.self) from it.")
    }
    return PluginExport.take(export).type
  }

  /// The file that holds the framework in this process: the one its code is mapped from.
  static let frameworkPath: String = {
    let marker: @convention(c) () -> Void = { _gangwayABIMarker() }
    let address = UInt(bitPattern: unsafeBitCast(marker, to: UnsafeRawPointer.self))
    return MappedFiles.first { _, addresses in addresses.contains(address) } ?? "libGangway.so"
  }()
}
