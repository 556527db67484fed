@_spi(FrontEnd) import Gangway

/// The symbols that a library must export and need to be a plugin of this host.
struct PluginContract {
  /// The name of the entry that a plugin exports.
  static let entry = "gangway_plugin"
  private static let libraries = ["libGangway.so", "libswiftCore.so"]

  private let framework: ELFSymbols
  private let abi: String
  private let compiler: String

  /// Reads the framework's own symbols, to compare plugins with.
  ///
  /// - Throws: a refusal of the framework's library if it is damaged.
  init(frameworkPath: String) throws(Refusal) {
    let image = try ELFFile(TrustedFile(frameworkPath))
    framework = image.symbols
    let names = image.symbols.defined(beginningWith: "gangway_")
    abi = names.first { $0.hasPrefix(ABIMarker.abiPrefix) } ?? ""
    compiler = names.first { $0.hasPrefix(ABIMarker.compilerPrefix) } ?? ""
  }

  /// Checks a library's symbols, and that its own name is the name of its file.
  ///
  /// - Parameter path: the path of the file.
  /// - Throws: a refusal at the step `contract`.
  func check(_ image: ELFFile, at path: String) throws(Refusal) {
    let symbols = image.symbols
    let entries = symbols.defined(Self.entry)
    guard entries > 0 else {
      throw Refusal(
        .contract, .notAPlugin, "it exports no '\(Self.entry)'",
        advice: "To make it a plugin, add the entry function: @c(\(Self.entry)) public func …")
    }
    guard entries == 1 else {
      throw Refusal(
        .contract, .severalEntries, "it exports '\(Self.entry)' \(entries) times",
        advice: "Put only one plugin into each library.")
    }
    if let name = symbols.symbol(definedIn: framework) {
      throw Refusal(
        .contract, .containsFramework,
        "it contains a copy of the framework: it defines '\(name)', which libGangway.so also defines",
        advice: "Build the plugin in a package of its own that depends on the product Gangway.")
    }
    for library in Self.libraries where !image.needed.contains(library) {
      throw Refusal(
        .contract, .missingLibrary,
        "it is not linked to '\(library)' (it is linked to \(image.needed.joined(separator: ", ")))",
        advice: "Link it dynamically: without -static-stdlib, and with the product Gangway.")
    }
    try checkMarkers(symbols)
    try checkDeclarations(symbols)
    // The loader identifies a library by this name. If the name is already loaded, the loader ignores the requested
    // file.
    let file = path.split(separator: "/").last.map(String.init) ?? path
    if let name = image.name, name != file {
      throw Refusal(
        .contract, .malformed, "its DT_SONAME is '\(name)', but its file is '\(file)'",
        advice: "Rename the file, or link it with -soname=\(file).")
    }
  }

  private func checkMarkers(_ symbols: ELFSymbols) throws(Refusal) {
    let names = symbols.needed(beginningWith: "gangway_")
    guard let pluginABI = names.first(where: { $0.hasPrefix(ABIMarker.abiPrefix) }),
      let pluginCompiler = names.first(where: { $0.hasPrefix(ABIMarker.compilerPrefix) })
    else {
      throw Refusal(
        .contract, .missingMarker, "it does not refer to an ABI marker (gangway_abi_…)",
        advice: "Return exportPlugin(…) from its entry, and do not strip its dynamic symbols.")
    }
    guard pluginABI == abi else {
      throw Refusal(
        .contract, .otherABI, "it is built against \(pluginABI), but this host has \(abi)",
        advice: "Rebuild it with the framework that this host uses.")
    }
    guard pluginCompiler == compiler else {
      throw Refusal(
        .contract, .otherCompiler, "it is built with \(pluginCompiler), but this host with \(compiler)",
        advice: "Build both with the same compiler.")
    }
  }

  private func checkDeclarations(_ symbols: ELFSymbols) throws(Refusal) {
    let missing = MissingDeclarations.names(neededBy: symbols, from: framework)
    guard !missing.isEmpty else { return }
    let shown = missing.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    throw Refusal(
      .contract, .missingDeclarations,
      "it uses what the framework of this host does not have: \(shown)"
        + (missing.count > 3 ? " and \(missing.count - 3) more" : ""),
      advice: "Use a host with a newer framework, or rebuild the plugin with the framework of this host.")
  }

  /// Returns the markers that a library defines or needs.
  static func markers(in symbols: ELFSymbols) -> (abi: String?, compiler: String?) {
    let all = symbols.defined(beginningWith: "gangway_") + symbols.needed(beginningWith: "gangway_")
    return (
      all.first { $0.hasPrefix(ABIMarker.abiPrefix) }, all.first { $0.hasPrefix(ABIMarker.compilerPrefix) }
    )
  }
}
