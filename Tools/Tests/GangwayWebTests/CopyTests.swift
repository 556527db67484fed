@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwaySupervisor
@_spi(FrontEnd) @testable import GangwayWeb

/// Copying a block of code from a page.
@MainActor @Suite(.serialized) struct CopyTests {
  private nonisolated static let code = Element(
    id: "code", kind: .text, label: "let a = 1\nlet b = \"<2>\"\n", role: .code)

  @Test func aBlockOfCodeIsCopiedByKeyboard() async throws {
    let session = ShownSession([Self.code])
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    try await elsewhere {
      try page.call("Browser.grantPermissions", ["permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]])
      try page.tab(to: "button", "Copy")
      try page.press("Enter")
      try page.wait(for: "The text is copied.")
      #expect(try page.text("navigator.clipboard.readText()") == Self.code.label)
      #expect(try page.defects() == [])
    }
    await server.stop()
  }

  /// A page that may not write to the clipboard, as one without TLS from another machine, selects the text.
  @Test func whereCopyingIsForbiddenTheTextIsSelected() async throws {
    let session = ShownSession([Self.code])
    let browser = try Chromium()
    let (server, page) = try await session.visit(browser)
    try await elsewhere {
      _ = try page.value("Object.defineProperty(navigator, 'clipboard', { value: undefined }) && 1")
      try page.tab(to: "button", "Copy")
      try page.press("Enter")
      try page.wait(for: "The text is selected.")
      #expect(try page.text("getSelection().toString()").contains("let a = 1"))
    }
    await server.stop()
  }
}
