import Gangway
import Observation

/// A flow that edits a todo and finishes with the changed one.
final class EditTodo: StackCoordinator {
  enum Route: NavigationRoute {
    case form
    var title: String? { "Edit" }
  }
  typealias Output = CreatedTodo

  let start = Route.form
  private let shelf: Shelf
  private let id: Todo.ID

  init(_ shelf: Shelf, _ id: Todo.ID) {
    self.shelf = shelf
    self.id = id
  }

  func destination(for route: Route) -> Destination {
    .screen { [shelf, id] router in
      EditScreen(flow: self, edited: EditedTodo(shelf, id), router: router)
    }
  }

  /// Stores the changes and finishes the flow.
  func save(_ form: TodoForm) async throws {
    guard let store = shelf.store else { throw TodoError("You are not signed in. Sign in and try again.") }
    var changed = Todo(key: "", title: "")
    form.fill(&changed)
    // Other fields, such as the position, may have changed meanwhile.
    try await store.update(id) { [changed] todo in
      (todo.title, todo.note, todo.due) = (changed.title, changed.note, changed.due)
      (todo.isFavourite, todo.listID) = (changed.isFavourite, changed.listID)
    }
    try await router.finish(CreatedTodo(id: id, title: changed.title))
  }
}

/// The todo that a form edits. After a restart, the form is there before the user's todos are.
@MainActor final class EditedTodo {
  let shelf: Shelf
  private let id: Todo.ID
  private var made: TodoForm?

  init(_ shelf: Shelf, _ id: Todo.ID) {
    self.shelf = shelf
    self.id = id
  }

  /// The form, made from the todo at the first call that finds it; nil if there is no such todo.
  var form: TodoForm? {
    if made == nil { made = (try? shelf.store?.todo(id)).map(TodoForm.init) }
    return made
  }
}
