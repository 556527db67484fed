import CSQLite
import Foundation

/// A SQLite database, read from outside the app.
struct Database {
  /// The reason why a query failed.
  struct Failure: Error, CustomStringConvertible { let description: String }

  let path: String

  /// Returns all databases in a folder and its subfolders.
  static func all(in folder: String) -> [Database] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".sqlite") }.sorted()
      .map { Database(path: folder + "/" + $0) }
  }

  /// The result of SQLite's integrity check; nil if the file is intact.
  var damage: String? {
    do {
      let lines = try column("PRAGMA integrity_check")
      return lines == ["ok"] ? nil : "\(path): \(lines.joined(separator: "; "))"
    } catch { return "\(path): \(error)" }
  }

  /// Returns the first column of a query's result.
  func column(_ query: String) throws -> [String] {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try check(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil), connection)
    // The app may be writing.
    sqlite3_busy_timeout(connection, 5_000)
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(connection, query, -1, &statement, nil), connection)
    defer { sqlite3_finalize(statement) }
    var values: [String] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        if code != SQLITE_DONE { try check(code, connection) }
        return values
      }
      values.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
  }

  private func check(_ code: Int32, _ connection: OpaquePointer?) throws {
    guard code != SQLITE_OK else { return }
    throw Failure(description: connection.map { String(cString: sqlite3_errmsg($0)) } ?? "error \(code)")
  }
}
