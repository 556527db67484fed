import Foundation
import Gangway
import Observation

/// The flow of the tab: lists, the todos of one list, and one todo, side by side if there is room.
@Observable final class TodosCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case lists
    case todos(Filter)
    case todo(Todo.ID)
    case create(NewTodo)
    case edit(Todo.ID)
    case newList
    case renameList(TodoList)

    var title: String? {
      switch self {
      case .lists: "Todos"
      case .todos(let filter): filter.title
      case .todo: "Todo"
      case .create: "New todo"
      case .edit: "Edit"
      case .newList: "New list"
      case .renameList: "Rename"
      }
    }

    /// Whether the route belongs to an account. Samples have negative ids.
    var needsUser: Bool {
      switch self {
      case .lists: false
      case .todos(.list(let id)), .todo(let id): id > 0
      case .todos: false
      case .create, .edit, .newList, .renameList: true
      }
    }
  }

  /// The user whose todos the stack shows. After a sign-out, nobody must see them, nor what the user searched for.
  struct State: Codable { var user: String? }

  let start = Route.lists
  var state = State()
  @ObservationIgnored let shelf: Shelf
  @ObservationIgnored private let userGuards: [NavigationGuard]

  /// - Parameter guards: guards that make users sign in, for routes that belong to an account.
  init(_ shelf: Shelf, guards: [NavigationGuard]) {
    self.shelf = shelf
    userGuards = guards
    work { flow in
      try await flow.shelf.follow { user in
        let before = flow.state.user
        flow.state.user = user
        if let before, before != user { _ = try? await flow.router.popToRoot() }
      }
    }
    // Time alone makes more todos due.
    work { flow in
      while true {
        try await Task.sleep(for: .seconds(60))
        await flow.shelf.refresh()
      }
    }
  }

  func guards(for route: Route) -> [NavigationGuard] { route.needsUser ? userGuards : [] }

  func destination(for route: Route) -> Destination {
    switch route {
    case .lists: .screen { [shelf] router in ListsScreen(shelf: shelf, router: router) }
    case .todos(let filter):
      .screen(.detail) { [shelf] router in TodosScreen(todos: Todos(shelf, filter), router: router) }
    case .todo(let id): .screen(.detail) { [shelf] router in TodoScreen(shelf: shelf, id: id, router: router) }
    case .create(let draft):
      .flow(.modal) {
        CreateTodo(self.shelf, draft, follows: false)
      } onFinish: { [router] todo in
        try await router.show(.todo(todo.id))
      }
    case .edit(let id):
      .flow(.modal) {
        EditTodo(self.shelf, id)
      } onFinish: { [router] todo in
        router.tell("'\(todo.title)' was saved.")
      }
    case .newList:
      .screen(.modal) { [shelf] router in ListScreen(shelf: shelf, router: router, key: UUID().uuidString) }
    case .renameList(let list):
      .screen(.modal) { [shelf] router in ListScreen(shelf: shelf, router: router, list: list) }
    }
  }

  /// Removes a todo, and offers to undo that as long as the user is signed in.
  static func remove(_ todo: Todo, from shelf: Shelf, _ router: Router<TodosCoordinator>) async throws {
    guard let id = todo.id, let store = shelf.store else { return }
    try await store.remove(id)
    router.tell("'\(todo.title)' was deleted.") {
      guard shelf.store === store else { throw TodoError("This todo belongs to a user who has signed out.") }
      _ = try await store.add(todo)
    }
  }
}

extension Router where C == TodosCoordinator {
  /// Whether a list of todos is on the stack.
  var showsTodos: Bool {
    path.contains { route in
      if case .todos = route { true } else { false }
    }
  }
}
