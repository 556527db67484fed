@_spi(FrontEnd) import GangwayProtocol

/// Charts: a drawing, with a table of the values for screen readers.
extension ScreenRenderer {
  func chart(_ element: Element, _ html: inout HTML) {
    html.element("figure", ["id": .text(id(element.id)), "class": "chart"]) { html in
      if !element.label.isEmpty { html.element("figcaption", text: element.label) }
      if let chart = element.chart {
        let drawing = ChartDrawing(chart)
        html.add(drawing.svg(label: element.label.isEmpty ? setting.words[.chart] : element.label))
        if chart.series.count > 1 || chart.style == .pie { html.add(drawing.legend) }
        html.element("details", ["class": "numbers", "id": .text(id(element.id) + ".n")]) { html in
          html.element("summary", text: setting.words[.values])
          html.element(
            "div",
            ["class": "scroller", "tabindex": "0", "role": "group", "aria-label": .text(setting.words[.values])]
          ) { html in
            html.add(table(of: chart))
          }
        }
      }
      notes(element, &html)
    }
  }

  private func table(of chart: Element.ChartData) -> HTML {
    HTML { html in
      html.element("table") { html in
        for (number, row) in chart.table.prefix(501).enumerated() {
          html.element("tr") { html in
            for (column, text) in row.enumerated() {
              if number == 0 || column == 0 {
                html.element("th", ["scope": number == 0 ? "col" : "row"], text: text)
              } else {
                html.element("td", ["class": "trailing"], text: text)
              }
            }
          }
        }
      }
    }
  }
}

/// A chart drawn in a box of 640 by 240, including its axes.
struct ChartDrawing {
  private static let (width, height) = (640.0, 240.0)
  private static let (left, right, top, bottom) = (52.0, 12.0, 10.0, 26.0)

  private let chart: Element.ChartData
  private let values: [[Double?]]
  private let places: [Double]
  private let least: Double
  private let most: Double
  private let marks: [Double]

  init(_ chart: Element.ChartData) {
    self.chart = chart
    let count = min(chart.labels.count, 2_000)
    values = chart.series.prefix(12).map { series in
      (0..<count).map {
        series.values.indices.contains($0) ? series.values[$0].flatMap { $0.isFinite ? $0 : nil } : nil
      }
    }
    let all = values.joined().compactMap(\.self)
    (least, most, marks) = Self.scale(all, fromZero: chart.style != .line)
    let positions = chart.positions?.prefix(count).filter(\.isFinite) ?? []
    if positions.count == count, count > 1, let first = positions.min(), let last = positions.max(), last > first {
      places = positions.map { ($0 - first) / (last - first) }
    } else {
      places = (0..<count).map { count > 1 ? Double($0) / Double(count - 1) : 0.5 }
    }
  }

  /// Returns the ends and marks of an axis, at multiples of 1, 2 or 5 times a power of ten.
  ///
  /// Source: Heckbert, "Nice numbers for graph labels", Graphics Gems, 1990.
  static func scale(_ values: [Double], fromZero: Bool) -> (least: Double, most: Double, marks: [Double]) {
    var (low, high) = (values.min() ?? 0, values.max() ?? 1)
    if fromZero || low == high { (low, high) = (min(low, 0), max(high, 0)) }
    if low == high { high = low + 1 }
    let span = high - low
    guard span.isFinite, span > 0 else { return (low, high, []) }
    var unit = 1.0
    let rough = span / 4
    while unit * 10 <= rough { unit *= 10 }
    while unit > rough { unit /= 10 }
    let step = [1.0, 2, 5, 10].map { $0 * unit }.first { $0 >= rough } ?? unit
    guard step > 0, step.isFinite else { return (low, high, []) }
    let (first, last) = ((low / step).rounded(.down), (high / step).rounded(.up))
    guard last - first < 20 else { return (low, high, []) }
    let marks = (0...Int(last - first)).map { (first + Double($0)) * step }
    return (first * step, last * step, marks)
  }

  private func x(_ place: Int) -> Double {
    // Bars are centered in their places, and lines begin at the edge.
    let inner = Self.width - Self.left - Self.right
    guard chart.style == .bar else { return Self.left + inner * places[place] }
    return Self.left + inner * (Double(place) + 0.5) / Double(max(places.count, 1))
  }

  private func y(_ value: Double) -> Double {
    let inner = Self.height - Self.top - Self.bottom
    return Self.top + inner * (1 - (value - least) / (most - least))
  }

