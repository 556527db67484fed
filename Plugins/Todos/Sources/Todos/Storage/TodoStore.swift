import Foundation
import GRDB
import Observation

/// The stores of the host, one for each file, so that each session sees the changes of the others.
@MainActor final class TodoFiles {
  private let folder: URL
  private var stores: [String: TodoStore] = [:]
  /// The todos that guests see. Nobody can change them.
  private(set) lazy var samples = TodoStore(TodoDatabase(samples: Samples.todos(now: Date()), in: Samples.lists))

  init(folder: URL) { self.folder = folder }

  /// Returns the todos of a user, which have their own file.
  func store(of user: String) -> TodoStore {
    // A name may contain any character. A name in another case is the same user.
    let allowed = CharacterSet.alphanumerics.union(["-", "_"])
    let name = user.lowercased().addingPercentEncoding(withAllowedCharacters: allowed) ?? "todos"
    if let store = stores[name] { return store }
    let store = TodoStore(TodoDatabase(path: folder.appending(path: "\(name).sqlite").path))
    stores[name] = store
    return store
  }
}

/// One user's todos, for screens to observe.
///
/// Long reads run in the background. A visible row is read when it is rendered, which takes some ten microseconds.
@MainActor @Observable final class TodoStore {
  /// The lists in order; nil before the first read.
  private(set) var lists: [TodoList]?
  /// The number of todos for each filter.
  private(set) var counts: [Filter: Int] = [:]
  /// The beginning of the present day, for dates such as "tomorrow".
  private(set) var today: Date
  /// A number that rises with each change.
  private(set) var version = 0
  /// Whether these are the samples for guests.
  var isSample: Bool { database.isSample }
  /// The problem with the file, for the user.
  var problem: String? { database.problem?.description }

  @ObservationIgnored let database: TodoDatabase
  @ObservationIgnored private let now: () -> Date
  @ObservationIgnored private var rows: [Todo.ID: Todo] = [:]

  /// - Parameter now: returns the time that decides what is due.
  init(_ database: TodoDatabase, now: @escaping () -> Date = { Date() }) {
    self.database = database
    self.now = now
    today = Calendar.current.startOfDay(for: now())
  }

  // MARK: Reading

  /// Reads the lists and the numbers of todos.
  func refresh() async throws {
    let (end, today) = (endOfToday, Calendar.current.startOfDay(for: now()))
    if today != self.today { self.today = today }
    let (lists, counts) = try await database.read { database in
      let lists = try TodoList.order(Column("id")).fetchAll(database)
      var counts: [Filter: Int] = [:]
      for filter in Filter.fixed + lists.compactMap({ $0.id.map(Filter.list) }) {
        let (sql, arguments) = filter.condition(until: end)
        counts[filter] = try Int.fetchOne(
          database, sql: "SELECT COUNT(*) FROM todo WHERE \(sql)", arguments: arguments)
      }
      return (lists, counts)
    }
    if self.lists != lists { self.lists = lists }
    if self.counts != counts { self.counts = counts }
  }

  /// The most results of a search.
  nonisolated static let longestSearch = 1_000

  /// Returns the todos of a filter in order; with a search, those that have every word or begin one with it.
  func ids(_ filter: Filter, search: String = "") async throws -> [Todo.ID] {
    let (condition, arguments) = filter.condition(until: endOfToday)
    let order = filter == .due ? "due" : "position"
    let isSearch = search.contains { !$0.isWhitespace }
    return try await database.read { database in
      guard isSearch else {
        return try Int64.fetchAll(
          database, sql: "SELECT id FROM todo WHERE \(condition) ORDER BY \(order)", arguments: arguments)
      }
      // A search without a word in it, such as a full stop, finds no todo.
      guard let pattern = FTS5Pattern(matchingAllPrefixesIn: search) else { return [] }
      return try Int64.fetchAll(
        database,
        sql: """
          SELECT todo.id FROM todoText CROSS JOIN todo ON todo.id = todoText.rowid
          WHERE todoText MATCH ? AND \(condition) LIMIT \(Self.longestSearch)
          """,
        arguments: [pattern] + arguments)
    }
  }

  /// The number of todos that one read returns, and the most that are kept in memory.
  private static let (todosAtOnce, mostRows) = (200, 5_000)

