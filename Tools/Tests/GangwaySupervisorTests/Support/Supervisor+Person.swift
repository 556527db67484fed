import Foundation
@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayHost
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
@_spi(FrontEnd) import GangwaySupervisor
import Testing

extension SessionConnection {
  /// Returns an element by its label once it exists, because a plugin's screen appears only after the plugin loads.
  private func element(_ label: String, _ kinds: Set<Element.Kind>) async throws -> Element {
    let lookup = ElementLookup(label, kinds: kinds)
    let patience = Patience(.seconds(10))
    while true {
      do {
        return try lookup.find(in: presentation)
      } catch  where !patience.hasEnded {
        try await Task.sleep(for: .milliseconds(2))
      }
    }
  }

  /// Presses a button or link by its label, as soon as it exists.
  @discardableResult func tap(_ label: String) async throws -> Update {
    let element = try await element(label, [.button, .link])
    return try await act(.tap(.init(node: presentation.top?.node ?? 0, element: element.id)))
  }

  /// Fills a field.
  func type(_ text: String, into label: String) async throws {
    let element = try await element(label, [.field])
    _ = try await send(.edit(.init(node: presentation.top?.node ?? 0, element: element.id), text: text))
  }

  /// Shows a tab by its title, as soon as it exists.
  @discardableResult func tab(
    _ title: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Update {
    let patience = Patience(.seconds(10))
    while !presentation.tabBars.joined().contains(where: { $0.title == title }),
      !patience.hasEnded
    {
      try await Task.sleep(for: .milliseconds(2))
    }
    let tab = try #require(
      presentation.tabBars.joined().first { $0.title == title }, "\(title): \(presentation.plainText)",
      sourceLocation: sourceLocation)
    return try await act(.tab(tab.node))
  }

  /// Sends an event, and waits for plugins that load because of it.
  private func act(_ action: Event.Action) async throws -> Update {
    var update = try await send(action)
    let patience = Patience(.seconds(10))
    while presentation.plainText.contains("Loading"), !patience.hasEnded {
      try await Task.sleep(for: .milliseconds(2))
      update.presentation = presentation
    }
    return update
  }

  /// Waits until the screen shows a text.
  func shows(
    _ text: String, within limit: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let patience = Patience(limit)
    while !presentation.plainText.contains(text), !patience.hasEnded {
      try await Task.sleep(for: .milliseconds(2))
    }
    // The message is one line, because a search in a long log finds only the line.
    #expect(
      presentation.plainText.contains(text),
      "'\(text)' is not shown, but: \(presentation.plainText.replacingOccurrences(of: "\n", with: " / "))",
      sourceLocation: sourceLocation)
  }

  /// Waits until a placeholder stands in for a feature, and reads the details of the placeholder.
  func showsUnavailable(
    _ title: String, because reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await shows("'\(title)' is not available.\nTry again\n+ Details", sourceLocation: sourceLocation)
    let details = Event.ElementReference(node: presentation.top?.node ?? 0, element: "gangway.details")
    _ = try await send(.expand(details, isExpanded: true))
    try await shows(reason, sourceLocation: sourceLocation)
  }

  /// Returns the screen and the tree, as the plain front end prints them.
  func picture() async throws -> String {
    let tree = try await tree().lines.joined(separator: "\n")
    return presentation.plainText + "\n" + tree
  }

  /// Waits until the screen and the tree equal a picture; a host's first screen may show a loading plugin.
  func looks(like picture: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let patience = Patience(.seconds(10))
    while try await self.picture() != picture, !patience.hasEnded {
      try await Task.sleep(for: .milliseconds(5))
    }
    let now = try await self.picture()
    #expect(
      now == picture, "\(now.debugDescription) is not \(picture.debugDescription)", sourceLocation: sourceLocation)
  }
}

extension Supervisor {
  /// Returns the messages until an expected one, from the answer or from updates; loading a library takes varying time.
  func told(
    _ action: () async throws -> Update, until isTheLast: (String) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    var told: [String] = []
    let before = onUpdate
    onUpdate = { update in
      told += update.notices.map(\.developerText)
      before(update)
    }
    defer { onUpdate = before }
    told += try await action().notices.map(\.developerText)
    let patience = Patience(.seconds(20))
    while !told.contains(where: isTheLast), !patience.hasEnded {
      try await Task.sleep(for: .milliseconds(5))
    }
    let isTold = told.contains(where: isTheLast)
    #expect(isTold, "\(told)", sourceLocation: sourceLocation)
    return told
  }

  /// Returns the first message that arrives after an action.
  func notice(after action: () throws -> Void) async rethrows -> String {
    var continuation: AsyncStream<String>.Continuation?
    let notices = AsyncStream<String> { continuation = $0 }
    let before = onUpdate
    onUpdate = { update in
      for notice in update.notices { continuation?.yield(notice.developerText) }
      before(update)
    }
    defer { onUpdate = before }
    try action()
    for await notice in notices { return notice }
    return ""
  }
}
