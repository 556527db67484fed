import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwaySupervisor
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayWeb

/// A user in a real browser, with only a keyboard, while the host is killed and the server restarts.
@MainActor @Suite(.serialized) struct BrowserTests {
  /// An expression that compares the patched page with a newly loaded one.
  nonisolated private static let isAsReloaded = """
    (async () => {
      const clean = root => {
        for (const e of root.querySelectorAll('*'))
          for (const name of ['open', 'tabindex', 'value', 'data-focus', 'data-scroll']) e.removeAttribute(name)
        for (const e of root.querySelectorAll('textarea')) e.textContent = ''
        for (const e of root.querySelectorAll('*')) {
          const all = [...e.attributes].sort((a, b) => a.name < b.name ? -1 : 1)
          for (const { name } of all) e.removeAttribute(name)
          for (const { name, value } of all) e.setAttribute(name, value)
        }
        return root.innerHTML
      }
      const other = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html')
      const now = document.cloneNode(true)
      now.getElementById('notices')?.remove()
      // The module makes links of buttons.
      for (const link of now.querySelectorAll('a[data-do]')) {
        const button = document.createElement('button')
        for (const { name, value } of link.attributes) button.setAttribute(name === 'href' ? 'data-href' : name, value)
        button.removeAttribute('data-do')
        // The module marks the row of the screen beside it.
        if (button.matches('.row-main')) button.removeAttribute('aria-current')
        button.name = 'do'
        button.append(...link.childNodes)
        link.replaceWith(button)
      }
      const pair = ['chrome', 'stage'].map(id => [clean(now.getElementById(id)), clean(other.getElementById(id))])
      for (const [one, two] of pair) if (one !== two) {
        let i = 0
        while (one[i] === two[i]) i++
        return one.slice(Math.max(0, i - 60), i + 120) + ' ≠ ' + two.slice(Math.max(0, i - 60), i + 120)
      }
      return ''
    })()
    """

  /// Checks a page for defects, and compares it with a newly loaded one.
  nonisolated static func check(_ page: Chromium.Page, _ place: String) throws {
    let defects = try page.defects()
    #expect(defects == [], "\(place)")
    // The page may change between its load and the comparison.
    let patience = Patience(.seconds(5))
    var difference = try page.text(isAsReloaded)
    while difference != "", !patience.hasEnded {
      usleep(100_000)
      difference = try page.text(isAsReloaded)
    }
    #expect(difference == "", "\(place)")
  }

