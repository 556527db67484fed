import Foundation
import Gangway
import Observation

/// Makes a todo and ends with it; others show it as `todos.create`, with what the form holds at first.
@Observable final class CreateTodo: StackCoordinator {
  enum Route: NavigationRoute {
    case form
    var title: String? { "New todo" }
  }
  typealias Output = CreatedTodo

  /// The key is chosen once. Should the host die after the todo was stored and before that was known, pressing Save again
  /// finds it under its key, and does not make a second one.
  struct State: Codable { var key = UUID().uuidString }

  let start = Route.form
  var state = State()
  @ObservationIgnored private let shelf: Shelf
  @ObservationIgnored private let draft: NewTodo

  /// - Parameters:
  ///   - draft: what the form holds at first.
  ///   - follows: whether it follows who is signed in by itself; a flow of the tab has that done by its parent.
  init(_ shelf: Shelf, _ draft: NewTodo, follows: Bool = true) {
    self.shelf = shelf
    self.draft = draft
    if follows { work { flow in try await flow.shelf.follow() } }
  }

  func destination(for route: Route) -> Destination {
    .screen { [shelf, draft] router in
      CreateScreen(flow: self, shelf: shelf, router: router, form: TodoForm(draft))
    }
  }

  /// Stores the todo, and ends.
  func save(_ form: TodoForm) async throws {
    guard let store = shelf.store else { throw TodoError("Nobody is signed in.") }
    var todo = Todo(key: state.key, title: "")
    form.fill(&todo)
    let stored = try await store.add(todo)
    guard let id = stored.id else { return }
    try await router.finish(CreatedTodo(id: id, title: stored.title))
  }
}
