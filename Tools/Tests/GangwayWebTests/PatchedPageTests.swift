import Foundation
import GangwayClient
import GangwayProtocol
import TestSupport
import Testing

@testable import GangwaySupervisor
@testable import GangwayWeb

/// Patches of a page, which must not disturb the element that the user is working with.
@MainActor @Suite(.serialized) struct PatchedPageTests {
  /// The only session of a site, which shows any content that a test sets.
  @MainActor private final class ShownSession: SessionConnection, SessionSource {
    private(set) var presentation: Presentation
    var pending: [Update.Pending] { [] }
    var onUpdate: (Update) -> Void = { _ in }
    var didEnd: (String, any Error) -> Void = { _, _ in }
    func hasSessions(of person: String) -> Bool { true }
    func forget(_ person: String) {}

    init(_ elements: [Element]) { presentation = Self.presentation(0, elements) }

    private static func presentation(_ revision: Revision, _ elements: [Element], asks: Bool = false) -> Presentation {
      Presentation(
        revision: revision, tabBars: [], path: [.init(node: 1, title: "Screen")], canGoBack: false,
        layers: [.init(node: 1, style: .base, title: "Screen", isDismissible: false, elements: elements)],
        asksBeforeLeaving: asks)
    }

    func show(_ elements: [Element], asks: Bool = false) {
      presentation = Self.presentation(presentation.revision + 1, elements, asks: asks)
      onUpdate(Update(event: nil, revision: presentation.revision, presentation: presentation, checkpoint: nil))
    }

    /// The time until an answer.
    var latency = Duration.zero

    func send(_ action: Event.Action) async throws -> Update {
      try await Task.sleep(for: latency)
      if case .edit(_, let text) = action, var elements = presentation.top?.elements {
        for index in elements.indices where elements[index].kind == .field { elements[index].value = text }
        presentation.layers[0].elements = elements
        presentation.revision += 1
      }
      return Update(event: 1, revision: presentation.revision, presentation: nil, checkpoint: nil)
    }
    func tree() async throws -> TreeNode { throw CancellationError() }
    func history() async throws -> [String] { [] }
    func restart() async throws {}
    func reload(_ plugin: String?) async throws -> String { "" }

    func keep(_ id: String, of person: String) throws {}
    func open(_ id: String, of person: String, isKept: Bool) async throws -> (
      session: any SessionConnection, notices: [Update.Notice]
    ) { (self, []) }
    func isStored(_ id: String, of person: String) -> Bool { true }
    func copy(_ id: String, to other: String, of person: String) async throws {}
    func putAway(_ id: String, of person: String) async {}
  }

  /// Opens a page of a session, with its own server.
  private static func visit(
    _ session: ShownSession, _ browser: Chromium
  ) async throws -> (WebServer, Chromium.Page) {
    var options = Site.Options()
    options.onlySession = "main"
    let site = try Site(session, options)
    let server = try await WebServer.start(site, port: 0)
    let address = "http://127.0.0.1:\(server.port)\(site.makeEntrance())"
    let page = try await elsewhere {
      let page = try browser.open()
      try page.go(address)
      try page.wait(Serving.live)
      return page
    }
    return (server, page)
  }

  /// Returns a text for each letter, and the field that the user is typing in for `*`.
  private static func elements(_ order: String) -> [Element] {
    order.map { name in
      name == "*"
        ? Element(id: "field", kind: .field, label: "Field", value: "")
        : Element(id: "\(name)", kind: .text, label: "\(name)")
    }
  }

  @Test(arguments: [false, true])
  func whatHasTheKeyboardIsNotMovedWhereverTheOthersGo(isInSection: Bool) async throws {
    func shown(_ order: String) -> [Element] {
      let elements = Self.elements(order)
      return isInSection ? [Element(id: "section", kind: .section, label: "Section", children: elements)] : elements
    }
    let session = ShownSession(shown("a*b"))
    let browser = try Chromium()
    let (server, page) = try await Self.visit(session, browser)
    try await elsewhere {
      try page.tab(to: "textbox", "Field")
      try page.type("typed")
      _ = try page.value(
        "held = document.activeElement; held.setSelectionRange(2, 3); left = 0; held.onblur = () => left++")
    }
    for order in ["*b", "x*b", "*", "ab*", "*ab", "b*a", "a*b", "xb*ya", "*x", "y*", "*y", "cba*"] {
      session.show(shown(order))
      try await elsewhere {
        let now =
          "[...document.querySelectorAll('.paragraph, .field')].map(e => e.matches('.field') ? '*' : e.textContent).join('')"
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
    let (server, page) = try await Self.visit(session, browser)
    let isAtEnd =
      "(l => Math.abs(l.scrollTop + l.clientHeight - l.scrollHeight) < 2)(document.querySelector('.log > div'))"
    try await elsewhere {
      #expect(try page.text("String(\(isAtEnd))") == "true")
      _ = try page.value(
        "box = document.querySelector('.log > div'); held = [...box.children].find(line => line.textContent == 'line 50')"
      )
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
    let (server, page) = try await Self.visit(session, browser)
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
    let (server, page) = try await Self.visit(session, browser)
    try await elsewhere {
      try page.tab(to: "textbox", "Field")
      _ = try page.value(
        "seen = []; field = document.activeElement; watch = () => { seen.push(field.value); requestAnimationFrame(watch) }; watch()"
      )
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
    let (server, page) = try await Self.visit(session, browser)
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
    let lines = ["scenes does not build; the version before keeps running.", "Scenes.swift:1:1: error: no"]
    keeper.setProgress("scenes", .init("Building scenes", 1, of: 2))
    try await elsewhere { try page.wait("document.querySelector('main').innerText.includes('Building scenes')") }
    keeper.setProgress("scenes", nil)
    keeper.setBanner("scenes", lines)
    try await elsewhere {
      try page.wait("document.querySelector('main').innerText.includes('Scenes.swift:1:1: error: no')")
      try page.type(" on")
    }
    _ = await serving.userSessions.answer(.reload(plugin: "scenes"))
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