  /// Returns a todo, if it exists.
  ///
  /// - Parameter ids: the ids of the list that shows the todo. The next ones are read, too, because a list shows many.
  func todo(_ id: Todo.ID, in ids: [Todo.ID] = []) throws -> Todo? {
    _ = version
    if let todo = rows[id] { return todo }
    if rows.count > Self.mostRows { rows = [:] }
    let index = ids.firstIndex(of: id)
    let wanted = index.map { ids[$0..<min($0 + Self.todosAtOnce, ids.count)] } ?? [id]
    for todo in try database.look({ try Todo.fetchAll($0, keys: wanted) }) {
      if let id = todo.id { rows[id] = todo }
    }
    return rows[id]
  }

  private var endOfToday: Date {
    let calendar = Calendar.current
    return calendar.date(byAdding: .day, value: 1, to: calendar.startOfDay(for: now())) ?? now()
  }

  /// Returns whether a date is before the end of today.
  func isDue(_ date: Date?) -> Bool { date.map { $0 < endOfToday } ?? false }

  // MARK: Writing

  /// Adds a todo at the end. An existing todo with the same key stays as it is.
  func add(_ new: Todo) async throws -> Todo {
    try await change { database in
      if let same = try Todo.filter(Column("key") == new.key).fetchOne(database) { return same }
      var todo = new
      if todo.position == 0 {
        todo.position = 1 + (try Double.fetchOne(database, sql: "SELECT MAX(position) FROM todo") ?? 0)
      }
      try todo.insert(database)
      return todo
    }
  }

  /// Stores a todo in its current state.
  ///
  /// - Throws: ``TodoError`` if the todo is gone.
  func update(_ todo: Todo) async throws {
    try await change { database in
      guard try todo.exists(database) else { throw Self.gone(todo.title) }
      try todo.update(database)
    }
  }

  /// Changes a todo in the file, so that changes of other fields from other sessions stay.
  func update(_ id: Todo.ID, _ change: @escaping @Sendable (inout Todo) -> Void) async throws {
    try await self.change { database in
      guard var todo = try Todo.fetchOne(database, key: id) else { throw Self.gone(nil) }
      change(&todo)
      try todo.update(database)
    }
  }

  func remove(_ id: Todo.ID) async throws {
    _ = try await change { try Todo.deleteOne($0, key: id) }
  }

  /// Moves a todo to the place of its neighbour in a filter.
  ///
  /// - Parameter offset: -1 for up, 1 for down. Nothing happens at the ends.
  func move(_ id: Todo.ID, by offset: Int, in filter: Filter) async throws {
    let (condition, arguments) = filter.condition(until: endOfToday)
    let (before, order) = offset < 0 ? ("<", "DESC") : (">", "ASC")
    try await change { database in
      guard var todo = try Todo.fetchOne(database, key: id) else { throw Self.gone(nil) }
      let around = try Double.fetchAll(
        database,
        sql: "SELECT position FROM todo WHERE \(condition) AND position \(before) ? ORDER BY position \(order) LIMIT 2",
        arguments: arguments + [todo.position])
      guard let neighbour = around.first else { return }
      todo.position = around.count == 2 ? (neighbour + around[1]) / 2 : neighbour + Double(offset)
      try todo.update(database)
    }
  }

  /// Adds a list. An existing list with the same key stays as it is.
  func addList(_ title: String, key: String) async throws -> TodoList {
    try await change { database in
      if let same = try TodoList.filter(Column("key") == key).fetchOne(database) { return same }
      var list = TodoList(key: key, title: title)
      try list.insert(database)
      return list
    }
  }

  func rename(_ list: TodoList, _ title: String) async throws {
    try await change { database in
      var list = list
      list.title = title
      try list.update(database)
    }
  }

  /// Removes a list with all its todos.
  func remove(_ list: TodoList) async throws {
    _ = try await change { try list.delete($0) }
  }

  private func change<Value: Sendable>(_ update: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    let value = try await database.write(update)
    rows = [:]
    version += 1
    try await refresh()
    return value
  }

  nonisolated private static func gone(_ title: String?) -> TodoError {
    TodoError("\(title.map { "'\($0)'" } ?? "This todo") was deleted in the meantime. Create it again.")
  }
}
