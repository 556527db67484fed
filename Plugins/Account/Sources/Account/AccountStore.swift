import Foundation
import GRDB

/// The accounts and the signed-in user, in a database in the plugin's folder.
///
/// An unusable file stays as it is, and every call throws the reason.
final class AccountStore: Sendable {
  private let queue: Result<DatabaseQueue, AccountError>

  /// - Parameter folder: the folder of the file. It exists.
  init(folder: URL) {
    let path = folder.appending(path: "accounts.sqlite").path
    var configuration = Configuration()
    // Another app may be writing, but its writes are short.
    configuration.busyMode = .timeout(2)
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      try Self.migrator.migrate(queue)
      self.queue = .success(queue)
    } catch {
      queue = .failure(Self.explained(error, path))
    }
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.create(table: "account") { table in
        table.primaryKey("name", .text).collate(.nocase)
        table.column("password", .text).notNull()
        table.column("recovery", .text).notNull()
      }
      try database.create(table: "failure") { table in
        table.primaryKey("name", .text).collate(.nocase)
        table.column("count", .integer).notNull()
        table.column("last", .double).notNull()
      }
      try database.create(table: "signedIn") { table in
        table.primaryKey("slot", .integer).check { $0 == 1 }
        table.column("name", .text).notNull()
      }
    }
    return migrator
  }

  /// Returns the name of the signed-in user.
  func signedIn() throws -> String? {
    try queue.get().read { try String.fetchOne($0, sql: "SELECT name FROM signedIn") }
  }

  func setSignedIn(_ name: String?) async throws {
    try await write { database in
      try database.execute(sql: "DELETE FROM signedIn")
      if let name { try database.execute(sql: "INSERT INTO signedIn (slot, name) VALUES (1, ?)", arguments: [name]) }
    }
  }

  /// A stored account: the name as registered, and the hashes of its password and code.
  struct Account {
    let name: String
    let password: PasswordHash
    let recovery: PasswordHash
  }

  func account(_ name: String) async throws -> Account? {
    try await queue.get().read { database in
      guard
        let row = try Row.fetchOne(
          database, sql: "SELECT name, password, recovery FROM account WHERE name = ?", arguments: [name])
      else { return nil }
      return Account(
        name: row["name"], password: PasswordHash(text: row["password"]), recovery: PasswordHash(text: row["recovery"]))
    }
  }

  /// Adds an account.
  ///
  /// - Throws: ``AccountError`` if the name is taken.
  func add(_ name: String, password: PasswordHash, recovery: PasswordHash) async throws {
    try await write { database in
      let taken = try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM account WHERE name = ?)", arguments: [name])
      if taken == true { throw AccountError("The name '\(name)' is taken. Choose another one.") }
      try database.execute(
        sql: "INSERT INTO account (name, password, recovery) VALUES (?, ?, ?)",
        arguments: [name, password.text, recovery.text])
    }
  }

  func replace(_ name: String, password: PasswordHash, recovery: PasswordHash) async throws {
    try await write { database in
      try database.execute(
        sql: "UPDATE account SET password = ?, recovery = ? WHERE name = ?",
        arguments: [password.text, recovery.text, name])
    }
  }

  /// Returns the number of failed tries for a name, and the time of the last one.
  func failures(of name: String) async throws -> (count: Int, last: Date)? {
    try await queue.get().read { database in
      let row = try Row.fetchOne(database, sql: "SELECT count, last FROM failure WHERE name = ?", arguments: [name])
      return row.map { (count: $0["count"], last: Date(timeIntervalSince1970: $0["last"])) }
    }
  }

  /// Records a try before its result is known. So a user who stops the app in between has still tried.
  func noteTry(of name: String, at now: Date) async throws {
    try await write { database in
      try database.execute(
        sql: """
          INSERT INTO failure (name, count, last) VALUES (?, 1, ?)
          ON CONFLICT (name) DO UPDATE SET count = count + 1, last = excluded.last
          """,
        arguments: [name, now.timeIntervalSince1970])
      // Unknown names are recorded too, so their number needs a limit.
      try database.execute(
        sql: "DELETE FROM failure WHERE name NOT IN (SELECT name FROM failure ORDER BY last DESC LIMIT 1000)")
    }
  }

  func forgetTries(of name: String) async throws {
    try await write { try $0.execute(sql: "DELETE FROM failure WHERE name = ?", arguments: [name]) }
  }

  private func write(_ update: @escaping @Sendable (Database) throws -> Void) async throws {
    let queue = try queue.get()
    do {
      try await queue.write(update)
    } catch {
      throw Self.explained(error, queue.path)
    }
  }

  private static func explained(_ error: any Error, _ path: String) -> AccountError {
    if let error = error as? AccountError { return error }
    let why =
      switch (error as? DatabaseError)?.resultCode {
      case .SQLITE_FULL: "the disk is full. Make room and try again"
      case .SQLITE_READONLY: "the file is not writable"
      case .SQLITE_BUSY, .SQLITE_LOCKED: "another program is using the file. Try again"
      case .SQLITE_NOTADB, .SQLITE_CORRUPT: "the file is damaged. Move the file elsewhere to start with an empty one"
      default: "\(error)"
      }
    return AccountError("The accounts in '\(path)' could not be used: \(why). The file was not changed.")
  }
}
