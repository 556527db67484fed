import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// The only session of a site, which shows any content that a test sets.
@MainActor final class ShownSession: SessionConnection, SessionSource {
  private(set) var presentation: Presentation
  var pending: [Update.Pending] { [] }
  /// The pages' sessions, which all show this one's content.
  private var listeners: [(Update) -> Void] = []
  var onUpdate: (Update) -> Void {
    get { { [listeners] update in for listener in listeners { listener(update) } } }
    set { listeners.append(newValue) }
  }
  var didEnd: (SessionID, any Error) -> Void = { _, _ in }
  var unstoredCount: Int { 0 }
  func hasSessions(of person: String) -> Bool { true }
  func forget(_ person: String) {}

  init(_ elements: [Element]) { presentation = Self.presentation(0, elements) }

  private static func presentation(_ revision: Revision, _ elements: [Element], asks: Bool = false) -> Presentation {
    Presentation(
      revision: revision, tabBars: [], path: [.init(node: 1, title: "Screen")], canGoBack: false,
      layers: [.init(node: 1, style: .base, title: "Screen", isDismissible: false, elements: elements)],
      asksBeforeLeaving: asks)
  }

  func show(_ elements: [Element], asks: Bool = false) { show(Self.presentation(0, elements, asks: asks)) }

  /// Shows a presentation, under a new number.
  func show(_ next: Presentation) {
    let revision = presentation.revision + 1
    presentation = next
    presentation.revision = revision
    onUpdate(Update(event: nil, revision: presentation.revision, presentation: presentation, checkpoint: nil))
  }

  /// The time until an answer.
  var latency = Duration.zero
  /// Returns the text that a field takes when a user types one.
  var taken: (String) -> String = { $0 }

  func send(_ action: Event.Action) async throws -> Update {
    try await Task.sleep(for: latency)
    if case .edit(_, let text) = action, let elements = presentation.top?.elements {
      presentation.layers[0].elements = edited(elements, text)
      presentation.revision = presentation.revision + 1
    }
    return Update(event: 1, revision: presentation.revision, presentation: nil, checkpoint: nil)
  }
  private func edited(_ elements: [Element], _ text: String) -> [Element] {
    elements.map { element in
      var element = element
      if [.field, .number].contains(element.kind) { element.value = taken(text) }
      element.children = edited(element.children, text)
      return element
    }
  }
  func tree() async throws -> TreeNode { throw CancellationError() }
  func history() async throws -> [String] { [] }
  func restart() async throws {}
  func reload(_ plugin: PluginID?) async throws -> String { "" }

  func keep(_ id: SessionID, of person: String) throws {}
  func open(_ id: SessionID, of person: String, isOwners: Bool, isKept: Bool) async throws -> (
    session: any SessionConnection, notices: [Update.Notice]
  ) { (self, []) }
  func isStored(_ id: SessionID, of person: String) -> Bool { true }
  func copy(_ id: SessionID, to other: SessionID, of person: String) async throws {}
  func putAway(_ id: SessionID, of person: String) async {}

  /// Opens a page of the session, with its own server.
  func visit(_ browser: Chromium) async throws -> (WebServer, Chromium.Page) {
    var options = Site.Options()
    options.onlySession = "main"
    let site = try Site(self, options)
    let server = try await WebServer.start(site, port: 0)
    let address = "http://127.0.0.1:\(server.port)\(site.makeEntrance())"
    let page = try await elsewhere {
      let page = try browser.open()
      try page.go(address)
      try page.wait(Serving.live)
      return page
    }
    return (server, page)
  }
}
