import Foundation
import Gangway
@_spi(FrontEnd) import GangwayTesting
import Testing

/// A flow with a result, and a plugin with data, in a test of their own.
@MainActor @Suite struct FlowAloneTests {
  @Test func theResultOfAFlowIsKnown() async throws {
    let flow = try await FlowTester(Choice())
    #expect(flow.result == nil)
    try await flow.tap("Red")
    #expect(flow.result == "red")
    try await flow.restart()
    #expect(flow.result == nil)
  }

  @Test func aPluginBeginsWithACopyOfTheGivenData() async throws {
    let data = FileManager.default.temporaryDirectory.appending(path: "flow-alone-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: data) }
    let folder = data.appending(path: "paper")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("first".utf8).write(to: folder.appending(path: "note"))
    let flow = try await FlowTester(plugins: [PaperPlugin.self], data: data)
    #expect(flow.screen.contains("first"))
    try await flow.tap("Write")
    try await flow.restart()
    #expect(flow.screen.contains("second"))
    #expect(try String(contentsOf: folder.appending(path: "note"), encoding: .utf8) == "first")
    let stored = flow.dataFolder(of: "paper").appending(path: "note")
    #expect(try String(contentsOf: stored, encoding: .utf8) == "second")
  }

  /// Some build systems give a test its files as links.
  @Test func aLinkInTheGivenDataIsReadAndNotWritten() async throws {
    let data = FileManager.default.temporaryDirectory.appending(path: "flow-alone-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: data) }
    let folder = data.appending(path: "paper")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let original = data.appending(path: "original")
    try Data("first".utf8).write(to: original)
    try FileManager.default.createSymbolicLink(at: folder.appending(path: "note"), withDestinationURL: original)
    let link = URL(filePath: data.path + "-link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: data)
    defer { try? FileManager.default.removeItem(at: link) }
    for given in [data, link] {
      let flow = try await FlowTester(plugins: [PaperPlugin.self], data: given)
      #expect(flow.screen.contains("first"))
      try await flow.tap("Write")
      try await flow.restart()
      #expect(flow.screen.contains("second"))
      #expect(try String(contentsOf: original, encoding: .utf8) == "first")
    }
  }

  @Test func dataThatIsNotThereIsNamed() async throws {
    let failure = await #expect(throws: FlowFailure.self) {
      _ = try await FlowTester(plugins: [PaperPlugin.self], data: URL(filePath: "/nowhere"))
    }
    #expect(failure?.message.contains("/nowhere") == true, "\(failure?.message ?? "")")
  }
}

private final class Choice: StackCoordinator {
  typealias Output = String
  struct Route: NavigationRoute {}
  let start = Route()
  func destination(for route: Route) -> Destination { .screen { ColorScreen(router: $0) } }
}

private struct ColorScreen: Screen {
  let router: Router<Choice>
  var body: some Content { Button("Red") { try await router.finish("red") } }
}

private final class PaperPlugin: Plugin {
  static let id = "paper", version = "1.0.0"
  func register(in registry: Registrar) {
    registry.tab("main", title: "Paper") { Paper($0.dataFolder.appending(path: "note")) }
  }
}

private final class Paper: StackCoordinator {
  struct Route: NavigationRoute {}
  let start = Route()
  private let file: URL
  init(_ file: URL) { self.file = file }
  func destination(for route: Route) -> Destination { .screen { [file] _ in PaperScreen(file: file) } }
}

private struct PaperScreen: Screen {
  let file: URL
  var body: some Content {
    Text((try? String(contentsOf: file, encoding: .utf8)) ?? "nothing")
    Button("Write") { try Data("second".utf8).write(to: file) }
  }
}
