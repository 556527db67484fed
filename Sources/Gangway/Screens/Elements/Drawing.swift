@_spi(FrontEnd) import GangwayProtocol

/// A line or surface of a ``Drawing``.
///
/// Its points are in a unit square, from 0 0 at the top left to 1 1 at the bottom right.
public struct DrawingPath: Sendable {
  private var commands: [String] = []
  private(set) var hasStrangeNumbers = false
  private(set) var strokeColor: String?
  private(set) var lineWidth: Double?
  private(set) var fillColor: String?

  /// Creates an empty path.
  public init() {}

  /// The commands as SVG 2 path data.
  var data: String { commands.joined(separator: " ") }

  private func adding(_ command: String, _ numbers: [Double]) -> DrawingPath {
    var path = self
    guard numbers.allSatisfy(\.isFinite) else {
      path.hasStrangeNumbers = true
      return path
    }
    let words = numbers.map { Element.ChartData.text(min(max($0, -10), 10)) }
    path.commands.append(([command] + words).joined(separator: " "))
    return path
  }

  /// Moves to a point without drawing.
  public func move(_ x: Double, _ y: Double) -> DrawingPath { adding("M", [x, y]) }

  /// Draws a straight line to a point.
  public func line(_ x: Double, _ y: Double) -> DrawingPath { adding("L", [x, y]) }

  /// Draws a quadratic Bézier curve to a point.
  public func curve(_ x: Double, _ y: Double, control: (x: Double, y: Double)) -> DrawingPath {
    adding("Q", [control.x, control.y, x, y])
  }

  /// Draws a cubic Bézier curve to a point.
  public func curve(
    _ x: Double, _ y: Double, controls first: (x: Double, y: Double), _ second: (x: Double, y: Double)
  ) -> DrawingPath { adding("C", [first.x, first.y, second.x, second.y, x, y]) }

  /// Draws a line back to the start.
  public func close() -> DrawingPath { adding("Z", []) }

  /// Sets the color of the line, a word such as `red`, and its width as a fraction of the drawing's width.
  public func stroke(_ color: String = "foreground", width: Double = 0.01) -> DrawingPath {
    var path = self
    path.strokeColor = color
    path.lineWidth = width.isFinite && width > 0 ? min(width, 1) : nil
    return path
  }

  /// Sets the color of the enclosed surface, a word such as `red`.
  public func fill(_ color: String = "foreground") -> DrawingPath {
    var path = self
    path.fillColor = color
    return path
  }

  /// Returns a closed line through points.
  public static func polygon(_ points: [(x: Double, y: Double)]) -> DrawingPath {
    var path = DrawingPath()
    for (index, point) in points.enumerated() {
      path = index == 0 ? path.move(point.x, point.y) : path.line(point.x, point.y)
    }
    return points.isEmpty ? path : path.close()
  }

  /// Returns a rectangle with a top left corner and a size.
  public static func rectangle(x: Double, y: Double, width: Double, height: Double) -> DrawingPath {
    polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
  }

  /// Returns a circle of four cubic Bézier curves, which deviate by at most 0.03 % of the radius.
  public static func circle(x: Double, y: Double, radius: Double) -> DrawingPath {
    let handle = radius * 0.5522847498
    return DrawingPath().move(x + radius, y)
      .curve(x, y + radius, controls: (x + radius, y + handle), (x + handle, y + radius))
      .curve(x - radius, y, controls: (x - handle, y + radius), (x - radius, y + handle))
      .curve(x, y - radius, controls: (x - radius, y - handle), (x - handle, y - radius))
      .curve(x + radius, y, controls: (x + handle, y - radius), (x + radius, y - handle)).close()
  }
}

/// Lines and surfaces in a unit square.
public struct Drawing: PrimitiveContent {
  /// The maximum number of paths.
  ///
  /// The drawing leaves out further paths and says so.
  nonisolated public static let maximumPaths = 1000

  let label: String
  let paths: [DrawingPath]

  /// Creates a drawing.
  ///
  /// - Parameters:
  ///   - label: a description of the drawing, for screen readers.
  ///   - paths: the paths, the last in front. A path without a color is drawn as a line. The drawing leaves out points
  ///     that are not finite numbers, and says so beside it.
  public init(_ label: String, paths: [DrawingPath]) {
    self.label = label
    self.paths = paths
  }

  /// Adds itself to a render.
  @_spi(FrontEnd) public func _render(into renderer: ContentRenderer) {
    renderer.add(.drawing, label) { element in
      element.paths = paths.prefix(Self.maximumPaths).map { path in
        Element.Path(
          d: path.data, stroke: path.strokeColor ?? (path.fillColor == nil ? "foreground" : nil),
          fill: path.fillColor, width: path.lineWidth)
      }
      var problems: [String] = []
      if paths.contains(where: \.hasStrangeNumbers) { problems.append("Points that are not numbers are not drawn.") }
      if paths.count > Self.maximumPaths {
        let rest = paths.count - Self.maximumPaths
        problems.append(
          "Only the first \(Self.maximumPaths) paths are drawn; \(rest) \(rest == 1 ? "is" : "are") left out.")
      }
      element.problem = problems.isEmpty ? nil : problems.joined(separator: " ")
    }
  }
}
