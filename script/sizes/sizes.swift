// Prints the types with many stored properties, and the long functions, of Swift files: FILE, NAME and SIZE.
//
// sizes PROPERTIES LINES FILE...: a type is printed with more than PROPERTIES, a function with more than LINES.
// The files are formatted, so the indentation shows where a body begins and ends.
import Foundation

/// A body that is open at the current line.
struct Body {
  let name: String
  let isType: Bool
  let indent: Int
  let start: Int
  var properties = 0
}

/// The attributes and modifiers before a declaration.
let before = #"^\s*(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:[a-z]+(?:\([a-z]+\))?\s+)*?"#
nonisolated(unsafe) let typePattern = try Regex(
  before + #"(?:class|struct|actor)\s+(\w+)"#, as: (Substring, Substring).self)
nonisolated(unsafe) let functionPattern = try Regex(
  before + #"(?:func\s+([^\s(<]+)|(init|deinit|subscript)\b)"#, as: (Substring, Substring?, Substring?).self)
nonisolated(unsafe) let propertyPattern = try Regex(before + #"(?:let|var)\s+"#)

/// Returns whether a line of a type's body declares a stored property; `next` is the line after it.
func isStored(_ line: String, next: String) -> Bool {
  guard let match = line.firstMatch(of: propertyPattern), !line[match.range].contains("static ") else { return false }
  guard let brace = line.range(of: " {") else { return true }
  if line[..<brace.lowerBound].contains(" = ") { return true }
  let rest = line[brace.upperBound...].trimmingCharacters(in: .whitespaces)
  let first = rest.isEmpty ? next.trimmingCharacters(in: .whitespaces) : rest
  return first.hasPrefix("didSet") || first.hasPrefix("willSet")
}

func check(_ file: String, _ properties: Int, _ lines: Int) throws {
  let code = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
  var bodies: [Body] = []
  /// A declaration whose body has not begun, because its first line ends with an open parenthesis.
  var begun: Body?
  var isInText = false
  for (index, line) in code.enumerated() {
    let text = line.trimmingCharacters(in: .whitespaces)
    if text.components(separatedBy: "\"\"\"").count.isMultiple(of: 2) { isInText.toggle() }
    if isInText || text.isEmpty || text.hasPrefix("//") || text.hasPrefix("#") { continue }
    let indent = line.prefix { $0 == " " }.count
    if text.hasPrefix("}"), let body = bodies.last, indent == body.indent {
      bodies.removeLast()
      let size = body.isType ? body.properties : index - body.start + 1
      if size > (body.isType ? properties : lines) { print(file, body.name, size) }
    }
    if let body = bodies.last, body.isType, indent == body.indent + 2 {
      let next = index + 1 < code.count ? code[index + 1] : ""
      if isStored(line, next: next) { bodies[bodies.count - 1].properties += 1 }
    }
    if let match = line.firstMatch(of: typePattern) {
      begun = Body(name: String(match.1), isType: true, indent: indent, start: index)
    } else if let match = line.firstMatch(of: functionPattern) {
      begun = Body(name: String(match.1 ?? match.2 ?? ""), isType: false, indent: indent, start: index)
    }
    guard let body = begun, indent == body.indent else { continue }
    // A body of one line has no size.
    if text.hasSuffix("{") { bodies.append(body) }
    if text.hasSuffix("{") || text.hasSuffix("}") { begun = nil }
  }
}

let arguments = CommandLine.arguments
guard arguments.count > 3, let properties = Int(arguments[1]), let lines = Int(arguments[2]) else {
  FileHandle.standardError.write(Data("Usage: sizes PROPERTIES LINES FILE...\n".utf8))
  exit(64)
}
for file in arguments[3...] { try check(file, properties, lines) }
