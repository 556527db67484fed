@_spi(FrontEnd) import GangwayProtocol

/// The elements of a screen, by position: above, in, and below the visible part.
struct ElementPositions {
  /// Elements that have a line or can be pressed, from top to bottom.
  var above: [ElementID] = []
  var here: [ElementID] = []
  var below: [ElementID] = []
  /// The visible rows of each table, numbered like the table's cells.
  var rows: [ElementID: ClosedRange<Int>] = [:]

  init() {}

  init(_ lines: [ContentLine], _ range: Range<Int>) {
    for (number, line) in lines.enumerated() {
      let isHere = range.contains(number)
      var found = line.element.map { [$0] } ?? []
      for span in line.spans {
        switch span.hit {
        case .element(let id), .option(let id, _): found.append(id)
        case .cell(let id, let row, _):
          found.append(id)
          guard isHere, row > 0 else { continue }
          rows[id] = min(rows[id]?.lowerBound ?? row, row)...max(rows[id]?.upperBound ?? row, row)
        default: break
        }
      }
      if isHere { here += found } else if number < range.lowerBound { above += found } else { below += found }
    }
  }
}
