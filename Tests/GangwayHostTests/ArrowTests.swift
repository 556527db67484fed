import Foundation
import Testing

/// Tests that `script/check-arrows` finds code in the wrong folder.
@Suite struct ArrowTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the result of the check on the sources, with one more file.
  private func check(adding path: String? = nil, _ text: String = "") throws -> (status: Int32, said: String) {
    let scratch = try Scratch()
    for folder in ["Sources", "Tools/Sources"] {
      let copy = scratch.folder.appendingPathComponent(folder)
      try FileManager.default.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Self.root.appendingPathComponent(folder), to: copy)
    }
    if let path {
      let file = scratch.folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let result = try BuiltHost.run([scratch.folder.path], executable: Self.root.path + "/script/check-arrows")
    return (result.status, result.errors)
  }

  @Test func theSourcesStandWhereTheyBelong() throws {
    let (status, said) = try check()
    #expect(status == 0, "\(said)")
  }

  @Test(arguments: [
    (
      "Sources/Gangway/Values/Wrong.swift", "struct Wrong { let node: Node? }",
      "Wrong.swift names Node, which Tree declares"
    ),
    ("Sources/Gangway/Links/Wrong.swift", "struct Wrong { let work: TrackedWork? }", "and not Work"),
    ("Sources/Gangway/Elsewhere/Wrong.swift", "struct Wrong {}", "the folder 'Elsewhere' is not one of"),
    ("Sources/Gangway/Wrong.swift", "struct Wrong {}", "Wrong.swift must be in one of the folders"),
    ("Sources/Gangway/Values/Wrong.swift", "import FoundationEssentials\n", "which Apple's platforms lack"),
    ("Sources/GangwayTesting/Wrong.swift", "import GangwayHost\n", "imports GangwayHost; GangwayTesting may import"),
    ("Tools/Sources/GangwayTerminal/Wrong.swift", "import Gangway\n", "imports Gangway; GangwayTerminal may import"),
    (
      "Sources/GangwayHost/Verification/Wrong.swift", "struct Wrong { let loader: PluginLoader }", "a circle of folders"
    ),
  ])
  func aFileInTheWrongPlaceIsFound(_ path: String, _ text: String, _ reason: String) throws {
    let (status, said) = try check(adding: path, text)
    #expect(status == 1)
    #expect(said.contains(reason), "\(said)")
  }

  @Test func whatIsOnlySaidOrWrittenInACommentIsNoArrow() throws {
    let text = """
      // A Node is no arrow here.
      struct Wrong { let text = "Node \\(1) Node" }
      """
    let (status, said) = try check(adding: "Sources/Gangway/Values/Wrong.swift", text)
    #expect(status == 0, "\(said)")
  }
}
