@_spi(FrontEnd) import GangwayProtocol

/// A raster of 2 × 4 dots per terminal cell, drawn with braille patterns (Unicode block 2800).
///
/// Terminals that cannot show braille patterns get one asterisk per cell.
struct DotCanvas {
  let columns: Int
  let rows: Int
  private let hasBraille: Bool
  private var bits: [UInt8]
  private var colors: [Style.Color]

  init(columns: Int, rows: Int, hasBraille: Bool) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
    self.hasBraille = hasBraille
    bits = Array(repeating: 0, count: self.columns * self.rows)
    colors = Array(repeating: .standard, count: bits.count)
  }

  /// The width and height in dots.
  var width: Int { columns * 2 }
  var height: Int { rows * 4 }

  /// The bit of each dot in a braille pattern, by the dot's column and row in its cell.
  private static let masks: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

  mutating func set(_ x: Int, _ y: Int, _ color: Style.Color) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    let cell = y / 4 * columns + x / 2
    bits[cell] |= Self.masks[x % 2][y % 4]
    colors[cell] = color
  }

  /// Draws a straight line with Bresenham's algorithm (IBM Systems Journal 4, 1965).
  mutating func line(_ from: (x: Int, y: Int), _ to: (x: Int, y: Int), _ color: Style.Color) {
    var (x, y) = from
    let (dx, dy) = (abs(to.x - x), -abs(to.y - y))
    let (stepX, stepY) = (x < to.x ? 1 : -1, y < to.y ? 1 : -1)
    var error = dx + dy
    // Points outside are not drawn, and the number of steps is limited for lines far outside.
    for _ in 0...(min(dx - dy, 4 * (width + height))) {
      set(x, y, color)
      if x == to.x, y == to.y { return }
      let twice = 2 * error
      if twice >= dy {
        error += dy
        x += stepX
      }
      if twice <= dx {
        error += dx
        y += stepY
      }
    }
  }

  /// Fills a closed line, row by row, with the even-odd rule.
  mutating func fill(_ points: [(x: Double, y: Double)], _ color: Style.Color) {
    guard points.count > 2 else { return }
    for row in 0..<height {
      let y = Double(row) + 0.5
      var crossings: [Double] = []
      for (index, first) in points.enumerated() {
        let second = points[(index + 1) % points.count]
        guard (first.y <= y) != (second.y <= y) else { continue }
        crossings.append(first.x + (y - first.y) / (second.y - first.y) * (second.x - first.x))
      }
      crossings.sort()
      for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
        let left = max(0, crossings[pair].rounded(.up))
        let right = min(Double(width - 1), crossings[pair + 1].rounded(.down))
        guard left <= right else { continue }
        for x in Int(left)...Int(right) { set(x, row, color) }
      }
    }
  }

  /// The rows, as spans of one color each.
  var lines: [[ContentLine.Span]] {
    (0..<rows).map { row in
      var spans: [ContentLine.Span] = []
      for column in 0..<columns {
        let cell = row * columns + column
        let character: Character =
          bits[cell] == 0
          ? " " : hasBraille ? Character(Unicode.Scalar(0x2800 + UInt32(bits[cell])) ?? "*") : "*"
        let style = Style(color: bits[cell] == 0 ? .standard : colors[cell])
        if let last = spans.last, last.style == style {
          spans[spans.count - 1].text.append(character)
        } else {
          spans.append(.init(text: String(character), style: style))
        }
      }
      return spans
    }
  }
}

/// A parser of a drawing's path data: absolute `M`, `L`, `Q`, `C` and `Z` of SVG 2.
enum PathData {
  /// The number of points that approximate a curve.
  private static let steps = 24

  /// Returns the lines of a path as points, with curves as short lines; parsing stops at the first error.
  static func lines(_ data: String) -> [(points: [(x: Double, y: Double)], isClosed: Bool)] {
    var lines: [(points: [(x: Double, y: Double)], isClosed: Bool)] = []
    var points: [(x: Double, y: Double)] = []
    var words = data.split { $0 == " " || $0 == "," }[...]
    func finish(_ isClosed: Bool) {
      if points.count > 1 { lines.append((points, isClosed)) }
      points = []
    }
    while let command = words.popFirst() {
      let count = command == "M" || command == "L" ? 2 : command == "Q" ? 4 : command == "C" ? 6 : 0
      let numbers = words.prefix(count).compactMap { Double($0) }
      guard numbers.count == count, numbers.allSatisfy({ $0.isFinite && abs($0) < 1000 }) else { break }
      words = words.dropFirst(count)
      switch command {
      case "M":
        finish(false)
        points = [(numbers[0], numbers[1])]
      case "L": points.append((numbers[0], numbers[1]))
      case "Q", "C":
        guard let start = points.last else { continue }
        for step in 1...steps { points.append(point(start, numbers, Double(step) / Double(steps))) }
      case "Z": finish(true)
      default:
        finish(false)
        return lines
      }
    }
    finish(false)
    return lines
  }

