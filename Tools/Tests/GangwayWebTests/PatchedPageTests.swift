import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// Patches of a page, which must not disturb the element that the user is working with.
@MainActor @Suite(.serialized) struct PatchedPageTests {
  /// Returns a text for each letter, and the field that the user is typing in for `*`.
  private static func elements(_ order: String, typed: String = "") -> [Element] {
    order.map { name in
      name == "*"
        ? Element(id: "field", kind: .field, label: "Field", value: typed)
        : Element(id: "\(name)", kind: .text, label: "\(name)")
    }
  }

  @Test(arguments: [false, true])
  func whatHasTheKeyboardIsNotMovedWhereverTheOthersGo(isInSection: Bool) async throws {
    func shown(_ order: String, typed: String = "") -> [Element] {
      let elements = Self.elements(order, typed: typed)
      return isInSection ? [Element(id: "section", kind: .section, label: "Section", children: elements)] : elements
    }
    let session = ShownSession(shown("a*b"))
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    try await elsewhere {
      try page.tab(to: "textbox", "Field")
      try page.type("typed")
      _ = try page.value(
        "held = document.activeElement; held.setSelectionRange(2, 3); left = 0; held.onblur = () => left++")
    }
    for order in ["*b", "x*b", "*", "ab*", "*ab", "b*a", "a*b", "xb*ya", "*x", "y*", "*y", "cba*"] {
      session.show(shown(order, typed: "typed"))
      try await elsewhere {
        let now =
          "[...document.querySelectorAll('.paragraph, .field')]"
          + ".map(e => e.matches('.field') ? '*' : e.textContent).join('')"
        try page.wait("\(now) == '\(order)'")
        let state = try page.text("[document.activeElement === held, held.value, held.selectionStart, left].join()")
        #expect(state == "true,typed,2,0", "\(order)")
      }
    }
    await server.stop()
  }

  @Test func aLogShowsItsNewestLinesUnlessSomebodyLooksAtThoseBefore() async throws {
    func log(_ lines: ClosedRange<Int>) -> [Element] {
      var log = Element(id: "log", kind: .log, label: "Log")
      log.lines = lines.map { "line \($0)" }
      return [log]
    }
    let session = ShownSession(log(1...100))
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    let isAtEnd =
      "(l => Math.abs(l.scrollTop + l.clientHeight - l.scrollHeight) < 2)(document.querySelector('.log > div'))"
    try await elsewhere {
      #expect(try page.text("String(\(isAtEnd))") == "true")
      _ = try page.value(
        "box = document.querySelector('.log > div'); "
          + "held = [...box.children].find(line => line.textContent == 'line 50')")
    }
    for lines in [1...103, 20...110, 20...110, 30...110, 40...111] {
      session.show(log(lines))
      let text = lines.map { "line \($0)" }.joined()
      try await elsewhere {
        try page.wait("box.textContent == '\(text)'")
        #expect(try page.text("[box.contains(held), \(isAtEnd)].join()") == "true,true", "\(lines)")
      }
    }
    try await elsewhere { _ = try page.value("box.scrollTop = 40") }
    session.show(log(40...140))
    try await elsewhere {
      try page.wait("box.lastChild.textContent == 'line 140'")
      #expect(try page.text("String(box.scrollTop)") == "40")
    }
    // Lines that do not continue the old ones replace the whole log.
    session.show(log(500...600))
    try await elsewhere {
      try page.wait("box.firstChild.textContent == 'line 500' && box.children.length == 101")
    }
    await server.stop()
  }

  @Test func theSafeAnswerToAQuestionHasTheKeyboard() async throws {
    var alert = Element(id: "alert", kind: .alert, label: "Delete it?")
    alert.children = [
      Element(id: "delete", kind: .button, label: "Delete", role: .destructive),
      Element(id: "cancel", kind: .button, label: "Cancel", role: .cancel),
    ]
    let session = ShownSession(Self.elements("a*"))
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    session.show(Self.elements("a*") + [alert])
    try await elsewhere {
      try page.wait("!!document.querySelector('dialog:modal')")
      #expect(try page.text("document.activeElement.textContent.trim()") == "Cancel")
    }
    await server.stop()
  }

