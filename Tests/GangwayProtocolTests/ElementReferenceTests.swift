import Foundation
@_spi(FrontEnd) import GangwayProtocol
import Testing

/// The reference of the elements, which is drawn from their traits.
@Suite struct ElementReferenceTests {
  private static let document = URL(fileURLWithPath: #filePath).appendingPathComponent(
    "../../../Documentation/PresentationProtocol.md"
  ).standardized

  private static var table: String {
    let rows = Element.KnownKind.allCases.map { kind in
      "| `\(kind.rawValue)` | \(kind.traits.action.map { "`\($0.rawValue)`" } ?? "") | \(kind.reference) |"
    }
    return (["| kind | event | fields |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
  }

  /// With `GANGWAY_DRAW=1`, the test writes the table instead: `script/draw-tables`.
  @Test func theDocumentationShowsTheTable() throws {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let begin = try #require(text.range(of: "<!-- table: elements -->\n"))
    let end = try #require(text.range(of: "<!-- end -->", range: begin.upperBound..<text.endIndex))
    if ProcessInfo.processInfo.environment["GANGWAY_DRAW"] != nil {
      let drawn = text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: "\n\(Self.table)\n\n")
      try drawn.write(to: Self.document, atomically: true, encoding: .utf8)
    } else {
      let shown = text[begin.upperBound..<end.lowerBound].trimmingCharacters(in: .newlines)
      #expect(shown == Self.table, "Draw it again: script/draw-tables")
    }
  }

  /// An author's kind is one that front ends know.
  @Test func eachKindOfTheProtocolIsKnown() throws {
    let kinds: [Element.Kind] = [
      .text, .heading, .divider, .button, .link, .field, .number, .date, .toggle, .picker, .progress, .fact, .list,
      .row,
      .table, .grid, .section, .toolbar, .form, .menu, .tabs, .disclosure, .document, .banner, .empty, .log, .image,
      .chart, .drawing, .alert,
    ]
    #expect(kinds.map(\.rawValue) == Element.KnownKind.allCases.map(\.rawValue))
    #expect(Element(id: "a", kind: .init(rawValue: "hologram")).knownKind == .text)
  }
}
