import Gangway

/// What a library must export and need to be a plugin of this host, read from its symbol table.
struct PluginContract {
  /// The name of the entry that a plugin exports.
  static let entry = "gangway_plugin"
  private static let libraries = ["libGangway.so", "libswiftCore.so"]

  private let framework: ELFSymbols
  private let abi: String
  private let compiler: String

  /// Reads what the framework itself exports, to compare plugins with.
  ///
  /// - Throws: a refusal of the framework's library, which then has been damaged.
  init(frameworkPath: String) throws(Refusal) {
    let image = try ELFFile(TrustedFile(frameworkPath))
    framework = image.symbols
    let markers = Self.markers(in: image.symbols, areDefined: true)
    abi = markers.abi ?? ""
    compiler = markers.compiler ?? ""
  }

  /// Checks a library's symbols.
  ///
  /// - Throws: a refusal at the step `contract`.
  func check(_ image: ELFFile) throws(Refusal) {
    let symbols = image.symbols
    let entries = symbols.defined(Self.entry)
    guard entries > 0 else {
      throw Refusal(
        .contract, .notAPlugin, "it exports no '\(Self.entry)'",
        advice: "If it should be a plugin, give it the entry: @c(\(Self.entry)) public func …")
    }
    guard entries == 1 else {
      throw Refusal(
        .contract, .severalEntries, "it exports '\(Self.entry)' \(entries) times",
        advice: "Keep one plugin to a library.")
    }
    for index in 1..<max(symbols.count, 1) {
      guard let symbol = symbols[index], symbol.isDefined, symbol.isStrong, let name = symbols.name(of: symbol),
        framework.definesStrongly(name)
      else { continue }
      throw Refusal(
        .contract, .containsFramework,
        "it contains a copy of the framework: it defines '\(String(decoding: name, as: UTF8.self))', which libGangway.so "
          + "defines too", advice: "Depend on the product Gangway of the package, from a package of the plugin's own.")
    }
    for library in Self.libraries where !image.needed.contains(library) {
      throw Refusal(
        .contract, .missingLibrary,
        "it does not need '\(library)' (it needs \(image.needed.joined(separator: ", ")))",
        advice: "Link it dynamically: without -static-stdlib, and with the product Gangway.")
    }
    try checkMarkers(symbols)
  }

  private func checkMarkers(_ symbols: ELFSymbols) throws(Refusal) {
    let markers = Self.markers(in: symbols, areDefined: false)
    guard let pluginABI = markers.abi, let pluginCompiler = markers.compiler else {
      throw Refusal(
        .contract, .missingMarker, "it names no ABI marker (gangway_abi_…) among the symbols it needs",
        advice: "Return exportPlugin(…) from its entry, and do not strip its dynamic symbols.")
    }
    guard pluginABI == abi else {
      throw Refusal(
        .contract, .otherABI, "it is built against \(pluginABI), this host has \(abi)",
        advice: "Build it again with the framework that this host uses.")
    }
    guard pluginCompiler == compiler else {
      throw Refusal(
        .contract, .otherCompiler, "it is built with \(pluginCompiler), this host with \(compiler)",
        advice: "Build both with one compiler.")
    }
  }

  /// The markers that a library names, whether it defines them or needs them.
  static func markers(in symbols: ELFSymbols) -> (abi: String?, compiler: String?) {
    let own = markers(in: symbols, areDefined: true)
    let needed = markers(in: symbols, areDefined: false)
    return (own.abi ?? needed.abi, own.compiler ?? needed.compiler)
  }

  private static func markers(in symbols: ELFSymbols, areDefined: Bool) -> (abi: String?, compiler: String?) {
    var abi: String?
    var compiler: String?
    for index in 1..<max(symbols.count, 1) {
      guard let symbol = symbols[index], symbol.isDefined == areDefined, let name = symbols.name(of: symbol),
        name.starts(with: "gangway_".utf8)
      else { continue }
      let text = String(decoding: name, as: UTF8.self)
      if text.hasPrefix(ABIMarker.abiPrefix) { abi = text }
      if text.hasPrefix(ABIMarker.compilerPrefix) { compiler = text }
    }
    return (abi, compiler)
  }
}

extension ELFSymbols {
  /// How many symbols of this name are defined.
  func defined(_ wanted: String) -> Int {
    let bytes = Array(wanted.utf8)
    var count = 0
    for index in 1..<max(self.count, 1) {
      guard let symbol = self[index], symbol.isDefined, let name = name(of: symbol), name.elementsEqual(bytes) else {
        continue
      }
      count += 1
    }
    return count
  }
}
