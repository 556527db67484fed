/// The contained rows of a long list or table.
extension Element {
  /// The number of contained rows.
  @_spi(FrontEnd) public var shownRowCount: Int { kind == .table ? max(0, cells.count - 1) : children.count }

  /// The total number of rows if the element contains only some, clamped to 32 bits: a host may send any number.
  private var countOfRows: Int { min(max(0, self.rowCount ?? 0), Int(Int32.max)) }

  /// The number of rows before the contained ones.
  @_spi(FrontEnd) public var rowsAbove: Int { min(max(0, self.firstRow ?? 0), countOfRows) }

  /// The number of rows after the contained ones.
  @_spi(FrontEnd) public var rowsBelow: Int {
    self.rowCount == nil ? 0 : max(0, countOfRows - rowsAbove - shownRowCount)
  }

  /// A text about the rows before the contained ones; nil if there are none.
  @_spi(FrontEnd) public var textAboveRows: String? { rowsAbove == 0 ? nil : "… \(rowsAbove.grouped()) above" }

  /// A text about the rows after the contained ones; nil if there are none.
  @_spi(FrontEnd) public var textBelowRows: String? { rowsBelow == 0 ? nil : "… \(rowsBelow.grouped()) below" }
}

extension Presentation {
  /// A text about rows that are not visible, for errors of a lookup; empty if there are none.
  var textOnHiddenRows: String {
    reachable.filter { $0.rowCount != nil }.map { list in
      let (rows, last) = (list.rowCount ?? 0, list.rowsAbove + list.shownRowCount)
      return
        " Of \(rows.grouped()) rows, \((list.rowsAbove + 1).grouped()) to \(last.grouped()) are visible: "
        + "scroll to the row."
    }.joined()
  }
}

extension Int {
  /// Returns the number in decimal, with a separator between groups of three digits: `99,800`.
  @_spi(FrontEnd) public func grouped(by separator: String = ",") -> String {
    let digits = Array(String(magnitude))
    let first = digits.count % 3
    var groups = stride(from: first, to: digits.count, by: 3).map { String(digits[$0..<$0 + 3]) }
    if first > 0 { groups.insert(String(digits[..<first]), at: 0) }
    return (self < 0 ? "-" : "") + groups.joined(separator: separator)
  }
}
