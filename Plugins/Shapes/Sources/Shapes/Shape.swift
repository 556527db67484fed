import Gangway

/// A shape that can be drawn.
enum Shape: String, Codable, CaseIterable, Sendable {
  case rectangle
  case roundedRectangle = "rounded"
  case capsule
  case ellipse
  case circle
  case triangle
  case star
  case tower

  var title: String {
    switch self {
    case .rectangle: "Rectangle"
    case .roundedRectangle: "Rounded rectangle"
    case .capsule: "Capsule"
    case .ellipse: "Ellipse"
    case .circle: "Circle"
    case .triangle: "Triangle"
    case .star: "Star"
    case .tower: "Tower"
    }
  }

  /// Returns the outline in a unit square, scaled to a part of it.
  func paths(size: Double = 1) -> [DrawingPath] {
    let half = 0.45 * size
    let (low, high) = (0.5 - half, 0.5 + half)
    switch self {
    case .rectangle: return [.rectangle(x: low, y: 0.5 - half * 0.6, width: 2 * half, height: 1.2 * half).fill("blue")]
    case .roundedRectangle: return [Self.rounded(half, half * 0.6, radius: half * 0.25).fill("blue")]
    case .capsule: return [Self.rounded(half, half * 0.4, radius: half * 0.4).fill("magenta")]
    case .ellipse: return [Self.rounded(half, half * 0.6, radius: half).fill("green")]
    case .circle: return [.circle(x: 0.5, y: 0.5, radius: half).fill("yellow")]
    case .triangle: return [.polygon([(x: 0.5, y: low), (x: high, y: high), (x: low, y: high)]).fill("red")]
    case .star: return [.polygon(Self.star(half)).fill("yellow")]
    case .tower:
      // Three floors, each narrower than the one below.
      return (0..<3).map { floor in
        let width = half * (1 - 0.28 * Double(floor))
        let height = 2 * half / 3
        return .rectangle(x: 0.5 - width, y: high - height * Double(floor + 1), width: 2 * width, height: height * 0.9)
          .fill(["red", "yellow", "green"][floor])
      }
    }
  }

  /// Returns a shape whose corners are quadratic curves. With a radius of half a side, they meet in an ellipse.
  private static func rounded(_ x: Double, _ y: Double, radius: Double) -> DrawingPath {
    let (rx, ry) = (min(radius, x), min(radius, y))
    let (left, right, top, bottom) = (0.5 - x, 0.5 + x, 0.5 - y, 0.5 + y)
    return DrawingPath().move(left + rx, top).line(right - rx, top)
      .curve(right, top + ry, control: (x: right, y: top)).line(right, bottom - ry)
      .curve(right - rx, bottom, control: (x: right, y: bottom)).line(left + rx, bottom)
      .curve(left, bottom - ry, control: (x: left, y: bottom)).line(left, top + ry)
      .curve(left + rx, top, control: (x: left, y: top)).close()
  }

  /// Returns the points of a star with five rays: the cosines and sines of multiples of 36°, from the top.
  private static func star(_ radius: Double) -> [(x: Double, y: Double)] {
    let directions: [(x: Double, y: Double)] = [
      (0, -1), (0.5878, -0.8090), (0.9511, -0.3090), (0.9511, 0.3090), (0.5878, 0.8090), (0, 1), (-0.5878, 0.8090),
      (-0.9511, 0.3090), (-0.9511, -0.3090), (-0.5878, -0.8090),
    ]
    return directions.enumerated().map { index, direction in
      let length = index.isMultiple(of: 2) ? radius : radius * 0.382
      return (x: 0.5 + length * direction.x, y: 0.5 + length * direction.y)
    }
  }
}

/// The parameters of a link to the featured shape. Missing ones have defaults.
struct FeaturedShape: Codable, Hashable, Sendable {
  var shape: Shape?
  /// The size in percent.
  var size: Int?
}
