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

  @Test func aDialogLeavesThePageBelowWhereItIs() async throws {
    let serving = try await Serving(["account", "todos"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere {
      let top = "document.querySelector('h1').getBoundingClientRect().top"
      try page.run(script: "open gangway://todos\nexpect All")
      let before = try page.text("\(top)")
      try page.run(script: "tap New list")
      try page.wait("!!document.querySelector('dialog:modal')")
      #expect(try page.text("\(top)") == before)
    }
    await serving.stop()
  }

  /// Tabs, rows and the path are links, which the browser can copy or open in another tab.
  @Test func tabsRowsAndThePathAreLinks() async throws {
    let serving = try await Serving(["account", "todos", "scenes"])
    let (browser, stranger) = (try Chromium(), try Chromium())
    let page = try await serving.visit(browser)
    let other = try await serving.visit(stranger)
    let port = serving.server.port
    try await elsewhere {
      func link(_ text: String) -> String {
        "[...document.querySelectorAll('a[href]')].find(link => link.textContent.includes('\(text)'))"
      }
      // A tab is a link before its feature is loaded.
      try page.wait("\(link("Todos"))?.getAttribute('href') == '/todos'")
      try page.wait("\(link("Scenes"))?.getAttribute('href') == '/scenes'")
      _ = try page.value("isSamePage = true; \(link("Todos")).click()")
      try page.wait("\(link("All"))?.getAttribute('href') == '/todos/lists/all'")
      _ = try page.value("\(link("All")).click()")
      try page.wait("location.pathname.endsWith('/todos/lists/all')")
      // The row of the screen beside the list is marked.
      let marked = "[...document.querySelectorAll('.row-main[aria-current]')].map(row => row.id)"
      try page.wait("JSON.stringify(\(marked)) == JSON.stringify([\(link("All")).id])")
      try page.wait("!!document.querySelector('a.row-main[href^=\"/todos/-\"]')")
      _ = try page.value("document.querySelector('a.row-main[href^=\"/todos/-\"]').click()")
      try page.wait("/\\/todos\\/-\\d+$/.test(location.pathname)")
      try page.wait(Serving.answered)
      // All clicks stayed on the page. With Control, a click is the browser's own.
      #expect(try page.value("isSamePage === true") as? Bool == true)
      let note = "event => { isOwn = !event.defaultPrevented; event.preventDefault() }"
      _ = try page.value("addEventListener('click', \(note))")
      let click = "new MouseEvent('click', { ctrlKey: true, bubbles: true, cancelable: true })"
      _ = try page.value("\(link("Scenes")).dispatchEvent(\(click))")
      #expect(try page.value("isOwn === true") as? Bool == true)
      let (title, path) = (
        try page.text("document.querySelector('h1').textContent"), try page.text("location.pathname")
      )
      // The path is a way back.
      try page.wait("\(link("All"))?.className == 'crumb'")
      #expect(try page.text("\(link("All")).getAttribute('href')") == "/todos/lists/all")
      // The copied address opens the same screen in another browser, in a session of its own.
      let address = path.replacing(/^\/~[^\/]+/, with: "")
      for page in [try browser.open(), other] {
        try page.go("http://127.0.0.1:\(port)\(address)")
        try page.wait("\(Serving.live) && document.querySelector('h1')?.textContent == '\(title)'")
        #expect(try page.text("location.pathname") != path)
      }
      _ = try page.value("\(link("All")).click()")
      try page.wait("location.pathname.endsWith('/todos/lists/all')")
      #expect(try page.value("isSamePage === true") as? Bool == true)
    }
    #expect(browser.takeComplaints() == [])
    await serving.stop()
  }

  /// Screens without a link, too, and also without scripts.
  @Test(arguments: [true, false]) func eachEntryOfThePathIsAWayBack(_ runsScripts: Bool) async throws {
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let entrance = serving.entrance()
    try await elsewhere {
      let page = try browser.open(runsScripts: runsScripts)
      try page.go(entrance)
      func tap(_ text: String) throws {
        let button = "[...document.querySelectorAll('button, a')].find(e => e.textContent.trim() == '\(text)')"
        try page.wait("!!\(button)")
        _ = try page.value("\(button).click()")
      }
      try tap("Go to Scene 2")
      try page.wait("document.querySelector('h1')?.textContent == 'Scene 2'")
      try tap("Scene 1")
      try page.wait("document.querySelector('h1')?.textContent == 'Scene 1'")
      try page.wait(for: "Go to Scene 2")
    }
    #expect(browser.takeComplaints() == [])
    await serving.stop()
  }
}
