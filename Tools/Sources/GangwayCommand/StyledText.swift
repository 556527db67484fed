@_spi(FrontEnd) import GangwayClient
import Glibc

/// Text for a terminal, with colours kept apart from the characters.
///
/// Text from a plugin or a file can therefore bring no colours of its own. Escaping text for a terminal leaves the
/// command's colours intact. An interpolation takes a style: `"\(mark, .green) \(name)"`.
struct StyledText: ExpressibleByStringInterpolation, Sendable {
  /// The style of a piece, as the parameter of ECMA-48's SGR.
  enum Style: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { append(literal, nil) }
    mutating func appendInterpolation(_ text: StyledText) { pieces += text.pieces }
    mutating func appendInterpolation(_ text: String, _ style: Style? = nil) { append(text, style) }
    mutating func appendInterpolation(_ value: some BinaryInteger) { append("\(value)", nil) }

    private mutating func append(_ text: String, _ style: Style?) {
      if !text.isEmpty { pieces.append(Piece(text: text, style: style)) }
    }
  }

  fileprivate struct Piece: Sendable {
    var text: String
    var style: Style?
  }

  private var pieces: [Piece]

  init(stringLiteral value: String) { self.init(value) }
  init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  /// Creates a text of one style.
  init(_ text: String, _ style: Style? = nil) { pieces = text.isEmpty ? [] : [Piece(text: text, style: style)] }

  static func + (first: StyledText, second: StyledText) -> StyledText {
    var sum = first
    sum.pieces += second.pieces
    return sum
  }

  /// Returns the text for a terminal or a file: each piece is escaped for a terminal, then coloured.
  ///
  /// - Parameter isColored: whether to add colours.
  func rendered(isColored: Bool = StyledText.isColored) -> String {
    pieces.map { piece in
      let text = TerminalText.fit(piece.text)
      guard isColored, let style = piece.style else { return text }
      return "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m"
    }.joined()
  }

  /// Whether standard output is a terminal and the user wants colours: no-color.org.
  static var isColored: Bool {
    isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
      && getenv("TERM").map { String(cString: $0) } != "dumb"
  }
}

extension StyledText {
  /// Returns rows with aligned columns, two spaces apart; the last column is not padded.
  ///
  /// Line feeds and tabs in a cell become their symbols, so that each row stays on one line.
  ///
  /// - Parameter style: returns the style of a cell, by its row and column.
  static func columns(_ rows: [[String]], style: (Int, Int) -> Style? = { _, _ in nil }) -> [StyledText] {
    let rows = rows.map { $0.map(cell) }
    let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
      rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.enumerated().map { number, row in
      row.enumerated().reduce("") { line, entry in
        let (column, cell) = entry
        let isLast = column == row.count - 1
        let blanks = isLast ? "" : String(repeating: " ", count: widths[column] - cell.count + 2)
        return "\(line)\(cell, style(number, column))\(blanks)"
      }
    }
  }

  private static func cell(_ text: String) -> String {
    let scalars = TerminalText.fit(text).unicodeScalars.map { $0 == "\n" ? "␊" : $0 == "\t" ? "␉" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }
}
