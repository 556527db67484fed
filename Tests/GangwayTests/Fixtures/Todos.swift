@_spi(FrontEnd) import Gangway
import Observation

/// The feature in the "author's view" of the design.
struct Todo: Codable, Hashable, Identifiable, Sendable {
  let id: Int
  var title: String
}

@MainActor @Observable final class TodoStore {
  private(set) var open: [Todo] = []
  init(_ titles: [String] = []) {
    for title in titles { add(title) }
  }
  static func inMemory() -> TodoStore { TodoStore() }
  @discardableResult func add(_ title: String) -> Todo {
    let todo = Todo(id: open.count + 1, title: title)
    open.append(todo)
    return todo
  }
}

@MainActor final class TodosCoordinator: StackCoordinator {
  enum Route: NavigationRoute { case list, detail(Todo.ID), create }
  let start = Route.list
  let store: TodoStore
  init(store: TodoStore) { self.store = store }

  func destination(for route: Route) -> Destination {
    switch route {
    case .list: .screen { router in TodoList(store: self.store, router: router) }
    case .detail(let id): .flow { TodoDetail(id) }
    case .create:
      .flow(.modal) {
        CreateTodo(self.store)
      } onFinish: { [router] todo in
        try await router.show(.detail(todo.id))
      }
    }
  }
}

struct TodoList: Screen {
  let store: TodoStore
  let router: Router<TodosCoordinator>
  var body: some Content {
    List(store.open) { todo in Link(todo.title, to: .detail(todo.id), in: router) }
    if store.open.isEmpty { Text("Nothing to do") }
    Button("New") { try await router.show(.create) }
  }
}

@MainActor final class TodoDetail: StackCoordinator {
  enum Route: NavigationRoute { case todo(Todo.ID) }
  let start: Route
  init(_ id: Todo.ID) { start = .todo(id) }
  func destination(for route: Route) -> Destination {
    switch route {
    case .todo(let id): .screen { DetailScreen(id: id) }
    }
  }
}

struct DetailScreen: Screen {
  let id: Int
  var body: some Content { Text("Todo number \(id)") }
}

@MainActor @Observable final class Draft {
  var title = ""
  var isSecret = false
  var passphrase = ""
}

@MainActor final class CreateTodo: StackCoordinator {
  enum Route: NavigationRoute { case form }
  typealias Output = Todo
  let start = Route.form
  let store: TodoStore
  init(_ store: TodoStore) { self.store = store }
  func destination(for route: Route) -> Destination {
    .screen { router in CreateForm(store: self.store, router: router) }
  }
}

struct CreateForm: Screen {
  let store: TodoStore
  let router: Router<CreateTodo>
  @Bindable var draft = Draft()
  var body: some Content {
    TextField("Title", text: $draft.title)
    Toggle("Secret", isOn: $draft.isSecret)
    if draft.isSecret { TextField("Passphrase", text: $draft.passphrase, style: .secure) }
    Button("Save") { try await router.finish(store.add(draft.title)) }
    Button("Cancel", role: .cancel) { try await router.cancel() }
  }
}
