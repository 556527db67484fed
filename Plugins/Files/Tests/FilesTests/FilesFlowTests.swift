import Foundation
import Gangway
import GangwayTesting
import Glibc
import Testing

@testable import Files

@MainActor @Suite struct FilesFlowTests {
  private func flow(_ tree: Tree) async throws -> FlowTester<FilesCoordinator> {
    let path = tree.path
    return try await FlowTester(FilesCoordinator(start: path))
  }

  /// Runs the script that also runs in a host with the loaded library.
  @Test func theScriptRunsInIsolation() async throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Scripts/files.txt")
    let flow = try await FlowTester(plugins: [FilesPlugin.self])
    try await flow.run(script: String(contentsOf: script, encoding: .utf8))
  }

  @Test func foldersAreWalkedThroughAndFilesLookedAt() async throws {
    let tree = try Tree()
    try tree.file("letters/one.txt", "Dear Ada,\nthe engine runs.")
    let flow = try await flow(tree)
    try await flow.tap("letters")
    try await flow.tap("one.txt")
    #expect(flow.screen.contains("Dear Ada,") && flow.screen.contains("Size: 26 B"))
    #expect(flow.panes.count == 3)
    try await flow.restart()
    #expect(flow.screen.contains("Dear Ada,"))
    try await flow.back()
    try await flow.back()
    #expect(flow.path.count == 1)
  }

  @Test func aConfiguredRootIsTheOnlyFolderThatIsShown() async throws {
    let tree = try Tree()
    try tree.file("shown/letters/one.txt", "Dear Ada")
    try tree.file("secret.txt", "the combination")
    tree.link("shown/way out", to: tree.url.path)
    tree.link("shown/copy", to: tree.url.path + "/secret.txt")
    tree.link("shown/broken", to: tree.url.path + "/nothing")
    let root = tree.url.path + "/shown"
    let flow = try await FlowTester(
      plugins: [FilesPlugin.self], stubs: [.configuration(of: "files", FilesConfiguration(root: root))])
    #expect(flow.screen.contains("letters") && !flow.screen.contains("Up"))
    #expect(!flow.screen.contains("15 B"))
    try await flow.tap("letters")
    try await flow.tap("one.txt")
    #expect(flow.screen.contains("Dear Ada"))
    for link in ["in" + tree.url.path, "in/etc", "in\(root)/way%20out", "in\(root)-not", "in\(root)/../"] {
      try await flow.open("gangway://files/\(link)")
      #expect(flow.screen.contains("outside the folder of this app"), "\(link): \(flow.screen)")
    }
    for link in ["\(tree.url.path)/secret.txt", "\(root)/copy", "\(root)/way%20out/secret.txt", "/etc/passwd"] {
      try await flow.open("gangway://files/at\(link)")
      #expect(flow.screen.contains("outside the folder of this app"), "\(link): \(flow.screen)")
      #expect(!flow.screen.contains("combination") && !flow.screen.contains("Size"))
    }
    try await flow.open("gangway://files/at\(root)/broken")
    #expect(flow.screen.contains("Target"))
  }

  @Test func aRootThatIsNoPathIsSaid() async throws {
    for (section, said) in [("letters", "is not an absolute path"), (nil, "")] as [(String?, String)] {
      let flow = try await FlowTester(
        plugins: [FilesPlugin.self], stubs: [.configuration(of: "files", FilesConfiguration(root: section))])
      #expect(said.isEmpty || flow.screen.contains(said), "\(flow.screen)")
    }
    let flow = try await FlowTester(
      plugins: [FilesPlugin.self], stubs: [.configuration(of: "files", ["root": 7])])
    #expect(flow.screen.contains("not set up correctly"), "\(flow.screen)")
  }

  @Test func whatChangesOnDiskIsSeen() async throws {
    let tree = try Tree()
    try tree.file("one.txt", "first")
    let flow = try await flow(tree)
    try tree.file("two.txt", "second")
    try await eventually(flow) { $0.contains("two.txt") }
    try await flow.tap("one.txt")
    #expect(flow.screen.contains("first"))
    try tree.file("one.txt", "changed since")
    try await eventually(flow) { $0.contains("changed since") }
    try FileManager.default.removeItem(at: tree.url.appending(path: "one.txt"))
    try await eventually(flow) { $0.contains("This file is gone") }
    try FileManager.default.removeItem(at: tree.url)
    try await flow.back()
    try await eventually(flow) { $0.contains("This folder is gone") }
    try await flow.tap("Parent folder")
    #expect(flow.path.last == .folder(tree.path.parent))
  }

  /// Waits for a notification of the system, which takes some time.
  private func eventually(_ flow: FlowTester<FilesCoordinator>, _ condition: (String) -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while !condition(flow.screen) {
      guard ContinuousClock.now < end else { throw FlowNever(screen: flow.screen) }
      try await Task.sleep(for: .milliseconds(20))
      try await flow.settle()
    }
  }

  private struct FlowNever: Error { let screen: String }

  @Test func hiddenFilesTheOrderAndASearch() async throws {
    let tree = try Tree()
    try tree.file(".secret")
    try tree.file("small", "1")
    try tree.file("large", "333")
    let flow = try await flow(tree)
    #expect(!flow.screen.contains(".secret"))
    #expect(flow.screen.contains("Hidden files (1)"))
    try await flow.toggle("Hidden files (1)")
    #expect(flow.screen.contains(".secret"))
    try await flow.choose("Largest first", in: "Order")
    #expect(
      try #require(flow.screen.range(of: "large")).lowerBound < #require(flow.screen.range(of: "small")).lowerBound)
    try await flow.type("sma", into: "Search here")
    #expect(!flow.screen.contains("large\n"))
    try await flow.restart()
    #expect(flow.screen.contains("small") && !flow.screen.contains("large ("))
    try await flow.back()
    #expect(flow.screen.contains("large"))
  }

  @Test func linksInACircleLeadNowhereNew() async throws {
    let tree = try Tree()
    try tree.folder("a")
    tree.link("a/up", to: "..")
    let flow = try await flow(tree)
    for _ in 0..<3 {
      try await flow.tap("a")
      try await flow.tap("up")
    }
    #expect(
      flow.path.allSatisfy {
        if case .folder(let path) = $0 { path.text.count <= tree.path.text.count + 2 } else { false }
      })
    tree.link("circle", to: "circle")
    try await flow.coordinator?.router.show(.file(tree.path.appending("circle")))
    try await flow.settle()
    #expect(flow.screen.contains("Target: circle") && flow.screen.contains("form a circle"))
  }

  @Test(arguments: ["gangway://files", "gangway://files/in/usr/share", "gangway://files/at/etc/passwd"])
  func eachLinkLeadsWhereItSaysAndBack(_ url: String) async throws {
    let flow = try await FlowTester(plugins: [FilesPlugin.self])
    try await flow.open(url)
    #expect(flow.url == url)
  }

  @Test(arguments: [
    (EACCES, "You don't have permission."), (EPERM, "You don't have permission."), (EMFILE, "Too many files are open."),
    (EIO, "error"),
  ]) func whatTheSystemRefusesIsSaid(_ code: Int32, _ why: String) {
    // The user of the tests may be allowed to read everything.
    #expect(FileError(code, EscapedPath(bytes: Array("/a/closed".utf8))).description.contains(why))
    #expect(FileError(code, .root).isGone == false)
  }
}
