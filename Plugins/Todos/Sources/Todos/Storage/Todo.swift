import Foundation
import GRDB

/// Something to be done.
struct Todo: Codable, Hashable, Sendable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "todo"
  /// The longest title and note that are kept, in characters.
  static let longestTitle = 300
  static let longestNote = 100_000

  private(set) var id: Int64?
  /// Chosen before it is stored: the same one again, after a crash, changes nothing.
  let key: String
  var listID: TodoList.ID?
  var title: String
  var note = ""
  var due: Date?
  var isFavourite = false
  var isDone = false
  /// Among others; the lower one comes first.
  var position: Double = 0

  typealias ID = Int64

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// A list that the person made.
struct TodoList: Codable, Hashable, Sendable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "list"
  typealias ID = Int64
  private(set) var id: Int64?
  let key: String
  var title: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// What others hand over to have something remembered.
struct NewTodo: Codable, Hashable, Sendable {
  var title: String?
  var note: String?
}

/// What a flow that makes a todo ends with.
struct CreatedTodo: Codable, Hashable, Sendable {
  let id: Todo.ID
  let title: String
}

/// Which todos are looked at.
enum Filter: Codable, Hashable, Sendable {
  case all
  case due
  case favourites
  case done
  case list(TodoList.ID)

  static let fixed: [Filter] = [.all, .due, .favourites, .done]

  /// Its word in links.
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
    case .due: "⏱"
    case .favourites: "★"
    case .done: "✓"
    case .list: "▤"
    }
  }

  /// The condition in SQL, and what it needs.
  ///
  /// - Parameter end: the end of today; what has a date before it is due.
  func condition(until end: Date) -> (sql: String, arguments: StatementArguments) {
    switch self {
    case .all: ("NOT isDone", [])
    case .due: ("NOT isDone AND due < ?", [end])
    case .favourites: ("NOT isDone AND isFavourite", [])
    case .done: ("isDone", [])
    case .list(let id): ("NOT isDone AND listID = ?", [id])
    }
  }
}
