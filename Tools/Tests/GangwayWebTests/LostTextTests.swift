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

  /// On a slow connection, users type before the page's script has arrived.
  @Test func whatIsEnteredBeforeTheScriptRunsArrives() async throws {
    let serving = try await Serving(["gallery"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere {
      _ = try page.value("[...document.querySelectorAll('a, button')].find(e => e.innerText.trim() === 'Form').click()")
      try page.wait("!!document.querySelector('input[type=checkbox]')")
      let before = try page.text("document.querySelector('input[type=checkbox]').checked ? 'on' : 'off'")
      _ = try page.value("window.isOld = true")
      try page.call("Network.setCacheDisabled", ["cacheDisabled": true])
      try page.call(
        "Network.emulateNetworkConditions",
        ["offline": false, "latency": 1_500, "downloadThroughput": -1, "uploadThroughput": -1])
      try page.call("Page.reload")
      try page.wait("!window.isOld && !\(Serving.live) && !!document.querySelector('input[type=checkbox]')")
      _ = try page.value("\(Self.field).focus(); \(Self.field).select()")
      try page.type("early")
      _ = try page.value("document.querySelector('input[type=checkbox]').click()")
      #expect(try page.value(Serving.live) as? Bool == false, "the script has run before the user was done")
      try page.wait("\(Serving.live) && \(Serving.answered)")
      try page.call(
        "Network.emulateNetworkConditions",
        ["offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
      // A new page of the session shows what the app has.
      _ = try page.value("window.isOld = true")
      try page.call("Page.reload")
      try page.wait("!window.isOld && \(Serving.live) && \(Self.field)?.defaultValue === 'early'")
      let after = try page.text("document.querySelector('input[type=checkbox]').checked ? 'on' : 'off'")
      #expect(after != before)
    }
    await serving.stop()
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
