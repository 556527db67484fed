import ArgumentParser
import GangwayHost
import GangwayProtocol
import Glibc

/// Text in columns, and colours where somebody looks at them.
enum CommandOutput {
  enum Color: String {
    case green = "32"
    case yellow = "33"
    case red = "31"
    case dim = "2"
    case bold = "1"
  }

  /// Whether the result goes to a terminal, and the person wants colours: no-color.org.
  static var isColored: Bool {
    isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
      && getenv("TERM").map { String(cString: $0) } != "dumb"
  }

  static func colored(_ text: String, _ color: Color) -> String {
    isColored ? "\u{1b}[\(color.rawValue)m\(text)\u{1b}[0m" : text
  }

  /// Rows with their cells below each other, two blanks between; the last column is as long as it is.
  ///
  /// - Parameter color: that of a cell, by its row and column.
  static func columns(_ rows: [[String]], color: (Int, Int) -> Color? = { _, _ in nil }) -> [String] {
    let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
      rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.enumerated().map { number, row in
      row.enumerated().map { column, cell in
        let isLast = column == row.count - 1
        let blanks = isLast ? "" : String(repeating: " ", count: widths[column] - cell.count + 2)
        return (color(number, column).map { colored(cell, $0) } ?? cell) + blanks
      }.joined()
    }
  }
}

/// A name that stands for nothing: what it may have meant, and what there is.
enum UnknownName {
  /// The words for a plugin that is not there.
  static func plugin(_ name: String, among ids: [String]) -> String {
    let nearest = NearestMatch.of(name, among: ids).map { " Did you mean '\($0)'?" } ?? ""
    return "gangway: there is no plugin '\(name)'.\(nearest) Installed: "
      + (ids.isEmpty ? "none. `gangway new Hello` makes one" : ids.joined(separator: ", ")) + "."
  }

  /// Says that a plugin is not there.
  ///
  /// - Throws: the exit code 1, always.
  @MainActor static func refuse(_ name: String, _ survey: PluginSurvey) throws -> Never {
    Locations.complain(plugin(name, among: survey.plugins.compactMap(\.id)))
    throw ExitCode(1)
  }

  /// Whether a name is a file's, and not a plugin's id.
  static func isFile(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".so") }
}