  /// Returns a point of a Bézier curve by de Casteljau's algorithm.
  private static func point(_ start: (x: Double, y: Double), _ numbers: [Double], _ part: Double) -> (
    x: Double, y: Double
  ) {
    var points = [start] + stride(from: 0, to: numbers.count, by: 2).map { (x: numbers[$0], y: numbers[$0 + 1]) }
    while points.count > 1 {
      points = zip(points, points.dropFirst()).map { first, second in
        (first.x + (second.x - first.x) * part, first.y + (second.y - first.y) * part)
      }
    }
    return points[0]
  }
}

/// Charts and drawings.
extension ElementLayout {
  private static let figureColumns = 100
  private static let figureRows = 10
  private static let colors: [Style.Color] = [.cyan, .yellow, .green, .red, .blue, .standard]

  private func color(_ number: Int) -> Style.Color { Self.colors[number % Self.colors.count] }

  /// Lays out a drawing; twice as many columns as rows look about square.
  func drawing(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    let rows = min(12, room / 2)
    var canvas = DotCanvas(columns: rows * 2, rows: rows, hasBraille: glyphs.hasBraille)
    let (width, height) = (Double(canvas.width - 1), Double(canvas.height - 1))
    for path in element.paths ?? [] {
      for line in PathData.lines(path.d) {
        let points = line.points.map { (x: $0.x * width, y: $0.y * height) }
        if let fill = path.fill { canvas.fill(points, Style.Color(tint: fill)) }
        guard let stroke = path.stroke else { continue }
        let dots = points.map { (x: Int($0.x.rounded()), y: Int($0.y.rounded())) }
        for (first, second) in zip(dots, dots.dropFirst() + (line.isClosed ? dots.prefix(1) : [])) {
          canvas.line(first, second, Style.Color(tint: stroke))
        }
      }
    }
    return canvas.lines.map { line(indent, $0) } + wrapped(element.label, room, indent, .dim)
  }

  func chart(_ element: Element, _ indent: Int, _ room: Int) -> [ContentLine] {
    guard let data = element.chart, data.series.contains(where: { $0.values.contains { $0 != nil } }) else {
      return wrapped(Words.Content.noValues, room, indent, .dim)
    }
    let figure =
      switch data.style {
      case .pie: pie(data, indent, room)
      case .bar: bars(data, indent, room)
      default: plot(data, indent, room)
      }
    return figure
  }

  private func legend(_ data: Element.ChartData, _ indent: Int) -> [ContentLine] {
    let names = data.series.map(\.name)
    guard names.count > 1 || names.first?.isEmpty == false else { return [] }
    let spans = names.enumerated().flatMap { number, name in
      [
        ContentLine.Span(text: glyphs.chosen + " ", style: Style(color: color(number))),
        ContentLine.Span(text: name + "   "),
      ]
    }
    return [line(indent, spans)]
  }

  /// Lays out bars one below the other, so that all labels are readable.
  private func bars(_ data: Element.ChartData, _ indent: Int, _ room: Int) -> [ContentLine] {
    let values = data.series.flatMap { $0.values.compactMap { $0 } }
    let most = values.map { abs($0) }.max() ?? 0
    let labels = data.labels.map { TextWidth.fit($0, max(room / 3, 4)) }
    let column = labels.map { TextWidth.of($0) }.max() ?? 0
    let numbers = values.map { TextWidth.of(Element.ChartData.text($0)) }.max() ?? 0
    let space = max(4, min(room, Self.figureColumns) - column - numbers - 3)
    let made = data.labels.indices.flatMap { place in
      data.series.enumerated().compactMap { number, series -> ContentLine? in
        guard series.values.indices.contains(place), let value = series.values[place] else { return nil }
        let length = most > 0 ? Int((abs(value) / most * Double(space)).rounded()) : 0
        let bar = String(repeating: glyphs.full, count: max(length, value == 0 ? 0 : 1))
        return line(
          indent,
          [
            .init(text: padded(number == 0 ? labels[place] : "", column) + " ", style: .dim),
            .init(text: bar, style: Style(color: value < 0 ? .red : color(number))),
            .init(text: " " + Element.ChartData.text(value)),
          ])
      }
    }
    return made + legend(data, indent)
  }

