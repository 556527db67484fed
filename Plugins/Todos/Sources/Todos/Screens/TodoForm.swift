import Foundation
import Gangway
import Observation

/// The typed content of a todo.
@MainActor @Observable final class TodoForm {
  var title: String
  var note: String
  var hasDue: Bool
  var due: Date
  var isFavourite: Bool
  var list: TodoList.ID?
  @ObservationIgnored private var first: Content?

  /// The values that are saved.
  private struct Content: Equatable {
    var title: String, note: String, due: Date?, isFavourite: Bool, list: TodoList.ID?
  }

  private var content: Content {
    Content(title: title, note: note, due: hasDue ? due : nil, isFavourite: isFavourite, list: list)
  }

  /// Whether leaving the form would lose something.
  var isChanged: Bool { content != first }

  init(_ draft: NewTodo) {
    (title, note, hasDue, isFavourite, list) = (draft.title ?? "", draft.note ?? "", false, false, nil)
    due = Self.tomorrow
    first = content
  }

  init(_ todo: Todo) {
    (title, note, hasDue, isFavourite, list) = (
      todo.title, todo.note, todo.due != nil, todo.isFavourite, todo.listID
    )
    due = todo.due ?? Self.tomorrow
    first = content
  }

  private static var tomorrow: Date {
    let calendar = Calendar.current
    return calendar.date(byAdding: .day, value: 1, to: calendar.startOfDay(for: Date())) ?? Date()
  }

  func fill(_ todo: inout Todo) {
    todo.title = title.trimmingCharacters(in: .whitespacesAndNewlines)
    (todo.note, todo.isFavourite, todo.listID) = (note, isFavourite, list)
    todo.due = hasDue ? due : nil
  }

  var titleProblem: String? { Self.tooLong("title", title, Todo.longestTitle) }
  var noteProblem: String? { Self.tooLong("note", note, Todo.longestNote) }

  private static func tooLong(_ what: String, _ text: String, _ most: Int) -> String? {
    // Count bytes first, because counting the characters of a long text is slow.
    guard text.utf8.count > most, text.count > most else { return nil }
    return "Use at most \(most) characters; this \(what) has \(text.count)."
  }
}

/// The inputs of a todo, in the forms that create and edit one.
struct TodoInputs: Content {
  @Bindable var form: TodoForm
  let lists: [TodoList]

  var body: some Content {
    TextField("Title", text: $form.title).required().rule(form.titleProblem)
    TextField("Note", text: $form.note, style: .multiline).rule(form.noteProblem)
    if !lists.isEmpty {
      Picker("List", selection: $form.list, options: [nil] + lists.map(\.id)) { id in
        lists.first { $0.id == id }?.title ?? "None"
      }
    }
    Toggle("Has a date", isOn: $form.hasDue)
    if form.hasDue { DatePicker("Due", selection: $form.due) }
    Toggle("Favourite", isOn: $form.isFavourite)
  }
}

struct CreateScreen: Screen {
  let flow: CreateTodo
  let shelf: Shelf
  let router: Router<CreateTodo>
  let form: TodoForm

  var body: some Content {
    if let problem = shelf.problem { Banner(.problem, "Could not save", message: problem) }
    Form("New todo", submit: "Save", isDirty: form.isChanged) {
      TodoInputs(form: form, lists: shelf.store?.lists ?? [])
      Button("Cancel", role: .cancel) { try await router.cancel() }
    } onSubmit: {
      try await flow.save(form)
    }
  }
}

struct EditScreen: Screen {
  let flow: EditTodo
  let edited: EditedTodo
  let router: Router<EditTodo>

  private var shelf: Shelf { edited.shelf }

  var body: some Content {
    if let form = edited.form {
      if let problem = shelf.problem { Banner(.problem, "Could not save", message: problem) }
      Form("Edit", submit: "Save", isDirty: form.isChanged) {
        TodoInputs(form: form, lists: shelf.store?.lists ?? [])
        cancel
      } onSubmit: {
        try await flow.save(form)
      }
    } else {
      if shelf.store == nil {
        Progress("Loading your todos")
      } else {
        Empty("This todo does not exist", symbol: "○", text: "It was deleted, or belongs to another user.")
      }
      cancel
    }
  }

  private var cancel: some Content { Button("Cancel", role: .cancel) { try await router.cancel() } }
}