  private static func text(_ number: Double) -> String {
    let tenths = (number * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }

  /// Returns the drawing.
  func svg(label: String) -> HTML {
    HTML { html in
      let box = chart.style == .pie ? "0 0 240 240" : "0 0 640 240"
      html.element(
        "svg",
        [
          "viewBox": .text(box), "class": .text("plot \(ScreenRenderer.word(chart.style.rawValue))"), "role": "img",
          "aria-label": .text(label),
        ]
      ) { html in
        guard chart.style != .pie else { return pie(&html) }
        axes(&html)
        for (number, series) in values.enumerated() {
          if chart.style == .bar { bars(series, number, &html) } else { line(series, number, &html) }
        }
      }
    }
  }

  private func axes(_ html: inout HTML) {
    for mark in marks {
      let height = Self.text(y(mark))
      html.element(
        "line",
        [
          "class": "rule", "x1": .text(Self.text(Self.left)), "x2": .text(Self.text(Self.width - Self.right)),
          "y1": .text(height), "y2": .text(height),
        ]
      ) { _ in }
      html.element(
        "text", ["class": "mark value", "x": .text(Self.text(Self.left - 8)), "y": .text(height)],
        text: Element.ChartData.text(mark))
    }
    // Draw only as many labels as fit.
    let longest = chart.labels.map(\.count).max() ?? 1
    let room = max(1, Int((Self.width - Self.left) / (Double(longest) * 11 + 16)))
    let step = max(1, (places.count + room - 1) / room)
    for place in stride(from: 0, to: places.count, by: step) {
      html.element(
        "text", ["class": "mark place", "x": .text(Self.text(x(place))), "y": .text(Self.text(Self.height - 6))],
        text: chart.labels[place])
    }
  }

  private func bars(_ series: [Double?], _ number: Int, _ html: inout HTML) {
    let all = (Self.width - Self.left - Self.right) / Double(max(places.count, 1)) * 0.8
    let wide = all / Double(max(values.count, 1))
    for (place, value) in series.enumerated() {
      guard let value else { continue }
      let (from, to) = (y(max(0, value)), y(min(0, value)))
      html.element(
        "rect",
        [
          "class": .text("series-\(number % 6)"), "x": .text(Self.text(x(place) - all / 2 + wide * Double(number))),
          "y": .text(Self.text(from)), "width": .text(Self.text(max(1, wide - 1))),
          "height": .text(Self.text(max(0.5, to - from))), "rx": "2",
        ]
      ) { html in
        html.element("title", text: "\(chart.labels[place]): \(Element.ChartData.text(value))")
      }
    }
  }

  private func line(_ series: [Double?], _ number: Int, _ html: inout HTML) {
    // A missing value leaves a gap.
    for run in series.indices.split(whereSeparator: { series[$0] == nil }) {
      let points = run.map { ($0, series[$0] ?? 0) }.map { "\(Self.text(x($0))) \(Self.text(y($1)))" }
      let path = "M" + points.joined(separator: " L")
      if chart.style == .area, let first = run.first, let last = run.last {
        let base = Self.text(y(max(least, 0)))
        html.element(
          "path",
          [
            "class": .text("series-\(number % 6) fill"),
            "d": .text(path + " L\(Self.text(x(last))) \(base) L\(Self.text(x(first))) \(base) Z"),
          ]
        ) { _ in }
      }
      html.element("path", ["class": .text("series-\(number % 6) stroke"), "d": .text(path)]) { _ in }
      if points.count == 1, let place = run.first, let value = series[place] {
        html.element(
          "circle",
          [
            "class": .text("series-\(number % 6)"), "cx": .text(Self.text(x(place))), "cy": .text(Self.text(y(value))),
            "r": "3",
          ]
        ) { _ in }
      }
    }
  }

  /// Draws the parts of a whole as strokes of a circle with path length 100, which needs no angles.
  private func pie(_ html: inout HTML) {
    let parts = (values.first ?? []).map { max(0, $0 ?? 0) }
    let sum = parts.reduce(0, +)
    guard sum > 0, sum.isFinite else { return }
    let slices = parts.indices.filter { parts[$0] > 0 }
    // The last slice is a full circle under the others, because two strokes that end at the same angle leave a gap.
    if let last = slices.last { slice(last, parts[last], [:], &html) }
    var before = 0.0
    for place in slices.dropLast() {
      let share = parts[place] / sum * 100
      slice(
        place, parts[place],
        [
          "stroke-dasharray": .text("\(Self.thousandths(share)) \(Self.thousandths(100 - share))"),
          "stroke-dashoffset": .text(Self.thousandths(25 - before)),
        ], &html)
      before += share
    }
  }

  private func slice(_ place: Int, _ part: Double, _ dashes: HTML.Attributes, _ html: inout HTML) {
    html.element(
      "circle",
      [
        "class": .text("slice series-\(place % 6)"), "cx": "120", "cy": "120", "r": "70", "pathLength": "100",
      ] + dashes
    ) { html in
      html.element("title", text: "\(chart.labels[place]): \(Element.ChartData.text(part))")
    }
  }

  private static func thousandths(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }

  /// The legend, which names the colors.
  var legend: HTML {
    let names = chart.style == .pie ? chart.labels : chart.series.map(\.name)
    return HTML { html in
      html.element("ul", ["class": "legend"]) { html in
        for (number, name) in names.prefix(24).enumerated() {
          html.element("li") { html in
            html.element("span", ["class": .text("swatch series-\(number % 6)"), "aria-hidden": "true"]) { _ in }
            html.add(name)
          }
        }
      }
    }
  }
}
