/// A picture of the terminal, made without one: what tests compare and ncurses writes.
struct Canvas: Equatable {
  struct Cell: Equatable {
    /// Empty where the character to the left takes more columns than one.
    var text: String = " "
    var style = Style.plain
  }

  let columns: Int
  let rows: Int
  private(set) var cells: [Cell]
  /// What the placeholders in cells stand for, by their numbers.
  private(set) var pictures: [Int: Picture] = [:]
  /// The addresses that cells lead to, by their styles' numbers.
  private(set) var links: [String] = []
  /// The colour of what is chosen and where the keyboard is.
  var accent = Style.Color.cyan
  /// Where the terminal's cursor stands; nil hides it.
  var cursor: (row: Int, column: Int)?

  init(columns: Int, rows: Int) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
    cells = Array(repeating: Cell(), count: self.columns * self.rows)
  }

  static func == (first: Canvas, second: Canvas) -> Bool {
    first.columns == second.columns && first.cells == second.cells && first.pictures == second.pictures
      && first.hasSameCursor(as: second) && first.accent == second.accent
      && first.links == second.links
  }

  subscript(row: Int, column: Int) -> Cell {
    get { cells[row * columns + column] }
    set { cells[row * columns + column] = newValue }
  }

  /// The cells of a row.
  func row(_ row: Int) -> ArraySlice<Cell> { cells[row * columns..<(row + 1) * columns] }

  /// Writes text from a place on, cut off at the edge or at `limit` columns; returns the column after it.
  @discardableResult mutating func put(
    _ text: String, _ row: Int, _ column: Int, _ style: Style = .plain, limit: Int = .max
  ) -> Int {
    guard (0..<rows).contains(row) else { return column }
    var at = column
    for character in text {
      let width = TextWidth.of(character)
      guard width > 0 else { continue }
      guard at + width <= min(columns, limit == .max ? columns : column + limit) else { break }
      if at >= 0 {
        self[row, at] = Cell(text: TextWidth.drawn(character), style: style)
        for next in at + 1..<max(at + width, at + 1) { self[row, next] = Cell(text: "", style: style) }
      }
      at += width
    }
    return at
  }

  /// Whether the cursor stands where another canvas has it.
  func hasSameCursor(as other: Canvas) -> Bool {
    cursor?.row == other.cursor?.row && cursor?.column == other.cursor?.column
  }

  /// Writes a row of a picture; returns the column after it.
  mutating func put(_ picture: Picture, as id: Int, pictureRow: Int, _ row: Int, _ column: Int, limit: Int) -> Int {
    pictures[id] = picture
    return put(picture.placeholders(pictureRow), row, column, Style(picture: id), limit: limit)
  }

  /// The number of an address, for a style; nil for one that a terminal may take for something else.
  mutating func link(to url: String) -> Int? {
    guard url.utf8.count <= Self.maximumURL, url.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else { return nil }
    if let known = links.firstIndex(of: url) { return known }
    links.append(url)
    return links.count - 1
  }

  /// How long an address may be, as terminals have it.
  private static let maximumURL = 2_083

  /// Fills a rectangle with blanks.
  mutating func clear(_ rowRange: Range<Int>, _ columnRange: Range<Int>, _ style: Style = .plain) {
    for row in rowRange.clamped(to: 0..<rows) {
      for column in columnRange.clamped(to: 0..<columns) { self[row, column] = Cell(text: " ", style: style) }
    }
  }

  /// Dims everything drawn so far, as what is under a modal.
  mutating func dim() {
    // Without its colour a placeholder stands for nothing.
    for index in cells.indices {
      cells[index] = Cell(text: cells[index].style.picture == nil ? cells[index].text : " ", style: .dim)
    }
  }

  /// The picture as text, for tests: no styles, no blanks at the ends of lines.
  var text: String {
    (0..<rows).map { row in
      var line = ""
      for column in 0..<columns { line += self[row, column].text }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}
