import Foundation
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
import GangwayTesting
import Testing

@testable import Shapes

@MainActor @Suite struct ShapesTests {
  /// Runs the script that also runs in a host with the loaded library.
  @Test func theScriptRunsInIsolation() async throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Scripts/shapes.txt")
    let flow = try await FlowTester(plugins: [ShapesPlugin.self])
    try await flow.run(script: String(contentsOf: script, encoding: .utf8))
  }

  @Test func groupsAreChildrenThatSayWhenTheyAreDone() async throws {
    let flow = try await FlowTester(ShapesCoordinator())
    try await flow.tap("Simple shapes")
    #expect(flow.coordinator?.router.children.contains { $0 is SimpleShapesCoordinator } == true)
    try await flow.tap("Circle")
    #expect(flow.screen == "Shapes > Simple shapes > Circle\n(drawing) Circle", "\(flow.screen)")
    try await flow.restart()
    #expect(flow.screen.hasPrefix("Shapes > Simple shapes > Circle"))
    try await flow.back()
    try await flow.tap("Done")
    #expect(flow.path == [.shapes])
    #expect(flow.notices.map(\.text) == ["You have seen the simple shapes."])
  }

  @Test func anActionGoesUpToWhoTakesIt() async throws {
    let flow = try await FlowTester(ShapesCoordinator())
    try await flow.tap("Custom shapes")
    try await flow.tap("Featured shape")
    #expect(flow.screen.contains("Tower, 100 %"))
    #expect(flow.path == [.shapes, .customShapes, .featuredShape(FeaturedShape(shape: .tower))])
  }

  @Test(arguments: [
    ("gangway://shapes/featured?shape=circle&size=40", "Circle, 40 %"),
    ("gangway://shapes/featured?shape=rounded", "Rounded rectangle, 100 %"),
    ("gangway://shapes/featured?size=9999", "Star, 100 %"),
  ])
  func theFeaturedShapeHasDeclaredParameters(_ url: String, _ shown: String) async throws {
    let flow = try await FlowTester(plugins: [ShapesPlugin.self])
    try await flow.open(url)
    #expect(flow.screen.contains(shown))
    #expect(flow.url == url)
  }

  @Test(arguments: [
    "gangway://shapes/featured?shape=heart", "gangway://shapes/featured?shape=star&size=large",
    "gangway://shapes/featured",
  ])
  func whatTheLinkDoesNotDeclareIsRefused(_ url: String) async throws {
    let flow = try await FlowTester(plugins: [ShapesPlugin.self])
    await #expect(throws: FlowFailure.self) { try await flow.open(url) }
    #expect(flow.screen.hasPrefix("[Shapes*]"))
  }

  @Test func eachPairHasItsTransition() async throws {
    let flow = try await FlowTester(plugins: [ShapesPlugin.self])
    try await flow.tap("Custom shapes")
    #expect(flow.transition?.name == "slide")
    for (shape, name, fallback) in [("Triangle", "slide", nil), ("Star", "fade", nil), ("Tower", "unfold", "push-up")] {
      try await flow.tap(shape)
      #expect(flow.transition?.operation == .push && flow.transition?.isBackward == nil)
      #expect((flow.transition?.name, flow.transition?.fallback) == (name, fallback))
      try await flow.back()
      #expect(flow.transition?.operation == .pop && flow.transition?.isBackward == true)
      #expect(flow.transition?.name == name)
    }
    try await flow.tap("Featured shape")
    #expect(flow.transition?.operation == .present && flow.transition?.name == "push-up")
  }

  @Test(arguments: Shape.allCases, [10, 50, 100]) func everyShapeStaysInItsSquare(_ shape: Shape, _ size: Int)
    async throws
  {
    let flow = try await FlowTester(plugins: [ShapesPlugin.self])
    try await flow.open("gangway://shapes/featured?shape=\(shape.rawValue)&size=\(size)")
    let drawing = try #require(flow.presentation.top?.elements.first { $0.kind == .drawing })
    let numbers = (drawing.paths ?? []).flatMap {
      $0.d.split { !"-.0123456789".contains($0) }.compactMap { Double($0) }
    }
    let half = 0.45 * Double(size) / 100 + 0.000_1
    #expect(numbers.count >= 6 && numbers.allSatisfy { abs($0 - 0.5) <= half }, "\(numbers)")
  }
}
