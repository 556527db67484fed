import Foundation
import GRDB

/// An error, with its reason for the user.
struct TodoError: Error, CustomStringConvertible, LocalizedError, Equatable {
  let description: String
  var errorDescription: String? { description }
  init(_ description: String) { self.description = description }
}

/// The file with one user's todos.
///
/// An unusable file stays as it is, and every call throws the reason. A file that cannot be written is still read.
final class TodoDatabase: Sendable {
  /// The problem with the file, for the user; nil if there is none.
  let problem: TodoError?
  private let reader: (any DatabaseReader)?
  private let writer: DatabasePool?
  private let path: String
  /// Whether the todos are samples, which nobody can change.
  let isSample: Bool

  /// - Parameters:
  ///   - path: the path of the file.
  ///   - isReadOnly: whether to open the file as on a read-only medium.
  ///   - mostPages: the largest size of the file, in pages; nil for no limit.
  init(path: String, isReadOnly: Bool = false, mostPages: Int? = nil) {
    (self.path, isSample) = (path, false)
    do {
      if isReadOnly { throw DatabaseError(resultCode: .SQLITE_READONLY) }
      var configuration = Self.configuration
      if let mostPages {
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA max_page_count = \(mostPages)") }
      }
      let pool = try DatabasePool(path: path, configuration: configuration)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      let isNewer = try pool.read { try Self.migrator.hasBeenSuperseded($0) }
      if isNewer { throw TodoError("a newer version of Todos wrote the file. Install that version") }
      try Self.migrator.migrate(pool)
      (reader, writer, problem) = (pool, pool, nil)
    } catch {
      // Show a readable file, as on a read-only medium, or on a disk without room for a new table.
      var configuration = Self.configuration
      configuration.readonly = true
      let queue = error is TodoError ? nil : try? DatabaseQueue(path: path, configuration: configuration)
      let isReadable = (try? queue?.read { try Todo.fetchCount($0) }) != nil
      (reader, writer) = (isReadable ? queue : nil, nil)
      problem = Self.explained(error, path, isReadable ? "written" : "used")
    }
  }

  /// Creates samples in memory.
  init(samples: [Todo], in lists: [TodoList]) {
    (path, isSample, writer) = ("", true, nil)
    do {
      let queue = try DatabaseQueue(configuration: Self.configuration)
      try Self.migrator.migrate(queue)
      try queue.write { database in
        for var list in lists { try list.insert(database) }
        for var todo in samples { try todo.insert(database) }
      }
      (reader, problem) = (queue, nil)
    } catch {
      (reader, problem) = (nil, TodoError("The samples could not be created: \(error)"))
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    // Another host may be writing, but its writes are short.
    configuration.busyMode = .timeout(2)
    configuration.maximumReaderCount = 2
    return configuration
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.create(table: "list") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("key", .text).notNull().unique()
        table.column("title", .text).notNull()
      }
      try database.create(table: "todo") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("key", .text).notNull().unique()
        table.column("listID", .integer).references("list", onDelete: .cascade)
        table.column("title", .text).notNull()
        table.column("note", .text).notNull()
        table.column("due", .datetime)
        table.column("isFavourite", .boolean).notNull()
        table.column("isDone", .boolean).notNull()
        table.column("position", .double).notNull()
      }
      try database.create(index: "todoOrder", on: "todo", columns: ["isDone", "position"])
      try database.create(index: "todoOfList", on: "todo", columns: ["listID", "isDone", "position"])
      try database.create(index: "todoDue", on: "todo", columns: ["isDone", "due"])
      try database.create(index: "todoFavourite", on: "todo", columns: ["isFavourite", "isDone", "position"])
      try database.create(virtualTable: "todoText", using: FTS5()) { table in
        table.synchronize(withTable: "todo")
        table.tokenizer = .unicode61()
        table.prefixes = [1, 2, 3]
        table.column("title")
        table.column("note")
      }
    }
    return migrator
  }

  /// Reads at once on the calling thread, for reads of microseconds.
  func look<Value>(_ read: (Database) throws -> Value) throws -> Value {
    guard let reader else { throw problem ?? TodoError("There is no file.") }
    return try reader.read(read)
  }

  /// Reads in the background.
  func read<Value: Sendable>(_ read: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    guard let reader else { throw problem ?? TodoError("There is no file.") }
    do {
      return try await reader.read(read)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw Self.explained(error, path, "read")
    }
  }

  /// Writes a change completely or not at all.
  func write<Value: Sendable>(_ update: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    guard let writer else { throw problem ?? TodoError("These todos are samples. Sign in to keep your own.") }
    do {
      return try await writer.write(update)
    } catch let error as TodoError {
      throw error
    } catch {
      throw Self.explained(error, path, "written")
    }
  }

  private static func explained(_ error: any Error, _ path: String, _ verb: String) -> TodoError {
    let why =
      switch (error as? DatabaseError)?.resultCode {
      case .SQLITE_FULL: "the disk is full. Make room and try again"
      case .SQLITE_READONLY: "the file is not writable"
      case .SQLITE_BUSY, .SQLITE_LOCKED: "another program is using the file. Try again"
      case .SQLITE_NOTADB, .SQLITE_CORRUPT: "the file is damaged. Move the file elsewhere to start with an empty one"
      default: "\(error)"
      }
    return TodoError("The todos in '\(path)' could not be \(verb): \(why). The file was not changed.")
  }
}
