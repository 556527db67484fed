import Foundation
import GRDB

/// The user's stored choices.
struct Options: Codable, Hashable, Sendable {
  var allowsSwap = true
  var asksBeforeResigning = true
  var icon = "⬢"
}

/// A won game in the statistics.
struct CountedGame: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "game"
  /// The game's id, so that a game counts only once.
  let id: String
  let winner: String
  let size: Int
  let moves: Int
}

/// Options and statistics, in a database in the plugin's folder.
///
/// An unusable file stays as it is. The app then shows the reason and continues without the file.
@MainActor final class BlitherStore {
  /// The problem with the file, for the user.
  private(set) var problem: String?
  private let queue: DatabaseQueue?
  private let path: String
  private var unsavedOptions: Options?

  /// - Parameters:
  ///   - folder: the folder of the file. It exists.
  ///   - isReadOnly: whether to open the file as on a read-only medium.
  init(folder: URL, isReadOnly: Bool = false) {
    path = folder.appendingPathComponent("blither.sqlite").path
    do {
      var configuration = Configuration()
      configuration.readonly = isReadOnly
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      if !isReadOnly { try Self.migrate(queue) }
      self.queue = queue
    } catch {
      // A read-only file still has its statistics.
      var configuration = Configuration()
      configuration.readonly = true
      let readable = try? DatabaseQueue(path: path, configuration: configuration)
      let isReadable = (try? readable?.read { try CountedGame.fetchCount($0) }) != nil
      queue = isReadable ? readable : nil
      problem =
        isReadable
        ? "The statistics could not be written: \(error). The file '\(path)' was not changed."
        : "The statistics could not be read: \(error). The file '\(path)' was not changed. "
          + "Move it elsewhere to start over."
    }
  }

  private static func migrate(_ queue: DatabaseQueue) throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.create(table: "game") { table in
        table.primaryKey("id", .text)
        table.column("winner", .text).notNull()
        table.column("size", .integer).notNull()
        table.column("moves", .integer).notNull()
      }
      try database.create(table: "option") { table in
        table.primaryKey("name", .text)
        table.column("value", .text).notNull()
      }
    }
    try migrator.migrate(queue)
  }

  /// Counts a won game. The same game again changes nothing.
  func count(_ game: HexGame, winner: Player) {
    write("The result of this game could not be saved") { database in
      try CountedGame(id: game.id, winner: winner.rawValue, size: game.size, moves: game.moves.count)
        .insert(database, onConflict: .ignore)
    }
  }

  /// Every counted game.
  var games: [CountedGame] {
    (try? queue?.read { try CountedGame.order(Column("rowid")).fetchAll($0) }) ?? []
  }

  /// The options. Options that cannot be stored last as long as this host.
  var options: Options {
    get {
      if let unsavedOptions { return unsavedOptions }
      let text = try? queue?.read { try String.fetchOne($0, sql: "SELECT value FROM option WHERE name = 'options'") }
      return text.flatMap { try? JSONDecoder().decode(Options.self, from: Data($0.utf8)) } ?? Options()
    }
    set {
      unsavedOptions = newValue
      write("The options could not be stored") { database in
        let text = String(decoding: try JSONEncoder().encode(newValue), as: UTF8.self)
        try database.execute(
          sql: "INSERT OR REPLACE INTO option (name, value) VALUES ('options', ?)", arguments: [text])
      }
    }
  }

  private func write(_ failure: String, _ update: (Database) throws -> Void) {
    guard let queue else { return }
    do {
      try queue.write(update)
      problem = nil
    } catch {
      problem = "\(failure): \(error). The file '\(path)' was not changed."
    }
  }
}
