import Gangway

struct ChartsSample: Content {
  var body: some Content {
    // sample: charts
    Chart(
      "Temperature", axis: "hour",
      series: [ChartSeries("inside", 0..<24, x: { $0 }, y: { 20 + Double(($0 * 5) % 7) })])
    Chart(
      "Sales", style: .bar,
      series: [ChartSeries("2026", [("Jan", 3.0), ("Feb", 4.5), ("Mar", 1.0)], x: { $0.0 }, y: { $0.1 })])
    Chart(
      "Disk usage", style: .pie,
      series: [ChartSeries("", [("free", 25.0), ("used", 75.0)], x: { $0.0 }, y: { $0.1 })])
    // end
  }
}

struct DrawingSample: Content {
  var body: some Content {
    // sample: drawing
    Drawing(
      "A house under the sun",
      paths: [
        .rectangle(x: 0.2, y: 0.5, width: 0.6, height: 0.5).fill("red"),
        DrawingPath().move(0.1, 0.5).line(0.5, 0.05).line(0.9, 0.5).close().stroke("blue"),
        .circle(x: 0.88, y: 0.13, radius: 0.1).stroke("yellow"),
      ])
    // end
  }
}

struct ImageSample: Content {
  /// One pixel.
  private static let dot: [UInt8] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1f, 0x15, 0xc4, 0x89, 0x00, 0x00, 0x00, 0x0d, 0x49,
    0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xf0, 0x1f, 0x00, 0x05, 0x00, 0x01, 0xff, 0x89, 0x99, 0x3d,
    0x1d, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
  ]

  var body: some Content {
    // sample: image
    Image(Self.dot, label: "A red dot")
    // end
  }
}

struct GridSample: Content {
  let model: SampleModel

  var body: some Content {
    // sample: grid
    Grid("Keys", rows: 2, columns: 3) { row, column in
      GridCell("\(row * 3 + column + 1)")
    } action: { row, column in
      model.cell = "\(row * 3 + column + 1)"
    }
    LabeledContent("Pressed", value: model.cell)
    // end
  }
}
