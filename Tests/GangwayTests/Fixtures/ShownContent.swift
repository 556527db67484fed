import Gangway
import GangwayTesting

/// A flow of one screen that shows content of a test.
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

  /// A flow under test that shows it.
  ///
  /// The content is made anew for the restoration that a test kit looks at, so what it shows comes from models of the test's own: those are
  /// not stored, and so not compared.
  static func flow(
    @ContentBuilder _ content: @escaping @MainActor () -> ContentGroup
  ) async throws -> FlowTester<ShownContent> {
    try await FlowTester(ShownContent(content))
  }
}

extension FlowTester {
  /// What stands on the screen, line by line, without the path.
  var lines: [String] { screen.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().map(String.init) }
}
