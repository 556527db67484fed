import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// Pages whose session no longer exists, and sessions that only seem to be gone.
@MainActor @Suite(.serialized) struct GoneSessionTests {
  /// An expression for the visible heading of the page.
  private nonisolated static let heading = "document.querySelector('main h1').textContent"

  /// Otherwise, a page whose session is gone, as after a sleep of the machine, would show "Reconnecting…" forever.
  @Test func aPageWhoseSessionIsGoneShowsTheSamePlaceInAnother() async throws {
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    let base = try await elsewhere {
      try page.tab(to: "button", "Go to Scene 2")
      try page.press("Enter")
      try page.wait("\(Self.heading) == 'Scene 2' && location.pathname.includes('/scenes/2')")
      return try page.text("document.body.dataset.base")
    }
    try await serving.restart { try FileManager.default.removeItem(atPath: serving.workshop.path("sessions")) }
    try await elsewhere {
      try page.wait("document.body.dataset.base != '\(base)' && \(Serving.live)")
      #expect(try page.text(Self.heading) == "Scene 2")
      #expect(try page.text("String(location.pathname.endsWith('/scenes/2'))") == "true")
    }
    await serving.stop()
  }

  @Test func whatWasTypedStaysWhereTheSessionIsGone() async throws {
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere { try page.tab(to: "textbox", "Text") }
    try await serving.restart {
      // Nothing was done in it, so it was not stored.
      #expect(!FileManager.default.fileExists(atPath: serving.workshop.path("sessions")))
      try page.type("still mine")
    }
    try await elsewhere {
      try page.wait("document.getElementById('connection').textContent.includes('Copy your text')")
      #expect(try page.text("document.activeElement.value") == "still mine")
      #expect(try page.text("String(document.getElementById('connection').hidden)") == "false")
    }
    await serving.stop()
  }

  /// A source that stores a session only once it is parked.
  @MainActor private final class SlowSource: SessionSource {
    private final class Quiet: SessionConnection {
      let presentation = Presentation(revision: 0, tabBars: [], path: [], canGoBack: false, layers: [])
      var pending: [Update.Pending] { [] }
      var onUpdate: (Update) -> Void = { _ in }
      func send(_ action: Event.Action) async throws -> Update { throw CancellationError() }
      func tree() async throws -> TreeNode { throw CancellationError() }
      func history() async throws -> [String] { [] }
      func restart() async throws {}
      func reload(_ plugin: PluginID?) async throws -> String { "" }
    }
    var didEnd: (SessionID, any Error) -> Void = { _, _ in }
    private var stored: Set<SessionID> = []
    /// Whether parked sessions are stored now.
    var isStoring = false
    func keep(_ id: SessionID, of person: String) throws {}
    func open(_ id: SessionID, of person: String, isOwners: Bool, isKept: Bool) async throws -> (
      session: any SessionConnection, notices: [Update.Notice]
    ) { (Quiet(), []) }
    func isStored(_ id: SessionID, of person: String) -> Bool { stored.contains(id) }
    var unstoredCount: Int { 0 }
    func hasSessions(of person: String) -> Bool { true }
    func forget(_ person: String) {}
    func copy(_ id: SessionID, to other: SessionID, of person: String) async throws {}
    func putAway(_ id: SessionID, of person: String) async {
      while !isStoring { await Task.yield() }
      stored.insert(id)
    }
  }

  @Test func whatIsBeingPutAwayIsNotGone() async throws {
    var options = Site.Options()
    options.limits.sessionsPerPerson = 1
    let source = SlowSource()
    let site = try Site(source, options)
    let (ada, grace) = (site.people.greet(), site.people.greet())
    let first = try await site.sessions.begin(for: ada)
    // A further session needs its place.
    async let second = site.sessions.begin(for: ada)
    try await eventually { site.sessions.all.isEmpty }
    #expect(site.sessions.has(first.id, of: ada))
    #expect(!site.sessions.has(first.id, of: grace))
    #expect(try await site.sessions.session(first.id, of: grace) == nil)
    source.isStoring = true
    #expect(try await site.sessions.session(first.id, of: ada)?.id == first.id)
    _ = try await second
    await site.close()
  }
}
