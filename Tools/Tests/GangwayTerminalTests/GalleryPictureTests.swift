import Foundation
import GangwayProtocol
import GangwaySupervisor
import TestSupport
import Testing

@testable import GangwayTerminal

/// Every sample of the Gallery as the terminal draws it, beside how it was drawn when somebody looked at it last.
///
/// With `GANGWAY_RECORD=1` the pictures are written anew: look at what changed in them.
@MainActor @Suite(.serialized) struct GalleryPictureTests {
  private let workshop: Workshop

  init() throws {
    setlocale(LC_ALL, "C.UTF-8")
    workshop = try Workshop()
  }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Pictures")

  @Test(arguments: [(40, 12), (80, 24), (120, 40)]) func everySampleIsDrawnAsItWas(columns: Int, rows: Int) async throws
  {
    let supervisor = try workshop.supervisor(["gallery"]) { $0.environment["TZ"] = "UTC" }
    _ = try await supervisor.start()
    let names = supervisor.presentation.reachable.filter { $0.kind == .row }.map { $0.label.lowercased() }
    #expect(names.count > 25)
    var pictures = ["gallery": picture(supervisor.presentation, columns, rows)]
    for name in names {
      _ = try await supervisor.send(.open("gangway://gallery/\(name)"))
      pictures[name] = picture(supervisor.presentation, columns, rows)
    }
    await supervisor.stop()
    let file = Self.folder.appendingPathComponent("gallery-\(columns)x\(rows).txt")
    if ProcessInfo.processInfo.environment["GANGWAY_RECORD"] == "1" {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      let text = (["gallery"] + names).map { "=== \($0)\n\(pictures[$0] ?? "")\n" }.joined()
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let recorded = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "=== ").dropFirst()
    #expect(recorded.count == pictures.count)
    for part in recorded {
      let name = String(part.prefix { $0 != "\n" })
      let before = part.dropFirst(name.count + 1).dropLast()
      let now = try #require(pictures[name], "there is no sample '\(name)' any more")
      #expect(now == before, "'\(name)' is drawn in another way. GANGWAY_RECORD=1 takes it over.")
    }
  }

  /// What stands on the terminal.
  private func picture(_ presentation: Presentation, _ columns: Int, _ rows: Int) -> String {
    TerminalView(presentation, ViewState(), columns: columns, rows: rows).canvas.text
  }
}
