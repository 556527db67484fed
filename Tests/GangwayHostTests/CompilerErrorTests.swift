import Foundation
import Testing

/// The compiler prints each error on the page, and accepts each fix.
@Suite struct CompilerErrorTests {
  /// A row of the page: a mistake, its error and its fix.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let section: String
    let message: String
    let code: String
    let fix: String
    var testDescription: String { message }
  }

  @Test func theCompilerPrintsEachErrorAndAcceptsEachFix() async throws {
    let mistakes = try Self.mistakes()
    let files = try ["Guests", "NewFile"].map { try Self.text("Tests/CompilerErrors/\($0).swift") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, mistake) in mistakes.enumerated() {
        // Two compilers at a time leave room for other tests.
        if number >= 2 { try await group.next() }
        group.addTask { try await Self.check(mistake, in: files) }
      }
      try await group.waitForAll()
    }
    // A page that is read wrongly must not pass.
    #expect(mistakes.count >= 40)
  }

  private static func check(_ mistake: Mistake, in files: [String]) async throws {
    let named = files.filter { $0.contains("// \(mistake.section)\n") }
    try #require(named.count == 1, "One file must name the section '\(mistake.section)'")
    let reasons = try await compile(mistake.code, at: mistake.section, of: named[0])
    #expect(reasons.contains(mistake.message), "\(mistake.code)")
    let complaints = try await compile(mistake.fix, at: mistake.section, of: named[0])
    #expect(complaints == [], "\(mistake.fix)")
  }

  /// Returns the rows of the page. The code of a cell is its last one; a cell may quote other code before.
  private static func mistakes() throws -> [Mistake] {
    var (section, isTable) = ("", false)
    var mistakes: [Mistake] = []
    for line in try text("Documentation/CompilerErrors.md").split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      guard line.hasPrefix("|") else {
        isTable = false
        continue
      }
      if line.hasPrefix("| the compiler says |") { isTable = true }
      guard isTable, line.contains("`") else { continue }
      let codes = try line.split(separator: " | ").map { cell in
        try #require(cell.split(separator: "`", omittingEmptySubsequences: false).dropLast().last.map(String.init))
      }
      try #require(codes.count == 3, "\(line)")
      mistakes.append(Mistake(section: section, message: codes[0], code: codes[1], fix: codes[2]))
    }
    return mistakes
  }

  /// Returns the errors and warnings for a file of the feature with a line of code more.
  private static func compile(_ code: String, at section: String, of text: String) async throws -> [String] {
    let parts = text.components(separatedBy: "// \(section)\n")
    try #require(parts.count == 2, "The file must name the section '\(section)' once")
    let scratch = try Scratch()
    let file = try scratch.file("Guests.swift", Data(parts.joined(separator: code + "\n").utf8))
    let errors = try scratch.file("errors")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swiftc", "-typecheck", file.path, "-module-name", "Guests", "-swift-version", "6", "-parse-as-library",
      "-diagnostic-style=llvm", "-I", BuiltHost.folder + "/Modules",
    ]
    process.standardError = try FileHandle(forWritingTo: errors)
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in ended.resume() }
      do { try process.run() } catch { ended.resume(throwing: error) }
    }
    let output = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    // A diagnostic group may follow the message, as in `[#no-usage]`.
    return output.matches(of: /(?m)^[^ ]+:\d+:\d+: (?:error|warning): (.*?)(?: \[#\w[\w-]*\])?$/).map { String($0.1) }
  }

  private static func text(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}
