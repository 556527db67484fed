// Checks the references between folders and modules.
//
// Fails on a cycle, on a reference against the order of the rooms, and on an import that a module must not have. Also
// fails on an import that Apple's platforms lack, outside of `#if canImport`.
//
// arrows FOLDER: the folder with Sources and Tools/Sources.
import Foundation

/// The rooms of the core, each of which may name only those before it; see Documentation/Architecture.md.
let rooms = ["Values", "Work", "Links", "Guards", "Screens", "Coordinators", "Registry", "Tree", "Router", "Session"]
/// References that the order would allow, but another rule forbids: Links may name only Values.
let forbidden: [(from: String, to: String)] = [("Links", "Work")]

/// The imports of this project's modules that each module may have.
let modules: [String: Set<String>] = [
  "GangwayProtocol": [],
  "GangwayClient": ["GangwayProtocol"],
  "Gangway": ["GangwayProtocol"],
  "GangwayTesting": ["Gangway", "GangwayClient", "GangwayProtocol"],
  "GangwayHost": ["Gangway", "GangwayClient", "GangwayProtocol"],
  "gangway-host": [],
  "GangwaySupervisor": ["GangwayClient", "GangwayProtocol", "CZlib"],
  "GangwayTerminal": ["GangwayClient", "GangwayProtocol", "CEditline", "CNcurses"],
  "GangwayWeb": ["GangwayClient", "GangwayProtocol", "CSodium", "CZlib"],
  "GangwayCommand": [
    "Gangway", "GangwayClient", "GangwayHost", "GangwayProtocol", "GangwaySupervisor", "GangwayTerminal",
  ],
  "gangway-command": ["GangwayCommand"],
  "gangway-serve": [
    "GangwayClient", "GangwayCommand", "GangwayProtocol", "GangwaySupervisor", "GangwayWeb",
  ],
  "CEditline": [],
  "CNcurses": [],
  "CSodium": [],
  "CZlib": [],
]
/// Modules that must build without Linux.
let portable: Set<String> = ["GangwayProtocol", "GangwayClient", "Gangway", "GangwayTesting"]
let linuxOnly: Set<String> = ["Glibc", "Musl", "FoundationEssentials"]

struct Source {
  let path: String
  /// The file without comments and string literals, but with interpolated expressions.
  let code: String
}

func stripped(_ text: String) -> String {
  var out = ""
  var rest = Substring(text)
  /// The delimiter of each open string, and the number of open parentheses of each interpolation.
  var strings: [String] = []
  var depths: [Int] = []
  while let character = rest.first {
    if let delimiter = strings.last, depths.count < strings.count {
      if rest.hasPrefix("\\(") {
        depths.append(0)
        rest = rest.dropFirst(2)
        out += " ("
      } else if character == "\\" {
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix(delimiter) {
        strings.removeLast()
        rest = rest.dropFirst(delimiter.count)
        out += " "
      } else {
        if character == "\n" { out += "\n" }
        rest = rest.dropFirst()
      }
      continue
    }
    if rest.hasPrefix("//") {
      rest = rest.drop { $0 != "\n" }
    } else if rest.hasPrefix("/*") {
      rest = rest.range(of: "*/").map { rest[$0.upperBound...] } ?? ""
    } else if rest.hasPrefix("\"\"\"") {
      strings.append("\"\"\"")
      rest = rest.dropFirst(3)
    } else if character == "\"" {
      strings.append("\"")
      rest = rest.dropFirst()
    } else {
      if let depth = depths.last {
        if character == "(" { depths[depths.count - 1] += 1 }
        if character == ")" {
          if depth == 0 { depths.removeLast() } else { depths[depths.count - 1] -= 1 }
        }
      }
      out.append(character)
      rest = rest.dropFirst()
    }
  }
  return out
}

func sources(in folder: String) -> [Source] {
  guard let files = FileManager.default.enumerator(atPath: folder) else { return [] }
  return files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map { path in
    let text = (try? String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)) ?? ""
    return Source(path: path, code: stripped(text))
  }
}

let keywords: Set<String> = ["class", "struct", "enum", "protocol", "actor", "typealias"]

