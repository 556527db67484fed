import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// Values that the app sets in a field that the user types in.
@MainActor @Suite(.serialized) struct FieldValueTests {
  private static func field(_ value: String, _ kind: Element.Kind = .field) -> [Element] {
    [Element(id: "field", kind: kind, label: "Field", value: value)]
  }

  private nonisolated static let state =
    "[document.activeElement.name.split(' ')[0], document.activeElement.value].join()"

  @Test func aFocusedFieldTakesTheValueThatTheAppSets() async throws {
    let session = ShownSession(Self.field(""))
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    try await elsewhere {
      try page.type("milk", into: "Field")
    }
    session.show(Self.field(""))
    try await elsewhere {
      try page.wait("document.querySelector('input[type=text]').value == ''")
      try page.type("bread")
      try page.wait(Serving.answered)
      #expect(try page.text(Self.state) == "edit,bread")
    }
    #expect(session.presentation.top?.elements.first?.value == "bread")
    // The caret stays where it was.
    try await elsewhere { _ = try page.value("document.activeElement.setSelectionRange(2, 2)") }
    session.show(Self.field("breads"))
    try await elsewhere {
      try page.wait("document.activeElement.value == 'breads'")
      try page.type("*")
      #expect(try page.text(Self.state) == "edit,br*eads")
    }
    await server.stop()
  }

  @Test func typedTextWinsOverAChangeFromElsewhereAndThePageSaysSo() async throws {
    let session = ShownSession(Self.field(""))
    session.latency = .milliseconds(600)
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    try await elsewhere {
      try page.tab(to: "textbox", "Field")
      try page.type("mine")
    }
    session.show(Self.field("from elsewhere"))
    try await elsewhere {
      try page.wait(for: "'Field' was changed while you typed. Your text was kept.")
      try page.wait(Serving.answered)
      #expect(try page.text(Self.state) == "edit,mine")
    }
    #expect(session.presentation.top?.elements.first?.value == "mine")
    await server.stop()
  }

  @Test func aFieldShowsWhatTheAppTookOfTheText() async throws {
    let session = ShownSession(Self.field(""))
    session.taken = { String($0.prefix(3)) }
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    try await elsewhere {
      try page.tab(to: "textbox", "Field")
      for letter in "abcdef" { try page.type("\(letter)") }
      try page.wait("\(Serving.answered) && document.activeElement.value == 'abc'")
      #expect(try page.text("document.querySelectorAll('.notice').length + ''") == "0")
    }
    await server.stop()
  }

  @Test func anAnswerDoesNotReformatANumberThatIsBeingTyped() async throws {
    let session = ShownSession(Self.field("", .number))
    session.taken = { Double($0).map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" } ?? "" }
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    try await elsewhere {
      try page.tab(to: "spinbutton", "Field")
      for letter in "1.05" {
        try page.type("\(letter)")
        try page.wait(Serving.answered)
      }
      #expect(try page.text("document.activeElement.value") == "1.05")
    }
    #expect(session.presentation.top?.elements.first?.value == "1.05")
    await server.stop()
  }

  @Test func addingFromAFieldAgainAndAgainBeginsWithAnEmptyField() async throws {
    let serving = try await Serving(["gallery"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    try await elsewhere {
      try page.run(script: "open gangway://gallery/fields")
      try page.tab(to: "textbox", "Add")
      for item in ["milk", "bread"] {
        try page.type(item)
        #expect(try page.text(Self.state) == "edit,\(item)")
        try page.press("Enter")
        try page.wait("document.activeElement.value == ''")
      }
    }
    await serving.stop()
  }

  @Test func aKeyInTheBrowserContinuesTheTextOfAnotherFrontEnd() async throws {
    let serving = try await Serving(["scenes"])
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    let keeper = try #require(serving.userSessions.sessions.values.first)
    let other = keeper.shared.connect()
    try await elsewhere {
      try page.type("one", into: "Text")
    }
    let field = try #require(other.presentation.top?.elements.first { $0.kind == .field })
    let node = try #require(other.presentation.top?.node)
    _ = try await other.send(.edit(.init(node: node, element: field.id), text: "two"))
    try await elsewhere {
      try page.wait("document.activeElement.value == 'two'")
      try page.type("!")
      try page.wait(Serving.answered)
      #expect(try page.text(Self.state) == "edit,two!")
    }
    #expect(other.presentation.top?.elements.first { $0.kind == .field }?.value == "two!")
    await serving.stop()
  }
}
