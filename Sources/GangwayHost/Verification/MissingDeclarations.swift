import Glibc

/// The declarations of the framework that a plugin uses and that the framework of this host does not have.
///
/// An old plugin runs with a newer framework, because the framework is built with library evolution. A plugin that
/// was built against a newer framework runs, too, unless it uses a declaration that is new.
enum MissingDeclarations {
  /// The modules that stay compatible; plugins use no other module of the framework.
  private static let modules = ["Gangway", "GangwayProtocol"]

  /// Returns the missing declarations in Swift's words, such as `Router.show(_:)`.
  ///
  /// Another library may add declarations to types of the framework. Those are left to the dynamic loader, which
  /// knows all libraries.
  static func names(neededBy plugin: ELFSymbols, from framework: ELFSymbols) -> [String] {
    let marks = modules.map { "\($0.utf8.count)\($0)" }
    var found: [String] = []
    for symbol in plugin.needed(beginningWith: "$s") where marks.contains(where: symbol.contains) {
      guard framework.defined(symbol) == 0, let name = demangled(symbol), isOfFramework(symbol, name) else { continue }
      let short = shortened(name)
      if !found.contains(short) { found.append(short) }
    }
    return found.sorted()
  }

  private static func isOfFramework(_ symbol: String, _ name: String) -> Bool {
    let isExtended = name.contains("(extension in ")
    if modules.contains(where: { name.contains("(extension in \($0)):") || name.hasSuffix(" in \($0)") }) {
      return true
    }
    return !isExtended && !name.contains(" conformance ")
      && modules.contains { symbol.hasPrefix("$s\($0.utf8.count)\($0)") }
  }

  /// Returns a declaration without the kind of its symbol and without the framework's modules.
  private static func shortened(_ name: String) -> String {
    var name = name
    for kind in [" of ", " for "] {
      // A kind of symbol has no dots: "type metadata accessor for Gangway.Router".
      if let range = name.firstRange(of: kind), !name[..<range.lowerBound].contains(".") {
        name = String(name[range.upperBound...])
      }
    }
    for module in modules { name.replace("(extension in \(module)):", with: "") }
    for module in modules + ["Swift"] { name.replace("\(module).", with: "") }
    return name
  }

  /// Returns a symbol as the runtime's `swift_demangle` describes it; nil if it is not a symbol of Swift.
  private static func demangled(_ symbol: String) -> String? {
    typealias Demangle =
      @convention(c) (
        UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
      ) -> UnsafeMutablePointer<CChar>?
    guard let function = dlsym(nil, "swift_demangle") else { return nil }
    let demangle = unsafeBitCast(function, to: Demangle.self)
    guard let text = symbol.withCString({ demangle($0, symbol.utf8.count, nil, nil, 0) }) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
