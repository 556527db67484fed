import Foundation
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// The site in another browser engine.
@MainActor @Suite(.serialized) struct FirefoxTests {
  @Test func theScenesByKeyboardWithTheHostKilledAndTheServerRestarted() async throws {
    let serving = try await Serving(["scenes", "blither"])
    let entrance = serving.entrance()
    let firefox = try await elsewhere {
      let firefox = try Firefox()
      try firefox.resize(800, 600)
      try firefox.go(entrance)
      try firefox.wait(Serving.live)
      try firefox.tab(to: "Text")
      try firefox.type("hello")
      try firefox.wait("!document.documentElement.hasAttribute('data-busy')")
      _ = try firefox.text("held = document.activeElement")
      return firefox
    }
    try await serving.killHost()
    try await elsewhere {
      try firefox.type("!")
      try firefox.wait("document.querySelectorAll('.notice').length > 0")
      #expect(try firefox.text("[document.activeElement === held, held.value, held.selectionStart]") == "true,hello!,6")
      try firefox.tab(to: "Go to Scene 2")
      try firefox.press("Enter")
      try firefox.wait("document.querySelector('h1').textContent == 'Scene 2'")
      #expect(try firefox.text("document.activeElement.textContent") == "Scene 2")
      #expect(try firefox.text("document.body.innerText.includes('You typed: hello!')") == "true")
      #expect(try firefox.text("location.pathname").hasSuffix("/scenes/2"))
      _ = try firefox.text("history.back()")
      try firefox.wait("document.querySelector('h1').textContent == 'Scene 1'")
      try firefox.tab(to: "Open Scene 3")
      try firefox.press("Enter")
      try firefox.wait("!!document.querySelector('dialog:modal')")
      #expect(try firefox.text("document.querySelector('dialog').contains(document.activeElement)") == "true")
      try firefox.press("Escape")
      try firefox.wait("!document.querySelector('dialog')")
      #expect(try firefox.text("document.activeElement.textContent.trim()") == "Open Scene 3")
    }
    try await serving.restart()
    try await elsewhere {
      try firefox.wait(
        "document.documentElement.classList.contains('live') && document.getElementById('connection').hidden")
      #expect(try firefox.text("document.querySelector('main input').value") == "hello!")
      // The board uses CSS features that engines adopted at different times.
      _ = try firefox.text(
        "[...document.querySelectorAll('.tab')].find(tab => tab.textContent.includes('Blither')).focus()")
      try firefox.press("Enter")
      // The feature loads when its tab is selected, and then the heading has focus.
      try firefox.wait(
        "[...document.querySelectorAll('button')].some(button => button.textContent.trim() == 'New Game')")
      try firefox.tab(to: "New Game")
      try firefox.press("Enter")
      try firefox.wait("[...document.querySelectorAll('button')].some(button => button.textContent.trim() == 'Start')")
      try firefox.tab(to: "Start")
      try firefox.press("Enter")
      try firefox.wait("document.querySelectorAll('.cell').length > 20")
      #expect(try firefox.text("document.documentElement.scrollWidth <= innerWidth") == "true")
      if let folder = ProcessInfo.processInfo.environment["GANGWAY_PICTURES"] {
        try firefox.picture().write(to: URL(fileURLWithPath: folder + "/firefox.png"))
      }
      // The browser itself reports a lost connection.
      let own = firefox.complaints.filter { !$0.contains("WebSocket") && !$0.contains("can’t establish a connection") }
      #expect(own == [])
    }
    await serving.stop()
  }

  /// The journey of Todos with only a keyboard. After each step the focus is on an element, never on the body.
  @Test func theTodosByKeyboardAlone() async throws {
    let serving = try await Serving(["account", "todos"])
    let entrance = serving.entrance()
    try await elsewhere {
      let firefox = try Firefox()
      try firefox.resize(1280, 800)
      try firefox.go(entrance)
      try firefox.wait(Serving.live)
      func step(_ keys: String..., until shown: String, at location: SourceLocation = #_sourceLocation) throws {
        for key in keys { try firefox.press(key) }
        try firefox.wait("document.body.innerText.includes('\(shown)')")
        try firefox.wait(Serving.answered)
        #expect(try firefox.text("document.activeElement !== document.body") == "true", sourceLocation: location)
      }
      func press(_ control: String, until shown: String, at location: SourceLocation = #_sourceLocation) throws {
        try firefox.tab(to: control)
        try step("Enter", until: shown, at: location)
      }
      try firefox.wait("document.body.innerText.includes('These todos are samples')")
      try press("Sign in", until: "Password")
      try press("Register", until: "Password again")
      try firefox.wait("document.activeElement.matches('input')")
      try firefox.type("ada")
      for _ in 0..<2 {
        try firefox.press("Tab")
        try firefox.type("analytical engine")
      }
      try step("Enter", until: "Write the code down")
      try press("Sign in", until: "Favourites")
      try firefox.wait("!document.body.innerText.includes('These todos are samples')")
      try press("New todo", until: "Title")
      try firefox.wait("document.activeElement.matches('input')")
      try firefox.type("Buy milk")
      try step("Enter", until: "State")
      #expect(try firefox.text("document.querySelector('h1').textContent") == "Buy milk")
      try press("Edit", until: "Title")
      try step("Escape", until: "State")
      #expect(try firefox.text("document.activeElement.textContent.trim()").hasPrefix("Edit"))
      try press("Delete", until: "was deleted")
      try press("Undo", until: "Todos")
      try press("All", until: "Buy milk")
      try firefox.tab(to: "Search")
      try firefox.type("bread")
      try step(until: "No results")
    }
    await serving.stop()
  }
}
