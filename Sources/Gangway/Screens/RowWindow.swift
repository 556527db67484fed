@_spi(FrontEnd) import GangwayProtocol

/// The rendered rows of a list or table, near the visible ones.
///
/// So the cost of a render does not depend on the total number of rows.
struct RowWindow {
  /// Up to this number of rows, all are rendered.
  static let smallCount = 200
  /// The number of rendered rows of a longer list, until a front end reports its visible rows.
  static let firstCount = 100
  /// The maximum number of rendered rows.
  static let maximumCount = 500

  /// The first rendered row, from 0.
  let first: Int
  /// The number of rendered rows.
  let count: Int

  /// Creates a window, clamped to the limits.
  init(first: Int, count: Int) {
    self.first = max(0, first)
    self.count = min(max(1, count), Self.maximumCount)
  }

  /// Creates a window from ``stored`` text; at the beginning if the text is nil or invalid.
  init(stored: String?) {
    let numbers = stored?.split(separator: " ").compactMap { Int($0) } ?? []
    self = numbers.count == 2 ? Self(first: numbers[0], count: numbers[1]) : Self(first: 0, count: Self.firstCount)
  }

  /// The form that is stored with the screen, so that the user is at the same rows after a crash.
  var stored: String { "\(first) \(count)" }

  /// Returns the rows of the window; near the end, the window moves towards the beginning.
  func range(of rowCount: Int) -> Range<Int> {
    let start = min(first, max(0, rowCount - count))
    return start..<min(start + count, rowCount)
  }
}

extension ContentRenderer {
  /// Returns the rows of a list or table to render.
  ///
  /// If these are not all, the element says so, and a front end can request others.
  func window(of element: inout Element, rowCount: Int) -> Range<Int> {
    guard rowCount > RowWindow.smallCount else { return 0..<rowCount }
    let (id, state) = (element.id, state)
    let range = RowWindow(stored: state[id, .window]).range(of: rowCount)
    element.rowCount = rowCount
    element.firstRow = range.lowerBound
    windows[id] = { state[id, .window] = $0.stored }
    return range
  }
}

extension RandomAccessCollection {
  /// Returns the elements in a range of offsets, which count from 0.
  func rows(_ range: Range<Int>) -> SubSequence {
    self[index(startIndex, offsetBy: range.lowerBound)..<index(startIndex, offsetBy: range.upperBound)]
  }
}
