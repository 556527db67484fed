import Gangway

/// Todos with dates and a search. Guests see samples; the todos of a signed-in user are kept.
final class TodosPlugin: Plugin {
  static let id = "todos"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.depends(on: "account", from: "1.0.0")
    registry.uses(place: "account.sign-in", endingWith: "ada")
    registry.uses(service: "account.session", operation: "user")
    // All sessions of the host share one connection for each file.
    registry.service(scope: .host) { context in TodoFiles(folder: context.dataFolder) }
    registry.service { context in Shelf(try context.service(), session: try context.service("account.session")) }
    registry.tab(
      "main", title: "Todos", symbol: "☑", order: 35,
      label: { context in TabLabel(badge: (try? context.service(Shelf.self))?.badge) },
      make: { context in TodosCoordinator(try context.service(), guards: Self.guards(context)) })
    registry.place("create", guards: Self.guards, samples: [NewTodo(title: "Buy milk")]) { (draft: NewTodo, context) in
      CreateTodo(try context.service(), draft)
    }
    registry.link("todos", tab: "main")
    registry.link("todos/:id", samples: [TodoLink(id: 1)]) { (link: TodoLink) in
      TodosCoordinator.Route.todo(link.id)
    } url: { route in
      if case .todo(let id) = route { TodoLink(id: id) } else { nil }
    }
    registry.link("todos/new?title&note", samples: [NewTodo(title: "Buy milk")]) { (draft: NewTodo) in
      TodosCoordinator.Route.create(draft)
    } url: { route in
      if case .create(let draft) = route { draft } else { nil }
    }
    registry.link("todos/lists/:filter", samples: [FilterLink(filter: .all), FilterLink(filter: .done)]) {
      (link: FilterLink) in
      TodosCoordinator.Route.todos(link.filter)
    } url: { route in
      if case .todos(let filter) = route { FilterLink(filter: filter) } else { nil }
    }
  }

  /// Makes users sign in first, and then continues their navigation.
  private static func guards(_ context: PluginContext) -> [NavigationGuard] {
    [
      NavigationGuard("signed-in") { _ in
        let user: String? = try await context.service("account.session").call("user")
        return user == nil ? .redirect(Place("account.sign-in")) : .allow
      }
    ]
  }
}

/// The parameter of `gangway://todos/ID`.
struct TodoLink: Codable { let id: Todo.ID }

/// The parameter of `gangway://todos/lists/FILTER`: `all`, `due`, `favourites`, `done` or a list's number.
struct FilterLink: Codable {
  let filter: Filter

  private enum CodingKeys: String, CodingKey { case filter }

  init(filter: Filter) { self.filter = filter }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let word = try container.decode(String.self, forKey: .filter)
    guard let filter = Filter(word: word) else {
      throw DecodingError.dataCorruptedError(
        forKey: .filter, in: container,
        debugDescription: "'\(word)' is not the number of a list, and not 'all', 'due', 'favourites' or 'done'")
    }
    self.filter = filter
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(filter.word, forKey: .filter)
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(TodosPlugin.self) }