  @Test func theScenesByKeyboardWithTheHostKilledAndTheServerRestarted() async throws {
    let serving = try await Serving(["scenes", "clock"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere {
      try Self.check(page, "scene 1")
      try page.tab(to: "textbox", "Text")
      try page.type("hello")
      try page.wait("document.querySelector('input[type=text]').value == 'hello'")
      _ = try page.value("window.held = document.activeElement")
    }
    for number in 0..<3 {
      try await serving.killHost()
      try await elsewhere {
        try page.type("\(number)")
        try page.wait("document.querySelectorAll('.notice').length > 0")
      }
    }
    try await elsewhere {
      // The same input element, with the whole text and the cursor at its end.
      #expect(try page.value("held === document.activeElement") as? Bool == true)
      #expect(try page.text("held.value") == "hello012")
      #expect(try page.value("held.selectionStart") as? Int == 8)
      try page.tab(to: "button", "Go to Scene 2")
      try page.press("Enter")
      try page.wait("document.querySelector('h1').textContent == 'Scene 2'")
      #expect(try page.focused().map { "\($0)" } == #"(role: "heading", name: "Scene 2")"#)
      #expect(try page.text("location.pathname + location.search").hasSuffix("/scenes/2?text=hello012"))
      try page.wait(for: "You typed: hello012")
      try Self.check(page, "scene 2")
    }
    try await serving.restart()
    try await elsewhere {
      try page.wait("!document.documentElement.classList.contains('offline')")
      try page.tab(to: "button", "Back")
      try page.press("Enter")
      try page.wait("document.querySelector('h1').textContent == 'Scene 1'")
      #expect(try page.text("document.querySelector('input[type=text]').value") == "hello012")
      try page.tab(to: "button", "Open Scene 3")
      try page.press("Enter")
      try page.wait("!!document.querySelector('dialog[open]')")
      try Self.check(page, "scene 3")
      try page.press("Escape")
      try page.wait("!document.querySelector('dialog[open]')")
      #expect(try page.focused().map { "\($0)" } == #"(role: "button", name: "Open Scene 3")"#)
      try Self.check(page, "scene 1 again")
      // The browser's own back and forward.
      try page.tab(to: "button", "Go to Scene 2")
      try page.press("Enter")
      try page.wait("document.querySelector('h1').textContent == 'Scene 2'")
      _ = try page.value("history.back()")
      try page.wait("document.querySelector('h1').textContent == 'Scene 1'")
      _ = try page.value("history.forward()")
      try page.wait("document.querySelector('h1').textContent == 'Scene 2'")
      _ = try page.value("location.reload()")
      try page.wait(Serving.live)
      try page.wait("document.querySelector('h1').textContent == 'Scene 2'")
      let complaints = browser.takeComplaints().filter {
        !$0.contains("WebSocket") && !$0.contains("ERR_CONNECTION_REFUSED")
      }
      #expect(complaints == [])
    }
    await serving.stop()
  }

  /// `GANGWAY_KILLS` sets the number of kills; the default is 10.
  @Test func typingGoesOnOverKills() async throws {
    let kills = ProcessInfo.processInfo.environment["GANGWAY_KILLS"].flatMap { Int($0) } ?? 10
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere {
      try page.tab(to: "textbox", "Text")
      _ = try page.value("window.held = document.activeElement")
    }
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    var (typed, times) = ("", [Duration]())
    for number in 0..<kills {
      // Wait for the spare host to be ready, as it is after a moment of any use.
      try await Task.sleep(for: .milliseconds(20))
      let text = String((0..<3).map { letters[(number * 3 + $0) % 26] })
      typed += text
      let hosts = serving.userSessions.hostProcessIDs
      let (start, end) = try await elsewhere {
        try page.type(String(text.prefix(1)))
        for host in hosts { kill(host, SIGKILL) }
        let start = ContinuousClock.now
        try page.type(String(text.dropFirst()))
        try page.wait("!document.documentElement.hasAttribute('data-busy')")
        return (start, ContinuousClock.now)
      }
      times.append(end - start)
      try await eventually {
        let now = serving.userSessions.hostProcessIDs
        return !now.isEmpty && Set(now).isDisjoint(with: hosts)
      }
    }
    let all = typed
    try await elsewhere {
      let shown = try page.text("held.value")
      #expect(shown == all)
      #expect(try page.value("held === document.activeElement") as? Bool == true)
      #expect(try page.value("held.selectionStart") as? Int == all.count)
      #expect(try page.value("document.querySelectorAll('.notice').length") as? Int ?? 9 <= 4)
      try page.tab(to: "button", "Go to Scene 2")
      try page.press("Enter")
      try page.wait(for: "You typed: \(all)")
    }
    let median = times.sorted()[times.count / 2]
    print(
      "over \(kills) kills, from the kill to the answer: \(median) in the median, \(times.max() ?? .zero) at the most")
    // It takes 0.1 s on an idle machine, but other tests run browsers and servers at the same time.
    #expect(median < Patience.allowed(.seconds(2)))
    await serving.stop()
  }

  @Test func aGameIsWonByKeyboard() async throws {
    let serving = try await Serving(["blither"])
    let browser = try Chromium()
    let page = try await serving.visit(browser, width: 375, height: 760)
    try await elsewhere {
      try page.tab(to: "button", "New Game")
      try page.press("Enter")
      try page.wait("!!document.querySelector('#stage input[type=text]')")
      try Self.check(page, "new game")
    }
    try await elsewhere {
      _ = try page.value("document.querySelector('#stage input[type=text]').focus()")
      _ = try page.value("document.activeElement.select()")
      try page.type("5")
      try page.tab(to: "button", "Start")
      try page.press("Enter")
      try page.wait("document.querySelectorAll('.cell').length == 25")
      try Self.check(page, "board")
      _ = try page.value("document.querySelector('.cell[tabindex=\"0\"]').focus()")
      // One player plays down the first column, and the other down the last.
      let (right, left) = ([String](repeating: "ArrowRight", count: 4), [String](repeating: "ArrowLeft", count: 4))
      for move in 0..<9 {
        let way = move == 0 ? [] : move % 2 == 1 ? right : left + ["ArrowDown"]
        for key in way + ["Enter"] { try page.press(key) }
        try page.wait(
          "document.querySelectorAll('.cell[data-tint]').length > \(move) || !document.querySelector('.cell')")
      }
    }
    try await serving.killHost()
    try await elsewhere {
      try page.wait(for: "Winner: Red")
      try Self.check(page, "won")
    }
    await serving.stop()
  }

  /// The same script runs in one process, in a host, under the supervisor and in the terminal.
  @Test func theRematchByKeyboardWithKillsAndARestartOnTheWay() async throws {
    let serving = try await Serving(["blither", "todos", "account"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    let script = try String(contentsOfFile: Workshop.journey("rematch"), encoding: .utf8)
    let lines = script.split(separator: "\n").filter { !$0.hasPrefix("#") }
    var part: [Substring] = []
    var deaths = 0
    for line in lines {
      part.append(line)
      // Wait for each result before a kill, because an event that is running when a host dies is lost.
      guard line.hasPrefix("expect") || line.hasPrefix("cell"), line != "expect Write the code down" else { continue }
      let script = part.joined(separator: "\n")
      part = []
      try await elsewhere {
        try page.run(script: script)
        try Self.check(page, script)
      }
      deaths += 1
      if deaths == 13 { try await serving.restart() } else { try await serving.killHost() }
    }
    #expect(deaths > 15 && part.isEmpty)
    let complaints = browser.takeComplaints().filter {
      !$0.contains("WebSocket") && !$0.contains("ERR_CONNECTION_REFUSED")
    }
    #expect(complaints == [])
    await serving.stop()
  }

  @Test(arguments: ["Scenes", "Shapes", "Todos", "Account"])
  func theScriptsOfTheFeaturesRunInABrowser(_ plugin: String) async throws {
    let name = plugin.lowercased()
    let serving = try await Serving([name] + (name == "todos" ? ["account"] : []))
    let browser = try Chromium()
    // A test of the feature alone has a stub for the signed-in user.
    let before = name == "todos" ? "open gangway://todos\ntap Sign in\ntap Register\n\(SampleScreens.register)\n" : ""
    let script = before + (try String(contentsOfFile: Workshop.script(plugin, "\(name).txt"), encoding: .utf8))
    let userSessions = serving.userSessions
    let hosts: @Sendable () -> [Int32] = {
      DispatchQueue.main.sync { MainActor.assumeIsolated { userSessions.hostProcessIDs } }
    }
    let page = try await serving.visit(browser)
    try await elsewhere {
      try page.run(script: script) {
        for host in hosts() { kill(host, SIGKILL) }
        // Presses while there is no host are refused with a message.
        try page.wait(for: "restarted after a crash")
      }
      try Self.check(page, name)
    }
    await serving.stop()
  }

  @Test func withoutScriptsTheSameWayIsGoneByForms() async throws {
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let entrance = serving.entrance()
    let page = try await elsewhere {
      let page = try browser.open(runsScripts: false)
      try page.call("Page.navigate", ["url": entrance])
      return page
    }
    try await elsewhere {
      func controls(_ wanted: String) throws {
        for _ in 0..<400 {
          if (try? page.accessible().contains { $0.name == wanted }) == true { return }
          usleep(10_000)
        }
        Issue.record("there is no '\(wanted)': \(try page.accessible())")
      }
      try controls("Go to Scene 2")
      try page.tab(to: "textbox", "Text")
      try page.type("without")
      try page.tab(to: "button", "Go to Scene 2")
      try page.press("Enter")
      try controls("You typed: without")
      try page.tab(to: "button", "Back")
      try page.press("Enter")
      try controls("Open Scene 3")
      try page.tab(to: "button", "Open Scene 3")
      try page.press("Enter")
      try controls("Scene 3")
      try page.tab(to: "button", "Close")
      try page.press("Enter")
      try controls("Greet")
    }
    await serving.stop()
  }

  @Test func everyScreenOfTheSamplesCanBeHeardAndFits() async throws {
    let workshop = try Workshop()
    var pages: [(name: String, html: String)] = []
    try await SampleScreens.visit(workshop) { name, presentation in
      let frame = PageRenderer.Frame(
        base: "/~x/", formToken: "", version: "x", name: "Samples", isLive: false)
      let link = #"<link rel="stylesheet" href="/_gangway/x.css">"#
      let html = PageRenderer(presentation: presentation).page(frame).text
      pages.append(
        (name, html.replacing(link, with: "<style>\(String(decoding: WebAssets.style.bytes, as: UTF8.self))</style>")))
    }
    let all = pages
    let pictures = ProcessInfo.processInfo.environment["GANGWAY_PICTURES"]
    try await elsewhere {
      let browser = try Chromium()
      let page = try browser.open()
      let frame = ((try page.call("Page.getFrameTree")["frameTree"] as? [String: Any])?["frame"] as? [String: Any])?[
        "id"]
      for (name, html) in all {
        try page.call("Page.setDocumentContent", ["frameId": frame ?? "", "html": html])
        // The page's module does the same.
        _ = try page.value("document.querySelectorAll('dialog').forEach(d => { d.open = false; d.showModal() })")
        for width in [320, 375, 768, 1280] {
          try page.resize(width, 800)
          #expect(try page.defects() == [], "\(name) at \(width)")
          if let pictures { try page.picture().write(to: URL(fileURLWithPath: "\(pictures)/\(name)-\(width).png")) }
        }
        try page.resize(768, 800)
        for look in Chromium.Page.Look.allCases {
          try page.look(look)
          #expect(try page.defects() == [], "\(name): \(look)")
          // Contrast does not matter on paper.
          let unreadable = look == .print ? [] : try page.unreadable()
          #expect(unreadable == [], "\(name): \(look)")
          if let pictures {
            try page.picture().write(to: URL(fileURLWithPath: "\(pictures)/\(name)-\(look.rawValue).png"))
          }
        }
        try page.look(.light)
      }
    }
  }
}