/// Returns the types declared at the top level of a file, which the formatter puts at the margin.
func declared(_ source: Source) -> [String] {
  return source.code.split(separator: "\n").compactMap { line in
    guard let first = line.first, first.isLetter || first == "@" else { return nil }
    let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }.map(String.init)
    guard let index = words.firstIndex(where: keywords.contains), index + 1 < words.count else { return nil }
    // Other files cannot name a private type, and an extension declares no new type.
    if words[..<index].contains("private") || words.first == "extension" || words.first == "import" { return nil }
    return words[index + 1]
  }
}

/// Returns the names in a file, except those of types that the file itself declares, nested ones included.
func named(_ source: Source) -> Set<String> {
  let words = source.code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  let own = zip(words, words.dropFirst()).filter { keywords.contains($0.0) }.map(\.1)
  return Set(words).subtracting(own)
}

var problems: [String] = []

/// Checks the folders directly in a folder: no two of them may refer to each other, even indirectly.
func checkRooms(_ module: String, _ folder: String, order: [String]?) {
  let files = sources(in: folder)
  func room(_ source: Source) -> String? {
    let parts = source.path.split(separator: "/")
    return parts.count > 1 ? String(parts[0]) : nil
  }
  var homes: [String: String] = [:]
  for file in files {
    guard let room = room(file) else { continue }
    for type in declared(file) { homes[type] = room }
  }
  /// An example of each reference.
  var arrows: [String: [String: String]] = [:]
  for file in files {
    guard let from = room(file) else {
      if order != nil {
        problems.append("\(module)/\(file.path) must be in one of the folders \(rooms.joined(separator: ", ")).")
      }
      continue
    }
    if let order, !order.contains(from) {
      problems.append(
        "\(module)/\(file.path): the folder '\(from)' is not one of \(order.joined(separator: ", ")).")
    }
    for name in named(file).sorted() {
      guard let to = homes[name], to != from else { continue }
      if arrows[from]?[to] == nil { arrows[from, default: [:]][to] = "\(module)/\(file.path) names \(name)" }
      guard let order, let here = order.firstIndex(of: from), let there = order.firstIndex(of: to) else { continue }
      if there > here || forbidden.contains(where: { $0 == (from, to) }) {
        problems.append(
          "\(module)/\(file.path) names \(name), which \(to) declares: \(from) may name only what stands before it in "
            + "\(order.joined(separator: " ← "))\(there > here ? "" : ", and not \(to)").")
      }
    }
  }
  guard order == nil else { return }
  for start in arrows.keys.sorted() {
    var queue = [[start]]
    var seen: Set<String> = []
    while !queue.isEmpty {
      let path = queue.removeFirst()
      for next in (arrows[path.last ?? ""] ?? [:]).keys.sorted() {
        if next == start {
          let steps = zip(path, path.dropFirst() + [start]).compactMap { arrows[$0]?[$1] }
          let circle = (path + [start]).joined(separator: " → ")
          problems.append("\(module): a circle of folders, \(circle): \(steps.joined(separator: "; ")).")
          queue = []
          break
        }
        if seen.insert(next).inserted { queue.append(path + [next]) }
      }
    }
  }
}

func checkImports(_ module: String, _ folder: String) {
  guard let allowed = modules[module] else {
    problems.append(
      "script/arrows/arrows.swift does not list the module '\(module)'. Add it to `modules`, with the modules that it "
        + "may import.")
    return
  }
  for file in sources(in: folder) {
    for line in file.code.split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
        words[..<index].allSatisfy({ $0.hasPrefix("@") })
      else { continue }
      let name = words[index + 1]
      if modules[name] != nil, !allowed.contains(name) {
        problems.append(
          "\(module)/\(file.path) imports \(name); \(module) may import \(allowed.sorted().joined(separator: ", ")).")
      }
      // The formatter indents an import within `#if canImport`.
      if portable.contains(module), linuxOnly.contains(name), line.first != " " {
        problems.append(
          "\(module)/\(file.path) imports \(name), which Apple's platforms lack, outside of #if canImport(\(name)).")
      }
    }
  }
}

let root = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "."
for base in ["Sources", "Tools/Sources"] {
  let names = ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(base)")) ?? []).sorted()
  for module in names where !module.hasPrefix(".") {
    checkImports(module, "\(root)/\(base)/\(module)")
    checkRooms(module, "\(root)/\(base)/\(module)", order: module == "Gangway" ? rooms : nil)
  }
}
for problem in problems { print(problem) }
exit(problems.isEmpty ? 0 : 1)
