@_spi(FrontEnd) import GangwayProtocol
import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// Pages that nobody uses for a long time. `script/prove idle` runs this test for an hour.
@MainActor @Suite struct IdleTests {
  /// The seconds without any use.
  private static let seconds = ProcessInfo.processInfo.environment["GANGWAY_IDLE"].flatMap { Int($0) } ?? 15

  @Test(arguments: [false, true])
  func afterALongPauseTheUserTypesOnWhereTheyWere(behindProxy: Bool) async throws {
    let (name, proxyPort) = ("app.example.org", try behindProxy ? freePort() : 0)
    let serving = try await Serving(["scenes"]) { $0.names = behindProxy ? ["\(name):\(proxyPort)"] : [] }
    let proxy = behindProxy ? try await Proxy(port: proxyPort, to: serving.server.port, in: serving.workshop) : nil
    let browser = try Chromium(trusting: name)
    let entrance = (behindProxy ? "https://\(name):\(proxyPort)" : serving.address("")) + serving.site.makeEntrance()
    let page = try await elsewhere {
      let page = try browser.open()
      try page.go(entrance)
      try page.wait(Serving.live)
      return page
    }
    try await elsewhere {
      try page.type("before", into: "Text")
      _ = try page.value("held = document.activeElement; complaints = 0")
      // The page must not even show for a moment that it reconnects.
      _ = try page.value(
        "new MutationObserver(() => { if (!connection.hidden) complaints++ }).observe(connection, { attributes: true })"
      )
    }
    try await Task.sleep(for: .seconds(Self.seconds))
    try await elsewhere {
      try page.type(" and after")
      try page.wait(Serving.answered)
      #expect(
        try page.text("[document.activeElement === held, held.value, complaints].join()") == "true,before and after,0")
    }
    #expect(
      serving.userSessions.sessions.values.first?.keeper.presentation.plainText.contains("before and after") == true)
    // A kill after the pause costs nothing either.
    try await serving.killHost()
    try await elsewhere {
      try page.type("!")
      try page.run(script: "tap Go to Scene 2\nexpect You typed: before and after!")
    }
    #expect(browser.takeComplaints() == [])
    withExtendedLifetime(proxy) {}
    await serving.stop()
  }
}
