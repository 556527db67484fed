import GangwayProtocol

/// Which rows of a list or table are rendered: what is near what is seen. Nothing else is proportional to how many there are.
struct RowWindow {
  /// Up to so many rows are all rendered.
  static let smallCount = 200
  /// How many are rendered of more, as long as no front end has said what it shows.
  static let firstCount = 100
  /// How many are rendered at the most.
  static let maximumCount = 500

  /// The row that is rendered first, from 0.
  let first: Int
  /// How many are rendered.
  let count: Int

  /// Makes a window, within what can be.
  init(first: Int, count: Int) {
    self.first = max(0, first)
    self.count = min(max(1, count), Self.maximumCount)
  }

  /// Reads what ``stored`` gave; the beginning where it is nil or something else.
  init(stored: String?) {
    let numbers = stored?.split(separator: " ").compactMap { Int($0) } ?? []
    self = numbers.count == 2 ? Self(first: numbers[0], count: numbers[1]) : Self(first: 0, count: Self.firstCount)
  }

  /// As it is kept with the screen: a person is at the same rows after a crash.
  var stored: String { "\(first) \(count)" }

  /// The rows of so many that are in it; near the end it is moved towards the beginning.
  func range(of rowCount: Int) -> Range<Int> {
    let start = min(first, max(0, rowCount - count))
    return start..<min(start + count, rowCount)
  }
}

extension ContentRenderer {
  /// The rows of a list or table that are to be rendered. Where that is not all, it is said of the element, and a front end can ask for
  /// others.
  func window(of element: inout Element, rowCount: Int) -> Range<Int> {
    guard !showsAllRows, rowCount > RowWindow.smallCount else { return 0..<rowCount }
    let (id, state) = (element.id, state)
    let range = RowWindow(stored: state[id, .window]).range(of: rowCount)
    element.rowCount = rowCount
    element.firstRow = range.lowerBound
    windows[id] = { state[id, .window] = $0.stored }
    return range
  }
}

extension RandomAccessCollection {
  /// The elements at positions that count from 0.
  func rows(_ range: Range<Int>) -> SubSequence {
    self[index(startIndex, offsetBy: range.lowerBound)..<index(startIndex, offsetBy: range.upperBound)]
  }
}
