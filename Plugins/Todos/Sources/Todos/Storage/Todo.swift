import Foundation
import GRDB

/// A task of the user.
struct Todo: Codable, Hashable, Sendable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "todo"
  /// The longest title and note, in characters.
  static let longestTitle = 300
  static let longestNote = 100_000

  private(set) var id: Int64?
  /// A key from before the todo is stored. Storing the same key again after a crash changes nothing.
  let key: String
  var listID: TodoList.ID?
  var title: String
  var note = ""
  var due: Date?
  var isFavourite = false
  var isDone = false
  /// The position among the other todos; the lowest comes first.
  var position: Double = 0

  typealias ID = Int64

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

extension Todo {
  /// Reads a row by the order of its columns, which is several times as fast as by their names.
  init(row: Row) {
    self.init(
      id: row[0], key: row[1], listID: row[2], title: row[3], note: row[4], due: row[5], isFavourite: row[6],
      isDone: row[7], position: row[8])
  }
}

/// A list that the user created.
struct TodoList: Codable, Hashable, Sendable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "list"
  typealias ID = Int64
  private(set) var id: Int64?
  let key: String
  var title: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The draft of a todo, as other features pass it.
struct NewTodo: Codable, Hashable, Sendable {
  var title: String?
  var note: String?
}

/// The result of a flow that creates a todo.
struct CreatedTodo: Codable, Hashable, Sendable {
  let id: Todo.ID
  let title: String
}

/// A selection of todos.
enum Filter: Codable, Hashable, Sendable {
  case all
  case due
  case favourites
  case done
  case list(TodoList.ID)

  static let fixed: [Filter] = [.all, .due, .favourites, .done]

  /// The word in links.
  var word: String {
    switch self {
    case .all: "all"
    case .due: "due"
    case .favourites: "favourites"
    case .done: "done"
    case .list(let id): "\(id)"
    }
  }

  init?(word: String) {
    if let fixed = Self.fixed.first(where: { $0.word == word }) {
      self = fixed
    } else if let id = TodoList.ID(word) {
      self = .list(id)
    } else {
      return nil
    }
  }

  var title: String {
    switch self {
    case .all: "All"
    case .due: "Due"
    case .favourites: "Favourites"
    case .done: "Done"
    case .list: "List"
    }
  }

  var symbol: String {
    switch self {
    case .all: "☰"
    case .due: "◷"
    case .favourites: "★"
    case .done: "✓"
    case .list: "▤"
    }
  }

  /// The text for the user while the filter finds nothing.
  var emptyText: String {
    switch self {
    case .all: "Your new todos appear here."
    case .due: "Todos that are due today or earlier appear here."
    case .favourites: "Your favourite todos appear here."
    case .done: "Todos that are done appear here."
    case .list: "The open todos of this list appear here."
    }
  }

  /// Returns the condition in SQL, with its arguments.
  ///
  /// SQLite uses an index of `isDone` for a comparison with a number, but not for `NOT isDone`.
  ///
  /// - Parameter end: the end of today. A todo with an earlier date is due.
  func condition(until end: Date) -> (sql: String, arguments: StatementArguments) {
    switch self {
    case .all: ("isDone = 0", [])
    case .due: ("isDone = 0 AND due < ?", [end])
    case .favourites: ("isDone = 0 AND isFavourite = 1", [])
    case .done: ("isDone = 1", [])
    case .list(let id): ("isDone = 0 AND listID = ?", [id])
    }
  }
}
