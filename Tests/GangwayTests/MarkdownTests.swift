@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Testing

@_spi(FrontEnd) @testable import Gangway

/// Markdown, as in CommonMark, as far as a screen can show it.
@MainActor @Suite struct MarkdownTests {
  private func blocks(_ text: String) -> [String] {
    MarkdownText(text).blocks.map { block in
      let kind =
        switch block.kind {
        case .heading(let level): "h\(level)"
        case .paragraph: "p"
        case .quote: "q"
        case .code: "code"
        case .rule: "rule"
        case .item(let mark): mark
        }
      return "\(kind)\(block.level > 0 ? "@\(block.level)" : "") \(block.text)"
    }
  }

  private func runs(_ text: String) -> String {
    MarkdownRuns.of(text).map { run in
      let styles = (run.styles ?? []).map(\.rawValue).joined(separator: ",")
      let mark = [styles, run.url ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
      return mark.isEmpty ? run.text : "{\(mark): \(run.text)}"
    }.joined()
  }

  @Test func blocksAreReadAsCommonMarkHasThem() {
    let text = """
      # Title #
      First line
      second  
      third

      ***
      - one
        more of one
        1. inner
        2. second
      - two
      > quoted
      > on
      ```swift
      let x = 1

      # not a heading
      ```
      10) ten
      #hash is no heading
      """
    #expect(
      blocks(text) == [
        "h1 Title", "p First line second\nthird", "rule ", "• one more of one", "1.@1 inner", "2.@1 second", "• two",
        "q quoted on", "code let x = 1\n\n# not a heading", "10. ten #hash is no heading",
      ])
    #expect(blocks("").isEmpty && blocks("\n \n\t\n").isEmpty)
    #expect(blocks("```\nopen to the end") == ["code open to the end"])
    #expect(blocks("a\r\nb") == ["p a b"])
  }

  @Test(arguments: [
    ("plain", "plain"), ("*a* and _b_", "{italic: a} and {italic: b}"), ("**a** b", "{bold: a} b"),
    ("***both***", "{bold,italic: both}"), ("**a *b* c**", "{bold: a }{bold,italic: b}{bold:  c}"),
    ("snake_case_name", "snake_case_name"), ("2 * 3 * 4", "2 * 3 * 4"), ("**open", "**open"), ("a* b*", "a* b*"),
    ("`code *x*` y", "{code: code *x*} y"), ("`` a ` b ``", "{code: a ` b}"), ("`open", "`open"),
    ("~~gone~~ ~one~", "{struck: gone} ~one~"), (#"\*not\*"#, "*not*"), (#"\a"#, #"\a"#),
    ("[Ada](gangway://people/1)", "{gangway://people/1: Ada}"),
    ("[*Ada* L](https://a.org \"title\")", "{italic https://a.org: Ada}{https://a.org:  L}"),
    ("<https://a.org>", "{https://a.org: https://a.org}"), ("<b>html</b>", "<b>html</b>"), ("a < b", "a < b"),
    ("[no](javascript:alert(1))", "[no](javascript:alert(1))"), ("[no](DATA:text/html,x)", "[no](DATA:text/html,x)"),
    ("[no] (x)", "[no] (x)"), ("[no](relative)", "[no](relative)"), ("](x)", "](x)"),
    ("[[a](b:c)](d:e)", "[{b:c: a}](d:e)"),
    ("*a **b*", "*a *{italic: b}"), ("[a](b:(c))", "{b:(c): a}"), ("", ""),
  ]) func runsAreReadAsCommonMarkHasThem(_ text: String, _ expected: String) { #expect(runs(text) == expected) }

  @Test func aDocumentIsElementsThatEveryFrontEndShows() async throws {
    let flow = try await ShownContent.flow {
      Markdown("# Hello\n\nSome **bold** text\n\n- one\n  - two\n\n> said\n\n```\nx\n```")
    }
    #expect(flow.lines == ["Hello", "Some bold text", "• one", "  • two", "> said", "x"])
    let document = try #require(flow.presentation.top?.elements.first)
    #expect(document.kind == .document)
    #expect(document.children.map(\.kind) == [.heading, .text, .text, .text, .text, .text])
    #expect(document.children[1].runs == [.init("Some "), .init("bold", [.bold]), .init(" text")])
    #expect(document.children[4].role == .quote && document.children[5].role == .code)
  }

  @Test func tenMegabytesAreCutAndSaidToBe() async throws {
    let text = String(repeating: "A line of text that is long enough. ", count: 300_000)
    let flow = try await ShownContent.flow { Markdown(text) }
    let document = try #require(flow.presentation.top?.elements.first)
    #expect(document.problem == "Only the first 128 of 10546 KB are shown.")
    #expect(document.children.map(\.label.utf8.count).reduce(0, +) <= Markdown.maximumLength)
  }
}

/// These tests run off the main actor, which other tests need meanwhile.
@Suite(.serialized) struct StrangeMarkdownTests {
  /// Texts that take quadratic time or overflow the stack if the reader is careless.
  @Test(arguments: [
    String(repeating: "*a ", count: 6_000), String(repeating: "*", count: 18_000),
    String(repeating: "a**b", count: 5_000), String(repeating: "[", count: 18_000),
    String(repeating: "[a](", count: 5_000), String(repeating: "`", count: 18_000) + "a",
    String(repeating: "> ", count: 2_000) + "deep", String(repeating: "<a:", count: 6_000),
    (0..<2_000).map { String(repeating: " ", count: min($0, 60)) + "- a" }.joined(separator: "\n"),
    String(repeating: "a\n", count: 9_000), String(repeating: "```\n", count: 5_000),
    String(repeating: "`a``b", count: 4_000), String(repeating: "*_~~", count: 5_000),
  ]) func aStrangeTextIsReadInTime(_ text: String) {
    let clock = ContinuousClock()
    let time = clock.measure {
      for block in MarkdownText(text).blocks { _ = MarkdownRuns.of(block.text) }
    }
    #expect(time < .seconds(20), "\(text.prefix(12))…")
    for block in MarkdownText(text).blocks { #expect(block.level <= MarkdownText.maximumLevel) }
  }
}
