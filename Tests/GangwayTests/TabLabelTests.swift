@_spi(FrontEnd) @_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayTesting
import Observation
import Testing

/// The labels of tabs follow the values that they show.
@MainActor @Suite struct TabLabelTests {
  @Observable @MainActor final class Mail {
    static let shared = Mail()
    var unread = 0
    var place = "Inbox"
  }

  final class Post: Plugin {
    static let id = "post"
    static let version = "1.0.0"
    func register(in registry: Registrar) {
      registry.tab(
        "mail", title: "Mail", symbol: "✉",
        label: { _ in TabLabel(title: Mail.shared.place, badge: Mail.shared.unread == 0 ? nil : "\(Mail.shared.unread)")
        }
      ) { _ in ShownContent { Button("Receive") { Mail.shared.unread += 1 } } }
      registry.tab("drafts", title: "Drafts", symbol: "D") { _ in ShownContent { Text("none") } }
    }
  }

  @Test func aRegisteredTabFollowsItsPluginsValues() async throws {
    (Mail.shared.unread, Mail.shared.place) = (0, "Inbox")
    let flow = try await FlowTester(plugins: [Post.self])
    #expect(flow.screen.hasPrefix("[Drafts*] [Inbox]"))
    try await flow.tab("Inbox")
    try await flow.tap("Receive")
    #expect(flow.screen.hasPrefix("[Drafts] [Inbox* (1)]"))
    Mail.shared.place = "Post"
    try await flow.settle()
    try await flow.tab("Drafts")
    #expect(flow.screen.hasPrefix("[Drafts*] [Post (1)]"), "also where it is not in front")
    Mail.shared.unread = 0
    try await flow.settle()
    #expect(flow.screen.hasPrefix("[Drafts*] [Post]"))
    #expect(flow.presentation.tabBars[0].map(\.symbol) == ["D", "✉"], "what is not said stays")
  }

  /// Nil stands for a badge that is not known yet, so the last badge would stay.
  @Test func aLabelThatIsNilAgainIsAMistake() async throws {
    Mail.shared.unread = 1
    let flow = try await FlowTester(plugins: [Forgetful.self])
    #expect(flow.screen.hasPrefix("[Mail* (1)]"))
    let failure = await #expect(throws: FlowFailure.self) { try await flow.tap("Read") }
    #expect(
      failure?.message.contains("the label of the tab forgetful.mail is nil again, so the badge '1' stays") == true)
  }

  final class Forgetful: Plugin {
    static let id = "forgetful"
    static let version = "1.0.0"
    func register(in registry: Registrar) {
      registry.tab(
        "mail", title: "Mail", label: { _ in Mail.shared.unread == 0 ? nil : TabLabel(badge: Mail.shared.unread) }
      ) { _ in ShownContent { Button("Read") { Mail.shared.unread = 0 } } }
    }
  }

  @Observable @MainActor final class Office: TabCoordinator {
    enum Tab: NavigationRoute { case desk, door }
    let tabs: [Tab] = [.desk, .door]
    var waiting = 0

    func item(for tab: Tab) -> TabItem {
      switch tab {
      case .desk:
        TabItem(
          title: "Desk", destination: .flow { [weak self] in ShownContent { Button("Knock") { self?.waiting += 1 } } })
      case .door:
        TabItem(
          title: waiting > 1 ? "Crowd" : "Door", badge: waiting == 0 ? nil : "\(waiting)",
          destination: .flow { ShownContent { Text("door") } })
      }
    }
  }

  @Test func aTabOfACoordinatorFollowsItsProperties() async throws {
    let flow = try await FlowTester(Office())
    flow.checksRestoration = false
    #expect(flow.screen.hasPrefix("[Desk*] [Door]"))
    try await flow.tap("Knock")
    #expect(flow.screen.hasPrefix("[Desk*] [Door (1)]"))
    try await flow.tap("Knock")
    #expect(flow.screen.hasPrefix("[Desk*] [Crowd (2)]"))
  }
}
