import Foundation
import Testing

/// The list of the steps of a tap in `Documentation/Architecture.md`.
@Suite struct ArchitectureTests {
  /// The types of several steps, and why.
  private static let repeated: [String: String] = [
    "HostLine": "One file follows the host, and another one handles its messages.",
    "HostOutput": "A thread decodes the output, and the main actor takes the reports.",
    "Router": "One file has the operations of a stack, and another one carries out each operation.",
    "Session": "It runs the action, and then makes the update, whose presentation has a file of its own.",
    "Transaction": "One file has the operations of a stack, and another one has the changes of the tree.",
  ]

  private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized

  /// A step, and what leads from it to the next one.
  private struct Step {
    let number: Int
    let file: String
    let function: String
    /// The number of the step whose file calls the function.
    let caller: Int
    /// The message that the step sends, instead of a call.
    let message: String?
    /// The closure that the step calls.
    let closure: String?
    /// The file without comments.
    let code: String

    /// The file's name, up to `+` or `.swift`.
    var type: String { String(file.split(separator: "/").last?.prefix { $0 != "+" && $0 != "." } ?? "") }

    init(_ item: String) throws {
      let pattern = try Regex(
        #"^(\d+)\. `([^`]+)`, `(\w+)`(?: \(from (\d+)\))?: [^`→]+(?:`\w+`[^`→]*)*(?:→ (closure )?`([\w.]+)`)?$"#,
        as: (Substring, Substring, Substring, Substring, Substring?, Substring?, Substring?).self)
      let match = try #require(try pattern.wholeMatch(in: item), "No step: \(item)").output
      number = try #require(Int(match.1))
      (file, function) = (String(match.2), String(match.3))
      caller = match.4.flatMap { Int($0) } ?? number - 1
      let target = match.6.map { String($0) }
      (message, closure) = match.5 == nil ? (target, nil) : (nil, target)
      let text = try String(contentsOf: ArchitectureTests.root.appendingPathComponent(file), encoding: .utf8)
      code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    }

    func mentions(_ name: String) throws -> Bool {
      try Self.has(code, #"\b"# + name.replacing(".", with: #"\."#) + #"\b"#)
    }

    func declares(_ function: String) throws -> Bool {
      try Self.has(code, function == "init" ? #"\binit\("# : #"\bfunc "# + function + #"\b"#)
    }

    /// Returns whether the file calls a function or closure; its declarations do not count.
    func calls(_ function: String) throws -> Bool {
      try Self.has(code.replacing("func \(function)", with: ""), #"\b"# + function + #"\??(\(| \{)"#)
    }

    private static func has(_ code: String, _ pattern: String) throws -> Bool {
      // By default, a dot between two letters is no boundary of a word.
      try code.contains(Regex(pattern).wordBoundaryKind(.simple))
    }
  }

  /// Returns the items of the section's numbered list, each on one line.
  private static func steps() throws -> [Step] {
    let page = try String(contentsOf: root.appendingPathComponent("Documentation/Architecture.md"), encoding: .utf8)
    let begin = try #require(page.range(of: "## From a key to a screen\n")).upperBound
    let end = try #require(page.range(of: "\n## ", range: begin..<page.endIndex)).lowerBound
    var items: [String] = []
    var isInside = false
    for line in page[begin..<end].split(separator: "\n", omittingEmptySubsequences: false) {
      if line.first?.isNumber == true {
        items.append(String(line))
        isInside = true
      } else if isInside, line.hasPrefix("  ") {
        items[items.count - 1] += " " + line.drop { $0 == " " }
      } else {
        isInside = false
      }
    }
    return try items.map(Step.init)
  }

  @Test func eachStepOfATapLeadsToTheNext() throws {
    let steps = try Self.steps()
    try #require((10...30).contains(steps.count), "The list has \(steps.count) steps.")
    #expect(steps.map(\.number) == Array(1...steps.count))
    for (index, step) in steps.enumerated() {
      #expect(try step.declares(step.function), "\(step.file) does not declare \(step.function).")
      if let closure = step.closure { #expect(try step.calls(closure), "\(step.file) does not call \(closure).") }
      if let message = step.message {
        // At a border, a file may have only bytes: the file beside it knows the message.
        let isSent = try steps[...index].suffix(2).contains { try $0.mentions(message) }
        let isReceived = try steps[(index + 1)...].prefix(2).contains { try $0.mentions(message) }
        #expect(isSent && isReceived, "Both sides of step \(step.number) must mention \(message).")
      }
      guard index > 0 else { continue }
      let before = steps[index - 1]
      try #require((1...index).contains(step.caller), "Step \(step.number) comes from a later step.")
      let caller = steps[step.caller - 1]
      // Without a call, the arrow of the step before leads here.
      if step.caller == before.number, before.message != nil || before.closure != nil { continue }
      let name = step.function == "init" ? step.type : step.function
      #expect(try caller.calls(name), "\(caller.file) does not call \(name) of step \(step.number).")
    }
  }

  @Test func aTapEntersNoTypeTwice() throws {
    let steps = try Self.steps()
    try #require(steps.count >= 10)
    let entrances = steps.filter { step in
      !steps.contains { $0.number == step.caller && $0.type == step.type }
    }
    let twice = Dictionary(grouping: entrances, by: \.type).filter { $1.count > 1 }
    #expect(twice.isEmpty, "\(twice.mapValues { $0.map(\.number) })")
    let several = Dictionary(grouping: steps, by: \.type).filter { $1.count > 1 }
    #expect(Set(several.keys) == Set(Self.repeated.keys))
  }
}
