/// The rows of a long list or table: which of them are in it.
extension Element {
  /// How many rows are in it.
  public var shownRowCount: Int { kind == .table ? max(0, cells.count - 1) : children.count }

  /// How many rows there are where not all are in it, within what can be counted with: a host may say any number.
  private var countOfRows: Int { min(max(0, self.rowCount ?? 0), Int(Int32.max)) }

  /// How many rows come before those in it.
  public var rowsAbove: Int { min(max(0, self.firstRow ?? 0), countOfRows) }

  /// How many rows come after those in it.
  public var rowsBelow: Int {
    self.rowCount == nil ? 0 : max(0, countOfRows - rowsAbove - shownRowCount)
  }

  /// Says that there are rows before those in it; nil where there are none.
  public var textAboveRows: String? { rowsAbove == 0 ? nil : "… \(rowsAbove) above" }

  /// Says that there are rows after those in it; nil where there are none.
  public var textBelowRows: String? { rowsBelow == 0 ? nil : "… \(rowsBelow) below" }
}

extension Presentation {
  /// Says that there are rows which are not in sight, for whoever looks for one; empty where there are none.
  var textOnHiddenRows: String {
    reachable.filter { $0.rowCount != nil }.map { list in
      let last = list.rowsAbove + list.shownRowCount
      return
        " Of \(list.rowCount ?? 0) rows, \(list.rowsAbove + 1) to \(last) are in sight: scroll to the one you mean."
    }.joined()
  }
}
