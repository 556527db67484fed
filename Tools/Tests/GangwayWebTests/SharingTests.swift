@_spi(FrontEnd) import GangwayProtocol
import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwaySupervisor
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// Users who share a host, and sessions with several pages.
@MainActor @Suite(.serialized) struct SharingTests {
  @Test func aSessionThatStopsTwoHostsRunsAloneAndTheOthersSeeNoThirdDeath() async throws {
    let serving = try await Serving(["scenes"], hasTrouble: true)
    let browser = try Chromium()
    let (one, other) = (try await serving.visit(browser), try await serving.visit(browser))
    try await elsewhere {
      try other.run(script: "tab Scenes\nset Text = mine")
      _ = try other.value("window.held = document.querySelector('input[type=text]')")
    }
    var hosts = Set(serving.userSessions.hostProcessIDs)
    #expect(hosts.count == 1)
    for death in 1...3 {
      try await elsewhere {
        try one.tab(to: "button", "Trap")
        try one.press("Enter")
        try one.wait("!document.documentElement.hasAttribute('data-busy')")
        try one.wait(for: death < 3 ? "Not done: tap on 'Trap'." : "crashed 3 times within a minute")
      }
      try await eventually { serving.userSessions.hostProcessIDs.count == (death == 1 ? 1 : 2) }
      if death == 2 { hosts = Set(serving.userSessions.hostProcessIDs) }
    }
    // The third crash was in the session's own host.
    #expect(hosts.intersection(serving.userSessions.hostProcessIDs).count == 1)
    try await elsewhere {
      #expect(try other.text("held.value") == "mine")
      #expect(try other.value("held.isConnected") as? Bool == true)
      // The other user got two messages, which do not blame that user's session.
      let told = try other.text("[...document.querySelectorAll('.notice')].map(n => n.textContent).join('|')")
      #expect(told.contains("Work that was running here was stopped."), "\(told)")
      try other.run(script: "tap Go to Scene 2\nexpect You typed: mine")
      try BrowserTests.check(other, "the other")
    }
    await serving.stop()
  }

  @Test func aServedSessionIsSeenOnAnotherFrontEndAndAFeatureIsReplacedForAll() async throws {
    let serving = try await Serving(["scenes"], hosts: 2)
    let folder = serving.workshop.path("state/gangway/run")
    let socket = try ControlSocket(folder: folder, serving.userSessions)
    let app = try #require(await Task.detached { RunningApps(folder: folder).apps }.value.first)
    let nobody = await #expect(throws: SupervisorFailure.self) { try await RemoteSession.attach(to: app) }
    #expect(nobody?.description == "The app has no running session.")
    let browser = try Chromium()
    let (one, other) = (try await serving.visit(browser), try await serving.visit(browser))
    let which = await #expect(throws: SupervisorFailure.self) { try await RemoteSession.attach(to: app) }
    let name = try await elsewhere { try one.text("document.body.dataset.base.slice(2, -1)") }
    #expect(which?.description.contains("There are 2 sessions. Name one with --session:\n") == true)
    #expect(which?.description.contains("\n  \(name)  Scene 1") == true)
    let attached = try await RemoteSession.attach(to: app, session: SessionID(rawValue: name))
    attached.onUpdate = { _ in }
    try await elsewhere { try one.run(script: "set Text = in the browser") }
    try await eventually { attached.presentation.plainText.contains("[in the browser]") }
    _ = try await attached.send(.open("gangway://scenes/2?text=elsewhere"))
    try await elsewhere {
      try one.wait(for: "You typed: elsewhere")
      try BrowserTests.check(one, "where the other went")
      try other.run(script: "set Text = kept")
    }
    let hosts = Set(serving.userSessions.hostProcessIDs)
    #expect(hosts.count == 2)
    let reloaded = try await serving.workshop.gangway(["reload", "scenes"])
    #expect(reloaded.output.contains("In 2 hosts: The plugin scenes 1.0.0 was reloaded."), "\(reloaded)")
    #expect(hosts.isDisjoint(with: serving.userSessions.hostProcessIDs))
    try await elsewhere {
      try other.run(script: "expect Go to Scene 2\ntap Go to Scene 2\nexpect You typed: kept")
      try BrowserTests.check(other, "after the feature was replaced")
    }
    socket.stop()
    var reason: String?
    attached.onEnd = { reason = $0 }
    await serving.stop()
    try await eventually { reason != nil }
  }
}
