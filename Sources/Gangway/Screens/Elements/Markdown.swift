@_spi(FrontEnd) import GangwayProtocol

/// Text with headings, lists, emphasis, code and links.
///
/// The host parses it, so every front end shows the same. Links open URLs of the app or other URLs. HTML is shown as
/// plain text.
public struct Markdown: PrimitiveContent {
  /// The maximum length of the text, in bytes of UTF-8.
  ///
  /// The rest is left out, and a message says so.
  nonisolated public static let maximumLength = 128 << 10

  let text: String

  /// Creates a document from Markdown.
  public init(_ text: String) { self.text = text }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    let isCut = text.utf8.count > Self.maximumLength
    let shown = isCut ? Substring(decoding: text.utf8.prefix(Self.maximumLength), as: UTF8.self) : text[...]
    renderer.add(
      .document,
      configure: {
        guard isCut else { return }
        $0.problem = "Only the first \(Self.maximumLength / 1024) of \(text.utf8.count / 1024) KB are shown."
      },
      children: {
        for (index, block) in MarkdownText(shown).blocks.enumerated() {
          renderer.descend("\(index)") { renderer.add(block) }
        }
      })
  }
}

extension ContentRenderer {
  fileprivate func add(_ block: MarkdownText.Block) {
    if block.kind == .rule { return add(.divider) }
    let runs = block.kind == .code ? [] : MarkdownRuns.of(block.text)
    let text = block.kind == .code ? block.text : runs.map(\.text).joined()
    var kind = Element.Kind.text
    if case .heading = block.kind { kind = .heading }
    add(kind, text) { element in
      if runs.contains(where: { $0.styles != nil || $0.url != nil }) { element.runs = runs }
      if block.level > 0 { element.level = block.level }
      switch block.kind {
      case .heading(let level): element.level = level
      case .item(let mark):
        element.role = .item
        element.value = mark
      case .quote: element.role = .quote
      case .code: element.role = .code
      case .paragraph, .rule: break
      }
    }
  }
}
