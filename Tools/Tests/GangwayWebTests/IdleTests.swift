import Foundation
import TestSupport
import Testing

@testable import GangwaySupervisor
@testable import GangwayWeb

/// Pages that nobody uses for a long time. `script/prove idle` runs this test for an hour.
@MainActor @Suite(.serialized) struct IdleTests {
  /// The seconds without any use.
  private static let seconds = ProcessInfo.processInfo.environment["GANGWAY_IDLE"].flatMap { Int($0) } ?? 15

  @Test func afterALongPauseTheUserTypesOnWhereTheyWere() async throws {
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
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
    await serving.stop()
  }
}
