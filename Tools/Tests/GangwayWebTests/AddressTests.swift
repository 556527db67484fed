import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// Addresses of screens in a browser, with its back, forward and reload buttons.
@MainActor @Suite(.serialized) struct AddressTests {
  @Test func backForwardAndReloadShowTheScreenOfTheAddress() async throws {
    let serving = try await Serving(["account", "todos"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    let register = SampleScreens.register
    try await elsewhere {
      func shows(_ title: String, at end: String) throws {
        try page.wait("document.querySelector('h1')?.textContent == '\(title)' && location.pathname.endsWith('\(end)')")
        try page.wait(Serving.answered)
      }
      try page.run(script: "open gangway://todos\ntap Sign in\ntap Register\n\(register)\ntap New todo")
      try page.run(script: "set Title = Buy milk\ntap Save")
      try shows("Buy milk", at: "/todos/1")
      // The todo is opened from its list, and not by its link.
      try page.run(script: "back\ntap All\ntap Buy milk")
      try shows("Buy milk", at: "/todos/1")
      _ = try page.value("isOld = true")
      try page.call("Page.reload")
      try page.wait("!window.isOld && \(Serving.live)")
      try shows("Buy milk", at: "/todos/1")
      _ = try page.value("history.back()")
      try shows("All", at: "/todos/lists/all")
      _ = try page.value("history.forward()")
      try shows("Buy milk", at: "/todos/1")
      try page.run(script: "tap Edit")
      try page.wait("!!document.querySelector('dialog:modal')")
      _ = try page.value("isOld = true")
      try page.call("Page.reload")
      try page.wait("!window.isOld && \(Serving.live) && !!document.querySelector('dialog:modal')")
    }
    #expect(browser.takeComplaints() == [])
    await serving.stop()
  }
}
