import Foundation
@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import TestSupport
import Testing

@_spi(FrontEnd) @testable import GangwayTerminal

/// Every screen of the samples as the terminal draws it, compared with the recorded pictures.
///
/// `GANGWAY_RECORD=1` records new pictures; review their changes.
@MainActor @Suite(.serialized) struct SamplePictureTests {
  private let workshop: Workshop

  init() throws {
    setlocale(LC_ALL, "C.UTF-8")
    workshop = try Workshop()
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Pictures")
  private static let sizes = [(40, 12), (80, 24), (120, 40)]

  @Test func everyScreenIsDrawnAsItWas() async throws {
    var screens: [(name: String, presentation: Presentation)] = []
    try await SampleScreens.visit(workshop) { screens.append(($0, $1)) }
    for (columns, rows) in Self.sizes {
      let file = Self.folder.appendingPathComponent("samples-\(columns)x\(rows).txt")
      let pictures = screens.map { ($0.name, picture($0.presentation, columns, rows)) }
      if ProcessInfo.processInfo.environment["GANGWAY_RECORD"] == "1" {
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        let text = pictures.map { "=== \($0.0)\n\($0.1)\n" }.joined()
        try text.write(to: file, atomically: true, encoding: .utf8)
      }
      let recorded = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "=== ").dropFirst()
      #expect(recorded.count == pictures.count)
      for (part, (name, now)) in zip(recorded, pictures) {
        #expect(part.prefix { $0 != "\n" } == name)
        let before = part.dropFirst(name.count + 1).dropLast()
        #expect(now == before, "'\(name)' is drawn in another way. GANGWAY_RECORD=1 takes it over.")
      }
    }
  }

  /// Returns the screen as text, with a fixed time in place of a clock's.
  private func picture(_ presentation: Presentation, _ columns: Int, _ rows: Int) -> String {
    TerminalView(presentation, ViewState(), columns: columns, rows: rows).canvas.text
      .replacing(#/\d\d:\d\d:\d\d/#, with: "12:34:56")
  }
}
