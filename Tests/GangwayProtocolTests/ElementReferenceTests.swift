import Foundation
@_spi(FrontEnd) import GangwayProtocol
import Testing

/// The reference of the elements, which is drawn from their traits.
@Suite struct ElementReferenceTests {
  private static let document = URL(fileURLWithPath: #filePath).appendingPathComponent(
    "../../../Documentation/PresentationProtocol.md"
  ).standardized

  private static var table: String {
    let rows = Element.Kind.allCases.map { kind in
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

  /// A message may have words of a later version.
  @Test func anUnknownKindIsATextAndAnUnknownRoleIsNone() throws {
    let message = Array(#"{"id":"a","kind":"hologram","role":"shiny","label":"Ship"}"#.utf8)
    let element = try Line.decode(Element.self, from: message)
    #expect(element == Element(id: "a", kind: .text, label: "Ship"))
  }
}
