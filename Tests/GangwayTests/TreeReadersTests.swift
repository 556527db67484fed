@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// Screens that read the stack or the selected tab follow them.
@MainActor @Suite struct TreeReadersTests {
  @Observable final class Stack: StackCoordinator {
    enum Route: NavigationRoute { case list, item, start }
    let start = Route.list

    func destination(for route: Route) -> Destination {
      switch route {
      case .list: .screen { router in Overview(router: router) }
      case .item: .screen(.detail) { _ in Item() }
      case .start: .screen { router in Overview(router: router) }
      }
    }
  }

  struct Overview: Screen {
    let router: Router<Stack>
    var body: some Content {
      Text("\(router.path.count) in the stack, \(router.isRoot(.start) ? "at the start" : "at the list")")
      Button("Open") { try await router.show(.item) }
    }
  }

  struct Item: Screen { var body: some Content { Text("An item") } }

  @Test func aScreenBesideAnotherFollowsTheStack() async throws {
    let flow = try await FlowTester(Stack())
    let router = try #require(flow.coordinator).router
    func first() -> String { flow.presentation.top?.columns.first?.elements.first?.label ?? flow.lines[0] }
    #expect(first() == "1 in the stack, at the list")
    try await flow.tap("Open")
    #expect(first() == "2 in the stack, at the list")
    try await flow.back()
    #expect(first() == "1 in the stack, at the list")
    try await router.root(.start)
    try await flow.settle()
    #expect(first() == "1 in the stack, at the start")
  }

  @Observable final class Tabs: TabCoordinator {
    enum Tab: NavigationRoute { case one, two }
    let tabs = [Tab.one, .two]
    func item(for tab: Tab) -> TabItem {
      TabItem(title: "\(tab)", destination: .flow { Room(selection: { self.router.selection }) })
    }
  }

  @Observable final class Room: StackCoordinator {
    enum Route: NavigationRoute { case room, panel }
    let start = Route.room
    let selection: () -> Tabs.Tab?
    init(selection: @escaping () -> Tabs.Tab?) { self.selection = selection }
    func destination(for route: Route) -> Destination {
      .screen { [selection] _ in Shown(selection: selection) }
    }
  }

  struct Shown: Screen {
    let selection: () -> Tabs.Tab?
    var body: some Content { Text("\(selection().map { "\($0)" } ?? "none") is selected") }
  }

  @Test func aScreenFollowsTheSelectedTab() async throws {
    let flow = try await FlowTester(Tabs())
    let router = try #require(flow.coordinator).router
    #expect(flow.lines.contains("one is selected"), "\(flow.lines)")
    try await router.select(.two)
    try await flow.settle()
    #expect(flow.lines.contains("two is selected"), "\(flow.lines)")
    try await router.select(.one)
    try await flow.settle()
    // Its screen is not made again.
    #expect(flow.lines.contains("one is selected"), "\(flow.lines)")
  }
}
