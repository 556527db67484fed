// Reduces ABI dumps of swift-api-digester to a line for each declaration, so that a difference names what changed:
//   lines MODULE DUMP [MODULE DUMP]...
// A line has the declaration's path, its mangled name and a hash of all else that the dump says of it. The hash of a
// type includes its stored properties in their order, which is its layout.
import Foundation

struct Hash {
  var value: UInt64 = 0xcbf2_9ce4_8422_2325
  mutating func add(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  }
}

func isDeclaration(_ node: [String: Any]) -> Bool { node["declKind"] != nil }

/// All that a node says, nested declarations apart.
func describe(_ value: Any, _ hash: inout Hash) {
  switch value {
  case let node as [String: Any]:
    for key in node.keys.sorted() {
      hash.add(key)
      describe(node[key] ?? "", &hash)
    }
  case let list as [Any]:
    for item in list {
      if let node = item as? [String: Any], isDeclaration(node) {
        // Its own line has the rest.
        if node["hasStorage"] as? Bool == true || node["declKind"] as? String == "EnumElement" {
          hash.add(node["printedName"] as? String ?? "")
        }
      } else {
        describe(item, &hash)
      }
    }
  default: hash.add("\(value)")
  }
}

func walk(_ node: [String: Any], _ path: [String], _ lines: inout Set<String>) {
  var path = path
  if isDeclaration(node) {
    let name = node["printedName"] as? String ?? "?"
    path.append(node["accessorKind"].map { "\(name) \($0)" } ?? name)
    var hash = Hash()
    describe(node, &hash)
    lines.insert(
      "\(path.joined(separator: ".")) \(node["mangledName"] ?? node["usr"] ?? "") \(String(hash.value, radix: 16))")
  }
  for key in ["children", "accessors"] {
    for child in node[key] as? [[String: Any]] ?? [] { walk(child, path, &lines) }
  }
}

var lines: Set<String> = []
var rest = CommandLine.arguments.dropFirst()
while let module = rest.popFirst(), let file = rest.popFirst() {
  let data = try Data(contentsOf: URL(fileURLWithPath: file))
  let dump = try JSONSerialization.jsonObject(with: data) as? [String: Any]
  guard let root = dump?["ABIRoot"] as? [String: Any] else {
    FileHandle.standardError.write(Data("\(file) is not an ABI dump\n".utf8))
    exit(1)
  }
  walk(root, [module], &lines)
}
print(lines.sorted().joined(separator: "\n"))
