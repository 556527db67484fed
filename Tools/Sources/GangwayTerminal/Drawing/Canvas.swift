/// A drawing of the terminal's cells, which ncurses writes and tests compare without a terminal.
struct Canvas: Equatable {
  struct Cell: Equatable {
    /// The character; empty if the character to the left takes more than one column.
    var text: String = " "
    var style = Style.plain
  }

  let columns: Int
  let rows: Int
  private(set) var cells: [Cell]
  /// The pictures that placeholder cells refer to, by number.
  private(set) var pictures: [Int: Picture] = [:]
  /// The addresses of links, which styles refer to by index.
  private(set) var links: [String] = []
  /// The color of the selection and of the focused element.
  var accent = Style.Color.cyan
  /// The position of the terminal's cursor; nil hides it.
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

  /// Returns the cells of a row.
  func row(_ row: Int) -> ArraySlice<Cell> { cells[row * columns..<(row + 1) * columns] }

  /// Writes text at a place, cut off at the edge or at `limit` columns; returns the column after it.
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

  /// Returns whether the cursor has the same position as in another canvas.
  func hasSameCursor(as other: Canvas) -> Bool {
    cursor?.row == other.cursor?.row && cursor?.column == other.cursor?.column
  }

  /// Writes a row of a picture; returns the column after it.
  mutating func put(_ picture: Picture, as id: Int, pictureRow: Int, _ row: Int, _ column: Int, limit: Int) -> Int {
    pictures[id] = picture
    return put(picture.placeholders(pictureRow), row, column, Style(picture: id), limit: limit)
  }

  /// Returns the number of an address, for a style; nil if a terminal could misread the address.
  mutating func link(to url: String) -> Int? {
    guard url.utf8.count <= Self.maximumURL, url.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else { return nil }
    if let known = links.firstIndex(of: url) { return known }
    links.append(url)
    return links.count - 1
  }

  /// The longest address that terminals accept, in bytes.
  private static let maximumURL = 2_083

  /// Fills a rectangle with blanks.
  mutating func clear(_ rowRange: Range<Int>, _ columnRange: Range<Int>, _ style: Style = .plain) {
    for row in rowRange.clamped(to: 0..<rows) {
      for column in columnRange.clamped(to: 0..<columns) { self[row, column] = Cell(text: " ", style: style) }
    }
  }

  /// Dims everything drawn so far, as the background of a modal.
  mutating func dim() {
    // A dim placeholder would lose the color that identifies its picture, so it becomes a blank.
    for index in cells.indices {
      cells[index] = Cell(text: cells[index].style.picture == nil ? cells[index].text : " ", style: .dim)
    }
  }

  /// The canvas as text, for tests: without styles and without blanks at the ends of lines.
  var text: String {
    (0..<rows).map { row in
      var line = ""
      for column in 0..<columns { line += self[row, column].text }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}