  @Test func withALongWayBetweenThemWhatIsTypedIsNeverOverwrittenAndAPressSaysThatItWaits() async throws {
    let session = ShownSession(Self.elements("a*") + [Element(id: "press", kind: .button, label: "Press")])
    session.latency = .milliseconds(300)
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    try await elsewhere {
      try page.tab(to: "textbox", "Field")
      _ = try page.value(
        "seen = []; field = document.activeElement; "
          + "watch = () => { seen.push(field.value); requestAnimationFrame(watch) }; watch()")
      let text = "what is typed while answers to what was typed before come"
      for letter in text {
        try page.press("\(letter)")
        usleep(25_000)
      }
      try page.wait("!document.documentElement.hasAttribute('data-busy')")
      // Each value continues the one before.
      let lost = "seen.filter((value, i) => i && !value.startsWith(seen[i - 1])).length"
      #expect(try page.text("[\(lost), field.value].join()") == "0,\(text)")
      try page.tab(to: "button", "Press")
      try page.press("Enter")
      try page.wait("document.documentElement.classList.contains('waiting')", seconds: 2)
      try page.wait("!document.documentElement.classList.contains('waiting')", seconds: 2)
    }
    #expect(session.presentation.top?.elements.first { $0.kind == .field }?.value?.hasSuffix("before come") == true)
    await server.stop()
  }

  @Test func whereALeaveGuardStandsTheBrowserAsksBeforeThePageIsClosed() async throws {
    let session = ShownSession(Self.elements("*"))
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    for asks in [false, true, false] {
      session.show(Self.elements("*"), asks: asks)
      try await elsewhere {
        // Browsers ask only if the user has done something on the page.
        try page.tab(to: "textbox", "Field")
        try page.type("x")
        try page.wait("!document.documentElement.hasAttribute('data-busy')")
        _ = try page.value("isOld = true")
        try page.call("Page.reload")
        try page.wait("!window.isOld && \(Serving.live)")
        #expect(browser.takeDialogs() == (asks ? ["beforeunload"] : []))
      }
    }
    await server.stop()
    // The text has not arrived, because the server is gone.
    try await elsewhere {
      try page.tab(to: "textbox", "Field")
      try page.type("x")
      try page.call("Page.navigate", ["url": "about:blank"])
      #expect(browser.takeDialogs() == ["beforeunload"])
    }
  }

  @Test func whileItIsBuiltAndDoesNotBuildThePersonTypesOn() async throws {
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere {
      try page.tab(to: "textbox", "Text")
      try page.type("typed")
      _ = try page.value("held = document.activeElement; left = 0; held.onblur = () => left++")
    }
    let keeper = try #require(serving.userSessions.sessions.values.first?.keeper)
    let lines = ["scenes does not build; the previous version keeps running.", "Scenes.swift:1:1: error: no"]
    keeper.setProgress("scenes", .init("Building scenes", 1, of: 2))
    try await elsewhere { try page.wait("document.querySelector('main').innerText.includes('Building scenes')") }
    keeper.setProgress("scenes", nil)
    keeper.setBanner("scenes", lines)
    try await elsewhere {
      try page.wait("document.querySelector('main').innerText.includes('Scenes.swift:1:1: error: no')")
      try page.type(" on")
    }
    _ = try await serving.userSessions.reloaded("scenes")
    keeper.setBanner("scenes", [])
    try await elsewhere {
      try page.wait("!document.querySelector('main').innerText.includes('error: no')")
      try page.type("!")
      #expect(try page.text("[document.activeElement === held, held.value, left].join()") == "true,typed on!,0")
      try page.run(script: "tap Go to Scene 2\nexpect You typed: typed on!")
    }
    await serving.stop()
  }
}
