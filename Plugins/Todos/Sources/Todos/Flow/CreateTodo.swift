import Foundation
import Gangway
import Observation

/// A flow that creates a todo and finishes with it. Other features show it as `todos.create`, with a draft for the
/// form.
@Observable final class CreateTodo: StackCoordinator {
  enum Route: NavigationRoute {
    case form
    var title: String? { "New todo" }
  }
  typealias Output = CreatedTodo

  /// The key of the new todo, chosen once.
  ///
  /// The host may crash after the todo is stored and before the flow knows it. If the user then presses Save again, the
  /// store finds the todo by its key, and creates no second one.
  struct State: Codable { var key = UUID().uuidString }

  let start = Route.form
  var state = State()
  @ObservationIgnored private let shelf: Shelf
  @ObservationIgnored private let draft: NewTodo

  /// - Parameters:
  ///   - draft: the first content of the form.
  ///   - follows: whether the flow itself follows the signed-in user. For a flow of the tab, its parent does.
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

  /// Stores the todo and finishes the flow.
  func save(_ form: TodoForm) async throws {
    guard let store = shelf.store else { throw TodoError("You are not signed in. Sign in and try again.") }
    var todo = Todo(key: state.key, title: "")
    form.fill(&todo)
    let stored = try await store.add(todo)
    guard let id = stored.id else { return }
    try await router.finish(CreatedTodo(id: id, title: stored.title))
  }
}
