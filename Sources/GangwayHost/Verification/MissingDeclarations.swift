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
    // A plugin needs hundreds of symbols. With `String.contains`, all checks before loading took ten times as long.
    for symbol in plugin.needed(beginningWith: "$s") where marks.contains(where: { strstr(symbol, $0) != nil }) {
      guard framework.defined(symbol) == 0, let name = demangled(symbol), isOfFramework(name) else { continue }
      let short = shortened(name)
      if !found.contains(short) { found.append(short) }
    }
    return found.sorted()
  }

  private static func isOfFramework(_ name: String) -> Bool {
    // "protocol witness table for Gangway.Router : Contracts.Sailing in Contracts"
    if let range = name.ranges(of: " in ").last, name[range.upperBound...].allSatisfy({ $0.isLetter || $0.isNumber }) {
      return modules.contains(String(name[range.upperBound...]))
    }
    let declaration = withoutKind(name)
    return modules.contains {
      declaration.hasPrefix("(extension in \($0)):") || declaration.hasPrefix("\($0).")
    }
  }

  /// Returns a declaration without the kind of its symbol: "type metadata accessor for Gangway.Router".
  private static func withoutKind(_ name: String) -> Substring {
    var rest = name[...]
    for kind in [" of ", " for ", " to "] {
      if let range = rest.firstRange(of: kind), !rest[..<range.lowerBound].contains(where: { ".(".contains($0) }) {
        rest = rest[range.upperBound...]
      }
    }
    return rest.hasPrefix("static ") ? rest.dropFirst(7) : rest
  }

  /// Returns a declaration without the kind of its symbol and without the framework's modules.
  private static func shortened(_ name: String) -> String {
    var name = String(withoutKind(name))
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