  /// Lays out parts of a whole: a bar for each, with its share.
  private func pie(_ data: Element.ChartData, _ indent: Int, _ room: Int) -> [ContentLine] {
    let values = data.series.first?.values ?? []
    let whole = values.compactMap { $0 }.reduce(0, +)
    let column = min(data.labels.map { TextWidth.of($0) }.max() ?? 0, room / 3)
    let space = max(4, min(room, Self.figureColumns) - column - 8)
    return data.labels.indices.compactMap { place -> ContentLine? in
      guard values.indices.contains(place), let value = values[place] else { return nil }
      // Negative parts can make the whole smaller than a part.
      let share = whole > 0 ? min(max(value / whole, 0), 1) : 0
      let filled = min(space, max(0, Int((share * Double(space)).rounded())))
      return line(
        indent,
        [
          .init(text: padded(data.labels[place], column) + " ", style: .dim),
          .init(text: String(repeating: glyphs.full, count: filled), style: Style(color: color(place))),
          .init(text: String(repeating: glyphs.empty, count: space - filled), style: .dim),
          .init(text: " \(Int((share * 100).rounded()))%"),
        ])
    }
  }

  /// Lays out lines and areas on two axes.
  private func plot(_ data: Element.ChartData, _ indent: Int, _ room: Int) -> [ContentLine] {
    let values = data.series.flatMap { $0.values.compactMap { $0 } }
    var (least, most) = (values.min() ?? 0, values.max() ?? 1)
    if data.style == .area { (least, most) = (min(least, 0), max(most, 0)) }
    if !(most - least).isFinite { (least, most) = (least / 4, most / 4) }
    // If all values are zero, the axis begins at zero, because counts and measurements are seldom negative.
    if most == least { (least, most) = least == 0 ? (0, 1) : (least - 1, most + 1) }
    let marks = [most, (most + least) / 2, least].map { Element.ChartData.text($0) }
    let column = min(marks.map { TextWidth.of($0) }.max() ?? 0, room / 3)
    var canvas = DotCanvas(
      columns: max(4, min(room, Self.figureColumns) - column - 2), rows: Self.figureRows, hasBraille: glyphs.hasBraille)
    let places = data.positions ?? data.labels.indices.map(Double.init)
    let (first, last) = (places.first ?? 0, places.last ?? 1)
    func dot(_ place: Double, _ value: Double) -> (x: Int, y: Int) {
      let x = last > first ? (place - first) / (last - first) : 0.5
      let y = (most - value) / (most - least)
      let inside = (x.isFinite ? min(max(x, 0), 1) : 0, y.isFinite ? min(max(y, 0), 1) : 0)
      return (
        Int((inside.0 * Double(canvas.width - 1)).rounded()), Int((inside.1 * Double(canvas.height - 1)).rounded())
      )
    }
    for (number, series) in data.series.enumerated() {
      var before: (x: Int, y: Int)?
      for (place, value) in zip(places, series.values) {
        guard let value else {
          before = nil
          continue
        }
        let now = dot(place, value)
        canvas.line(before ?? now, now, color(number))
        if data.style == .area {
          for x in (before?.x ?? now.x)...max(now.x, before?.x ?? now.x) {
            let start = before ?? now
            let y = now.x == start.x ? now.y : start.y + (now.y - start.y) * (x - start.x) / (now.x - start.x)
            canvas.line((x, y), (x, dot(place, 0).y), color(number))
          }
        }
        before = now
      }
    }
    let drawn = canvas.lines.enumerated().map { row, spans in
      let mark =
        row == 0 ? marks[0] : row == Self.figureRows - 1 ? marks[2] : row == Self.figureRows / 2 ? marks[1] : ""
      let blanks = String(repeating: " ", count: max(0, column - TextWidth.of(mark)))
      return line(
        indent, [.init(text: blanks + TextWidth.fit(mark, column) + " " + glyphs.vertical, style: .dim)] + spans)
    }
    let rule =
      String(repeating: " ", count: column + 1) + glyphs.corners[2]
      + String(repeating: glyphs.horizontal, count: canvas.columns)
    let start = data.labels.first ?? ""
    let end = data.labels.count > 1 ? data.labels.last ?? "" : ""
    let title = data.title.isEmpty ? "" : " \(data.title) "
    let free = canvas.columns - TextWidth.of(start) - TextWidth.of(end) - TextWidth.of(title)
    let half = max(1, free / 2)
    let axis =
      free < 2
      ? TextWidth.fit(start + " … " + end, canvas.columns)
      : start + String(repeating: " ", count: half) + title + String(repeating: " ", count: free - half) + end
    return drawn + [
      line(indent, [.init(text: rule, style: .dim)]),
      line(indent, [.init(text: String(repeating: " ", count: column + 2) + axis, style: .dim)]),
    ] + legend(data, indent)
  }
}
