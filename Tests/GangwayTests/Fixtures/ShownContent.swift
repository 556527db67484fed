@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting

/// A flow of one screen that shows the content of a test.
final class ShownContent: StackCoordinator {
  enum Route: NavigationRoute { case start }
  let start = Route.start
  private let content: @MainActor () -> ContentGroup

  init(@ContentBuilder _ content: @escaping @MainActor () -> ContentGroup) { self.content = content }

  func destination(for route: Route) -> Destination { .screen { [content] in Whole(content: content) } }

  struct Whole: Screen {
    let content: @MainActor () -> ContentGroup
    var body: some Content { content() }
  }

  /// Returns a tester of a flow with this content.
  ///
  /// The test kit makes the content again to check its restoration. So the content uses models of the test, which are
  /// neither stored nor compared.
  static func flow(
    @ContentBuilder _ content: @escaping @MainActor () -> ContentGroup
  ) async throws -> FlowTester<ShownContent> {
    try await FlowTester(ShownContent(content))
  }
}

extension FlowTester {
  /// The lines of the screen, without the path.
  var lines: [String] { screen.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().map(String.init) }
}
