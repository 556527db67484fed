import Foundation
import Gangway
import Observation

/// The todos of a filter, as last read.
@MainActor @Observable final class Todos {
  var search = ""
  /// The ids in order; nil before the first read.
  private(set) var ids: [Todo.ID]?
  private(set) var problem: String?
  let filter: Filter
  let shelf: Shelf

  init(_ shelf: Shelf, _ filter: Filter) {
    self.shelf = shelf
    self.filter = filter
  }

  /// The inputs of a read. A change of them starts a new read.
  struct Key: Hashable {
    let store: ObjectIdentifier?
    let version: Int
    let search: String
  }
  var key: Key {
    Key(store: shelf.store.map(ObjectIdentifier.init), version: shelf.store?.version ?? 0, search: search)
  }

  func read() async {
    guard let store = shelf.store else { return }
    do {
      let found = try await store.ids(filter, search: search)
      // The user typed another letter meanwhile, and its own read follows.
      guard !Task.isCancelled else { return }
      if ids != found { ids = found }
      problem = nil
    } catch is CancellationError {
    } catch {
      problem = "\(error)"
    }
  }

  var title: String {
    guard case .list(let id) = filter else { return filter.title }
    return shelf.store?.lists?.first { $0.id == id }?.title ?? "List"
  }
}

struct TodosScreen: Screen {
  @Bindable var todos: Todos
  let router: Router<TodosCoordinator>

  var title: String? { todos.title }

  var body: some Content {
    if let problem = todos.problem { Banner(.problem, "Could not read your todos", message: problem) }
    if let store = todos.shelf.store {
      found(store).searchable(text: $todos.search)
        .onBack(isEnabled: !todos.search.isEmpty) { todos.search = "" }
        .task(id: todos.key) { await todos.read() }
    } else {
      Progress("Loading your todos")
    }
  }

  @ContentBuilder private func found(_ store: TodoStore) -> ContentGroup {
    // Before the list, so that it is in sight however many todos there are.
    Toolbar { Button("New todo") { try await router.show(.create(NewTodo())) }.keyboardShortcut("n") }
    if let ids = todos.ids {
      if !ids.isEmpty {
        List(ids, id: \.self) { id in
          if let todo = try? store.todo(id, in: ids) {
            TodoRow(todo: todo, id: id, shelf: todos.shelf, store: store, router: router)
          }
        }
        .id("todos")
      } else if todos.search.isEmpty {
        Empty("No todos", symbol: todos.filter.symbol, text: todos.filter.emptyText)
      } else {
        Empty("No results", symbol: "⌕", text: "No todo matches '\(todos.search)'.")
      }
      if !todos.search.isEmpty, ids.count == TodoStore.longestSearch {
        Text("The first \(ids.count) are shown. Type more to narrow the list.")
      }
    } else {
      Progress("Reading")
    }
  }
}

struct TodoRow: Content {
  let todo: Todo
  let id: Todo.ID
  let shelf: Shelf
  let store: TodoStore
  let router: Router<TodosCoordinator>

  var body: some Content {
    Row(todo.title, detail: todo.due.map { detail($0) }, to: .todo(id), in: router)
      .symbol(todo.isDone ? "✓" : "○").badge(todo.isFavourite ? "★" : nil)
      .actions {
        if !store.isSample {
          let (isDone, isFavourite) = (todo.isDone, todo.isFavourite)
          Button(isDone ? "Open again" : "Done") { try await store.update(id) { $0.isDone = !isDone } }
          Button(isFavourite ? "Remove from favourites" : "Favourite") {
            try await store.update(id) { $0.isFavourite = !isFavourite }
          }
          Button("Delete", role: .destructive) { try await TodosCoordinator.remove(todo, from: shelf, router) }
        }
      }
  }

  private func detail(_ due: Date) -> String {
    "due \(due.forPeople(on: store.today))\(store.isDue(due) && !todo.isDone ? " !" : "")"
  }
}
