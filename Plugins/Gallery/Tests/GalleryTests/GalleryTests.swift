import Foundation
import Gangway
import GangwayTesting
import Testing

@testable import Gallery

@MainActor @Suite struct GalleryTests {
  private func flow() async throws -> FlowTester<GalleryCoordinator> { try await FlowTester(GalleryCoordinator()) }

  @Test(arguments: Sample.allCases) func aSampleIsShownWithItsCode(_ sample: Sample) async throws {
    let flow = try await flow()
    try await flow.tap(sample.title)
    let lines = flow.screen.split(separator: "\n")
    #expect(lines.count > 2 && lines.last == "+ Code")
    try await flow.expand("Code")
    let code = try #require(sampleCode[sample])
    #expect(flow.screen.hasSuffix(code))
    try await flow.restart()
    #expect(flow.screen.hasSuffix(code))
    try await flow.back()
    #expect(flow.screen.hasPrefix("Gallery\nWords\nText"))
  }

  @Test func theScriptOfTheGalleryRuns() async throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Scripts/gallery.txt")
    let app = try await FlowTester(plugins: [GalleryPlugin.self])
    try await app.run(script: String(contentsOf: script, encoding: .utf8))
  }
}
