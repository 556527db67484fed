@_spi(FrontEnd) import GangwayProtocol
@_spi(FrontEnd) import GangwayTesting
import Testing

@_spi(FrontEnd) @testable import Gangway

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Charts, drawings and images, with their readable content.
@MainActor @Suite struct FigureTests {
  @Test func aChartHoldsItsTable() async throws {
    let flow = try await ShownContent.flow {
      Chart(
        "Sales", style: .bar, axis: "Month",
        series: [
          ChartSeries("2025", [("Jan", 3.0), ("Feb", 4.5)], x: { $0.0 }, y: { $0.1 }),
          ChartSeries("2026", [("Feb", 6.0), ("Mar", 1.25)], x: { $0.0 }, y: { $0.1 }),
        ])
    }
    #expect(flow.lines == ["(chart) Sales", "Month | 2025 | 2026", "Jan | 3 | ", "Feb | 4.5 | 6", "Mar |  | 1.25"])
    let chart = try #require(flow.presentation.reachable.first?.chart)
    #expect(chart.positions == nil && chart.style == .bar)
    let line = try Line.encode(flow.presentation)
    #expect(try Line.decode(Presentation.self, from: line) == flow.presentation)
  }

  @Test func numbersAndDatesStandInTheirOrder() async throws {
    let flow = try await ShownContent.flow {
      Chart("By number", series: [ChartSeries("y", [9, 1, 5], x: { $0 }, y: { Double($0) })])
      Chart(
        "By date",
        series: [ChartSeries("y", [2.0, 1.0], x: { Date(timeIntervalSince1970: $0 * 86_400) }, y: { $0 })])
    }
    let charts = flow.presentation.reachable.compactMap(\.chart)
    #expect(charts[0].labels == ["1", "5", "9"] && charts[0].positions == [1, 5, 9])
    #expect(charts[0].series[0].values == [1, 5, 9])
    #expect(charts[1].positions == [86_400, 172_800])
  }

  @Test func whatCannotBeDrawnIsLeftOutAndTold() async throws {
    let strange: [Double] = [1, .nan, .infinity, -.infinity, 2]
    let flow = try await ShownContent.flow {
      Chart("Odd", series: [ChartSeries("y", strange.enumerated(), x: { $0.offset }, y: { $0.element })])
      Chart("Odd places", series: [ChartSeries("y", strange, x: { $0 }, y: { _ in 1 })])
      Chart("Part", style: .pie, series: [ChartSeries("y", ["a": 1.0, "b": -1.0], x: { $0.key }, y: { $0.value })])
      Chart("None", series: [])
      Chart("Many", series: [ChartSeries("y", 0..<100_000, x: { $0 }, y: { Double($0) })])
    }
    let charts = flow.presentation.reachable
    #expect(charts[0].problem == "Values that cannot be drawn: 3.")
    #expect(charts[0].chart?.series[0].values == [1, 2])
    #expect(charts[1].problem == "Values that cannot be drawn: 3.")
    #expect(charts[2].chart?.labels == ["a"])
    #expect(charts[3].chart?.table == [[""]])
    #expect(charts[4].chart?.labels.count == 2000 && charts[4].problem?.contains("Values left out: 98000.") == true)
    _ = try Line.encode(flow.presentation)
  }

  @Test func aDrawingIsPathsInAUnitSquare() async throws {
    let flow = try await ShownContent.flow {
      Drawing(
        "A house",
        paths: [
          .rectangle(x: 0.2, y: 0.5, width: 0.6, height: 0.5).fill("red"),
          DrawingPath().move(0.1, 0.5).line(0.5, 0).line(0.9, 0.5).close().stroke("blue", width: 0.02),
          .circle(x: 0.5, y: 0.5, radius: 0.25), DrawingPath().move(.nan, 0).line(1, .infinity),
        ])
    }
    #expect(flow.lines == ["(drawing) A house (problem: Points that are not numbers are not drawn.)"])
    let paths = try #require(flow.presentation.reachable.first?.paths)
    #expect(paths[0] == .init(d: "M 0.2 0.5 L 0.8 0.5 L 0.8 1 L 0.2 1 Z", fill: "red", width: nil))
    #expect(paths[1].stroke == "blue" && paths[1].width == 0.02)
    #expect(paths[2].d.hasPrefix("M 0.75 0.5 C 0.75 0.638 0.638 0.75 0.5 0.75"))
    #expect(paths[3].d.isEmpty && paths[3].stroke == "foreground")
  }

  /// One pixel, as a PNG.
  static let pixel: [UInt8] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6,
    0, 0,
    0, 0x1f, 0x15, 0xc4, 0x89,
  ]

  @Test func aPictureSaysItsSizeAndWhatIsToBeSeen() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gangway-picture-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.pixel).write(to: folder)
    let flow = try await ShownContent.flow {
      Image(Self.pixel, label: "A dot")
      Image(decorative: Self.pixel)
      Image(file: folder.path(), label: "A file")
      Image(file: "/nowhere/at/all.png", label: "Missing")
      Image([1, 2, 3], label: "No picture")
      Image([UInt8](repeating: 0, count: 600 << 10), label: "Long")
    }
    #expect(
      flow.lines == [
        "(image) A dot", "(image) A file",
        "(image) Missing (problem: The picture could not be shown: "
          + "the file /nowhere/at/all.png does not exist or cannot be read.)",
        "(image) No picture (problem: The picture could not be shown: it is not a PNG, JPEG, GIF or WebP.)",
        "(image) Long (problem: The picture could not be shown: it has 614400 bytes; the maximum is 524288.)",
      ])
    let image = try #require(flow.presentation.reachable.first?.image)
    #expect(image.type == "image/png" && image.width == 1 && image.height == 1)
    #expect(Data(base64Encoded: image.base64) == Data(Self.pixel))
  }

  @Test func aPictureThatSaysItIsHugeIsNotShown() async throws {
    var huge = Self.pixel
    huge.replaceSubrange(16..<24, with: [0, 0, 0x4e, 0x20, 0, 0, 0x4e, 0x20])
    let flow = try await ShownContent.flow { [huge] in Image(huge, label: "Huge") }
    #expect(flow.screen.contains("it is 20000 × 20000 pixels; the maximum is 8192 × 8192."))
  }

  @Test(
    arguments: [
      ([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 3, 0, 2, 0], "image/gif 3×2"),
      ([0xff, 0xd8, 0xff, 0xe0, 0, 4, 9, 9, 0xff, 0xc2, 0, 11, 8, 0, 7, 0, 5, 1], "image/jpeg 5×7"),
      ([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xc2, 0, 11, 8, 0, 7, 0, 5, 1], "none"), ([0xff, 0xd8, 0xff], "none"),
      (Array("RIFF....WEBPVP8X........".utf8) + [9, 0, 0, 4, 0, 0], "image/webp 10×5"),
      (Array("RIFF....WEBPVP8 ..........".utf8) + [10, 0, 5, 0], "image/webp 10×5"),
      (Array("RIFF....WEBP".utf8), "none"),
      ([0x89, 0x50], "none"), ([], "none"),
    ] as [([UInt8], String)]) func theFactsOfAPictureAreInItsFirstBytes(_ bytes: [UInt8], _ expected: String)
  {
    let facts = PictureFile.facts(bytes).map { "\($0.type) \($0.width)×\($0.height)" } ?? "none"
    #expect(facts == expected)
  }
}
