import Foundation
@_spi(FrontEnd) import GangwayClient
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// The focus of a page after its element or dialog has gone.
@MainActor @Suite(.serialized) struct FocusTests {
  private nonisolated static let focused =
    "document.activeElement.closest('.row, h1, .action')?.innerText.trim() ?? 'nothing'"

  private static func list(_ names: String) -> [Element] {
    let rows = names.map { name in
      var row = Element(id: "list.\(name)", kind: .row, label: "Row \(name)", role: .button)
      row.key = "\(name)"
      var menu = Element(id: "list.\(name).menu", kind: .menu, label: "", role: .actions)
      menu.children = [Element(id: "list.\(name).delete", kind: .button, label: "Delete")]
      row.children = [menu]
      return row
    }
    return [
      Element(id: "list", kind: .list, label: "List", children: rows),
      Element(id: "add", kind: .button, label: "Add"),
    ]
  }

  private static func alert() -> Element {
    var alert = Element(id: "alert", kind: .alert, label: "Delete it?")
    alert.children = [
      Element(id: "delete", kind: .button, label: "Delete", role: .destructive),
      Element(id: "cancel", kind: .button, label: "Cancel", role: .cancel),
    ]
    return alert
  }

  /// The focus of another page of the same session stays.
  @Test func aFormMovesTheFocusToTheFirstProblem() async throws {
    let serving = try await Serving(["gallery"]) { $0.onlySession = "main" }
    let browser = try Chromium()
    let page = try await serving.visit(browser)
    let other = try await serving.visit(browser)
    try await elsewhere {
      for one in [page, other] { _ = try one.value("location.assign('gallery/form')") }
      for one in [page, other] { try one.wait("document.body.innerText.includes('I agree')") }
      try other.tab(to: "textbox", "Mail")
      try page.tab(to: "button", "Send")
      try page.press("Enter")
      try page.wait("document.activeElement.name?.includes('edit') && document.activeElement.ariaInvalid === 'true'")
      #expect(try page.focused().map { "\($0)" }?.contains("Name") == true)
      #expect(try other.focused().map { "\($0)" }?.contains("Mail") == true)
    }
    await serving.stop()
  }

  @Test func afterARowIsDeletedTheNextRowHasTheFocus() async throws {
    let session = ShownSession(Self.list("abcd"))
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    try await elsewhere { try page.tab(to: "button", "Row b") }
    for (rows, expected) in [("acd", "Row c"), ("ac", "Row c"), ("a", "Row a"), ("", "Add")] {
      session.show(Self.list(rows))
      try await elsewhere {
        try page.wait("document.querySelectorAll('.row').length == \(rows.count)")
        let focused = try page.text(Self.focused)
        #expect(focused.hasPrefix(expected), "\(rows): \(focused)")
      }
    }
    await server.stop()
  }

  @Test func afterAnAlertThePressedElementHasTheFocusAgain() async throws {
    let session = ShownSession(Self.list("abc"))
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    // From a button, and from an item of a row's menu, which is closed by then.
    for (label, isInMenu) in [("Add", false), ("Row b", true)] {
      try await elsewhere {
        try page.tab(to: "button", label)
        if isInMenu {
          try page.press("Tab")
          try page.press("Enter")
          try page.press("Tab")
          #expect(try page.text("document.activeElement.innerText.trim()") == "Delete")
        }
        try page.press("Enter")
        try page.wait(Serving.answered)
      }
      session.show(Self.list("abc") + [Self.alert()])
      try await elsewhere {
        try page.wait("!!document.querySelector('dialog:modal')")
        #expect(try page.text("document.activeElement.textContent.trim()") == "Cancel")
      }
      session.show(Self.list("abc"))
      try await elsewhere {
        try page.wait("!document.querySelector('dialog')")
        let focused = try page.text(Self.focused)
        #expect(focused.hasPrefix(label), "\(focused)")
        #expect(try page.text("document.activeElement.nodeName") == (isInMenu ? "SUMMARY" : "BUTTON"))
      }
    }
    // The row goes after the alert has closed.
    session.show(Self.list("ac"))
    try await elsewhere {
      try page.wait("document.querySelectorAll('.row').length == 2")
      #expect(try page.text(Self.focused).hasPrefix("Row c"))
    }
    await server.stop()
  }

  @Test func nobodysFocusIsTakenByAChange() async throws {
    let session = ShownSession(Self.list("abc"))
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    try await elsewhere { _ = try page.value("document.activeElement.blur()") }
    session.show(Self.list("ab"))
    try await elsewhere {
      try page.wait("document.querySelectorAll('.row').length == 2")
      #expect(try page.text("document.activeElement.nodeName") == "BODY")
    }
    await server.stop()
  }
}
