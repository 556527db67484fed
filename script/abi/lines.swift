// Reduces the dumps of swift-api-digester to a line for each public declaration, so that a difference names it:
//   lines MODULE DUMP SYMBOLS [MODULE DUMP SYMBOLS]...
// SYMBOLS is a folder with a symbol graph of the module, which lists what plugins can use. Dumps also have what only
// front ends, or other modules of the framework, can use.
//
// A line has the declaration's path, its mangled name and a hash of what old binaries rely on. With library evolution,
// they do not rely on the layout of a type that is not @frozen. The line of a protocol's requirement without a default
// ends with `required`: old conformances do not have it.
import Foundation

struct Hash {
  var value: UInt64 = 0xcbf2_9ce4_8422_2325
  mutating func add(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  }
}

typealias Node = [String: Any]

func isDeclaration(_ node: Node) -> Bool { node["declKind"] != nil }

/// Attributes that old binaries do not rely on: a stored property may become a computed one.
let ignoredAttributes: Set<String> = ["HasStorage", "HasInitialValue", "Available"]
/// Keys that other lines have, or that old binaries do not rely on.
let ignoredKeys: Set<String> = [
  "accessors", "conformances", "deprecated", "hasDefaultArg", "hasStorage", "isLet", "mangledName", "usr",
]

/// Adds all that a node says, except nested declarations and what old binaries do not rely on.
func describe(_ value: Any, _ hash: inout Hash, isFrozen: Bool = false) {
  switch value {
  case let node as Node:
    for key in node.keys.sorted() where !ignoredKeys.contains(key) {
      hash.add(key)
      describe(node[key] ?? "", &hash, isFrozen: isFrozen)
    }
  case let list as [Any]:
    for item in list {
      if let node = item as? Node, isDeclaration(node) {
        // The layout of a frozen type; the rest is in the declaration's own line.
        guard isFrozen, node["hasStorage"] as? Bool == true || node["declKind"] as? String == "EnumElement" else {
          continue
        }
        hash.add(node["printedName"] as? String ?? "")
      } else if let attribute = item as? String, ignoredAttributes.contains(attribute) {
        continue
      } else {
        describe(item, &hash)
      }
    }
  default: hash.add("\(value)")
  }
}

/// The symbols that plugins can use.
var usable: Set<String> = []

func isUsable(_ node: Node) -> Bool {
  if node["protocolReq"] as? Bool == true { return true }
  if node["spi_group_names"] != nil { return false }
  // Symbol graphs leave out names with an underscore.
  if (node["name"] as? String)?.hasPrefix("_") == true { return true }
  return (node["usr"] as? String).map(usable.contains) ?? false
}

func isFrameworks(_ usr: String) -> Bool { usr.hasPrefix("s:7Gangway") || usr.hasPrefix("s:15GangwayProtocol") }

func text(of node: Node, isFrozen: Bool = false) -> String {
  var hash = Hash()
  describe(node, &hash, isFrozen: isFrozen)
  return String(hash.value, radix: 16)
}

/// Returns what a requirement and its default have in common. A default with more conditions is none for all types.
func signature(_ node: Node) -> String {
  let accessors = node["accessors"] as? [Node] ?? []
  let types = (node["children"] as? [Node] ?? []).map { $0["printedName"] as? String ?? "" }
  let conditions = node["genericSig"] ?? accessors.first?["genericSig"] ?? ""
  return "\(node["printedName"] ?? "") \(conditions) \(types)"
}

func addConformances(_ node: Node, _ path: String, _ lines: inout Set<String>, ofOthers: Bool) {
  for conformance in node["conformances"] as? [Node] ?? [] {
    guard let usr = conformance["usr"] as? String, let name = conformance["printedName"] as? String,
      isFrameworks(usr) ? usable.contains(usr) : !ofOthers
    else { continue }
    lines.insert("\(path): \(name) conformance - \(text(of: conformance))")
  }
}

func walk(_ node: Node, _ path: [String], _ defaults: Set<String>, _ lines: inout Set<String>) {
  var path = path
  let isProtocol = node["declKind"] as? String == "Protocol"
  if isDeclaration(node), node["declKind"] as? String != "Import" {
    let name = node["printedName"] as? String ?? "?"
    path.append(name)
    let full = path.joined(separator: ".")
    if node["isExternal"] as? Bool == true {
      // A type of another module, which the framework extends.
      addConformances(node, full, &lines, ofOthers: true)
    } else {
      guard isUsable(node) else { return }
      var hash = text(of: node, isFrozen: (node["declAttributes"] as? [String])?.contains("Frozen") == true)
      if isProtocol {
        // An inherited protocol is part of the protocol.
        let inherited = (node["conformances"] as? [Node] ?? []).compactMap { $0["printedName"] as? String }
        hash += inherited.sorted().joined()
      } else {
        addConformances(node, full, &lines, ofOthers: false)
      }
      let hasDefault =
        node["declKind"] as? String == "AssociatedType"
        ? node["children"] != nil : defaults.contains(signature(node))
      let isRequired = node["protocolReq"] as? Bool == true && !hasDefault
      lines.insert(
        "\(full) \(node["mangledName"] ?? node["usr"] ?? "") \(hash)" + (isRequired ? " required" : ""))
      for accessor in node["accessors"] as? [Node] ?? [] {
        guard let symbol = accessor["mangledName"] as? String, let kind = accessor["accessorKind"] as? String else {
          continue
        }
        lines.insert("\(full) \(kind) \(symbol) \(text(of: accessor))")
      }
    }
  }
  let children = node["children"] as? [Node] ?? []
  let inherited = isProtocol ? Set(children.filter { $0["isFromExtension"] as? Bool == true }.map(signature)) : []
  for child in children { walk(child, path, inherited, &lines) }
}

func read(_ file: String) throws -> Node {
  try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as? Node ?? [:]
}

var lines: Set<String> = []
var rest = CommandLine.arguments.dropFirst()
while let module = rest.popFirst(), let file = rest.popFirst(), let symbols = rest.popFirst() {
  for name in try FileManager.default.contentsOfDirectory(atPath: symbols) where name.hasPrefix("\(module)") {
    for symbol in try read("\(symbols)/\(name)")["symbols"] as? [Node] ?? [] {
      if let usr = (symbol["identifier"] as? Node)?["precise"] as? String { usable.insert(usr) }
    }
  }
  guard let root = try read(file)["ABIRoot"] as? Node, !usable.isEmpty else {
    FileHandle.standardError.write(Data("\(file) is not an ABI dump, or \(symbols) has no symbols\n".utf8))
    exit(1)
  }
  walk(root, [module], [], &lines)
}
print(lines.sorted().joined(separator: "\n"))
