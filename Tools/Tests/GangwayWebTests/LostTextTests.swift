import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// Text that the host has not answered when it ends.
@MainActor @Suite(.serialized) struct LostTextTests {
  private nonisolated static let field = "document.querySelector('input[type=text]')"

  /// Stops the host of the only session, so that it answers nothing.
  private func stopHost(_ serving: Serving) throws -> Int32 {
    let host = try #require(serving.userSessions.sessions.values.first?.keeper.hostProcessID)
    kill(host, SIGSTOP)
    return host
  }

  private func expectText(_ text: String, _ serving: Serving) async throws {
    try await eventually {
      let keeper = serving.userSessions.sessions.values.first?.keeper
      return keeper?.isShown == true && keeper?.presentation.plainText.contains("[\(text)]") == true
    }
  }

  @Test func textIsSentAgainWhenItsHostDies() async throws {
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere { try page.tab(to: "textbox", "Text") }
    let host = try stopHost(serving)
    try await elsewhere { try page.type("k") }
    kill(host, SIGKILL)
    try await expectText("k", serving)
    try await elsewhere { try page.wait("\(Self.field).value == 'k' && \(Serving.answered)") }
    await serving.stop()
  }

  @Test func textIsSentAgainWhenItsHostHangsAndIsRestarted() async throws {
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere { try page.tab(to: "textbox", "Text") }
    let host = try stopHost(serving)
    try await elsewhere {
      try page.type("k")
      try page.wait(for: "does not answer")
      try page.run(script: "tap Restart")
    }
    try await eventually { kill(host, 0) != 0 }
    try await expectText("k", serving)
    try await elsewhere { try page.wait("\(Self.field).value == 'k' && \(Serving.answered)") }
    await serving.stop()
  }

  @Test func textIsKeptWhenItsHostGoesOnAfterTheQuestion() async throws {
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere { try page.tab(to: "textbox", "Text") }
    let host = try stopHost(serving)
    try await elsewhere {
      try page.type("k")
      try page.wait(for: "does not answer")
    }
    kill(host, SIGCONT)
    try await expectText("k", serving)
    try await elsewhere {
      try page.wait("!document.querySelector('dialog[open]')")
      try page.wait("\(Self.field).value == 'k' && \(Serving.answered)")
    }
    await serving.stop()
  }
}
