@_spi(FrontEnd) import GangwayProtocol
import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// Edits while the server's disk is full.
@MainActor @Suite(.serialized) struct UnstoredTests {
  private nonisolated static let warning = "Your changes are not stored. Keep this page open."

  /// Lets all writes of a session fail, as on a full disk, or work again.
  private func setFull(_ isFull: Bool, _ serving: Serving) throws {
    let store = try #require(serving.userSessions.sessions.values.first?.keeper.memory.store as? SessionStore)
    store.disk.append = { isFull ? false : ProcessIO.writeAll($0, to: $1) }
    store.disk.write = { file, checkpoint in
      if isFull { throw SupervisorFailure("'\(file.path)' could not be written: No space left on device") }
      return try file.writeBeside(checkpoint)
    }
  }

  private func health(_ serving: Serving) async throws -> String {
    let stranger = Visitor(port: serving.server.port, cookie: "", session: "")
    return try await elsewhere { stranger.ask("GET", "/_gangway/health", isKnown: false) }
  }

  @Test func whatCannotBeStoredIsSaidAndComesBackFromThePage() async throws {
    let serving = try await Serving(["scenes"])
    var complaints: [String] = []
    serving.userSessions.didFailToStore = { complaints.append("\($0)") }
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere {
      try page.type("stored", into: "Text")
      #expect(try !page.text("document.body.innerText").contains(Self.warning))
    }
    try setFull(true, serving)
    try await elsewhere {
      try page.type(", not stored")
      try page.wait(Serving.answered)
      try page.wait(for: Self.warning)
      try page.wait(for: "Your latest changes could not be stored. Keep the app open.")
      // Users never read paths.
      #expect(try !page.text("document.body.innerText").contains("/"))
    }
    #expect(complaints.contains { $0.contains("could not be written") }, "\(complaints)")
    #expect(try await health(serving).contains(#""status":"not storing""#))

    // The server ends without storing: its next run has the text before, and gets the newer one from the page.
    try await serving.restart()
    try await elsewhere {
      try page.wait("document.querySelector('input[type=text]').value == 'stored, not stored' && \(Serving.answered)")
      try page.wait("document.getElementById('connection').hidden")
    }
    try await eventually {
      let presentation = serving.userSessions.sessions.values.first?.keeper.presentation
      return presentation?.plainText.contains("[stored, not stored]") == true
    }
    #expect(try await health(serving).contains(#""status":"ok""#))
    await serving.stop()
  }

  @Test func onceThereIsRoomEverythingIsStored() async throws {
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere {
      try page.type("one", into: "Text")
    }
    try setFull(true, serving)
    try await elsewhere {
      try page.type(", two")
      try page.wait(for: Self.warning)
    }
    try setFull(false, serving)
    try await elsewhere {
      try page.wait(for: "Saving works again. All your changes are stored.")
      try page.wait("document.getElementById('connection').hidden")
    }
    #expect(try await health(serving).contains(#""status":"ok""#))
    let store = try #require(serving.userSessions.sessions.values.first?.keeper.memory.store as? SessionStore)
    let file = store.file.path
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("one, two"))
    await serving.stop()
  }

  /// A slow disk is written to in the background, so changes are unstored for a moment.
  @Test func aSlowDiskIsNotTakenForAFullOne() async throws {
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere { try page.type("one", into: "Text") }
    let store = try #require(serving.userSessions.sessions.values.first?.keeper.memory.store as? SessionStore)
    store.patience = .zero
    try await elsewhere {
      for letter in ", two" {
        try page.type("\(letter)")
        try page.wait(Serving.answered)
      }
    }
    try await eventually { !store.isBehind }
    try await elsewhere {
      usleep(1_500_000)
      let hidden = try page.text("String(document.getElementById('connection').hidden)")
      let count = try page.text("document.querySelectorAll('.notice').length + ''")
      #expect(hidden == "true")
      #expect(count == "0")
    }
    await serving.stop()
  }
}
