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
let ignoredAttributes: Set<String> = ["HasStorage", "HasInitialValue"]
/// Keys that other lines have, or that old binaries do not rely on.
let ignoredKeys: Set<String> = ["accessors", "conformances", "hasStorage", "isLet", "mangledName", "usr"]

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

func walk(_ node: Node, _ path: [String], _ defaults: Set<String>, _ lines: inout Set<String>) {
  var path = path
  let name = node["printedName"] as? String ?? "?"
  let isProtocol = node["declKind"] as? String == "Protocol"
  if isDeclaration(node), node["declKind"] as? String != "Import" {
    guard isUsable(node) else { return }
    path.append(name)
    var hash = Hash()
    describe(node, &hash, isFrozen: (node["declAttributes"] as? [String])?.contains("Frozen") == true)
    let conformances = (node["conformances"] as? [Node] ?? []).filter {
      ($0["usr"] as? String).map { !isFrameworks($0) || usable.contains($0) } ?? true
    }.compactMap { $0["printedName"] as? String }.sorted()
    if isProtocol {
      for conformance in conformances { hash.add(conformance) }
    } else {
      for conformance in conformances { lines.insert("\(path.joined(separator: ".")): \(conformance) conformance -") }
    }
    let isRequired = node["protocolReq"] as? Bool == true && !defaults.contains(name)
    lines.insert(
      "\(path.joined(separator: ".")) \(node["mangledName"] ?? node["usr"] ?? "") \(String(hash.value, radix: 16))"
        + (isRequired ? " required" : ""))
    for accessor in node["accessors"] as? [Node] ?? [] {
      guard let symbol = accessor["mangledName"] as? String, let kind = accessor["accessorKind"] as? String,
        ["get", "set", "modify", "read"].contains(kind)
      else { continue }
      lines.insert("\(path.joined(separator: ".")) \(kind) \(symbol)")
    }
  }
  let children = node["children"] as? [Node] ?? []
  let inherited =
    isProtocol
    ? Set(children.filter { $0["isFromExtension"] as? Bool == true }.compactMap { $0["printedName"] as? String }) : []
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
