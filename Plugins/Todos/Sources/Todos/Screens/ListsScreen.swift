import Foundation
import Gangway
import Observation

struct ListsScreen: Screen {
  let shelf: Shelf
  let router: Router<TodosCoordinator>
  @Bindable var question = Question()

  /// The question whether to delete a list.
  @MainActor @Observable final class Question {
    var isAsked = false
    var about: TodoList?
    /// The todos of the user who was asked. The list of another user may have the same id.
    var store: TodoStore?
  }

  var body: some Content {
    if let problem = shelf.problem { Banner(.problem, "Some todos could not be read", message: problem) }
    if let store = shelf.store {
      if store.isSample { SamplesBanner(router: router) }
      List(Filter.fixed, id: \.self) { filter in
        Row(filter.title, to: .todos(filter), in: router)
          .symbol(filter.symbol).badge(store.counts[filter] ?? 0)
      }
      .id("filters")
      if let lists = store.lists, !lists.isEmpty {
        Section("Lists") {
          List(lists, id: \.key) { list in
            if let id = list.id { row(list, id, store) }
          }
          .id("lists")
        }
      }
      Toolbar {
        // A list of todos beside this screen has the same button.
        if !router.showsTodos {
          Button("New todo") { try await router.show(.create(NewTodo())) }.keyboardShortcut("n")
        }
        Button("New list") { try await router.show(.newList) }
      }
      Confirmation(
        "Delete '\(question.about?.title ?? "")'?", message: "This also deletes the todos in the list.",
        isPresented: question.store === store ? $question.isAsked : .constant(false), button: "Delete the list"
      ) {
        if let list = question.about, question.store === store { try await store.remove(list) }
      }
    } else {
      Progress("Loading your todos")
    }
  }

  private func row(_ list: TodoList, _ id: TodoList.ID, _ store: TodoStore) -> some Content {
    Row(list.title, to: .todos(.list(id)), in: router)
      .symbol(Filter.list(id).symbol).badge(store.counts[.list(id)] ?? 0)
      .actions {
        if !store.isSample {
          Button("Rename") { try await router.show(.renameList(list)) }
          Button("Delete", role: .destructive) {
            (question.about, question.store, question.isAsked) = (list, store, true)
          }
        }
      }
  }
}

/// Tells a guest that the todos are samples, and offers to sign in.
struct SamplesBanner: Content {
  let router: Router<TodosCoordinator>

  var body: some Content {
    Banner(.information, "These todos are samples", message: "Sign in to keep your own.") {
      Button("Sign in") { try await router.show(Place("account.sign-in"), style: .modal) }
    }
  }
}

/// The form for the name of a new list, or for a new name.
struct ListScreen: Screen {
  let shelf: Shelf
  let router: Router<TodosCoordinator>
  var key = ""
  var list: TodoList?
  @Bindable var name: Name

  @MainActor @Observable final class Name {
    var text: String
    init(_ text: String) { self.text = text }
  }

  init(shelf: Shelf, router: Router<TodosCoordinator>, key: String) {
    (self.shelf, self.router, self.key, name) = (shelf, router, key, Name(""))
  }

  init(shelf: Shelf, router: Router<TodosCoordinator>, list: TodoList) {
    (self.shelf, self.router, self.list, name) = (shelf, router, list, Name(list.title))
  }

  var body: some Content {
    Form(list == nil ? "New list" : "Rename", submit: "Save") {
      TextField("Name", text: $name.text).required()
        .rule(name.text.count > 100 ? "Use at most 100 characters; this name has \(name.text.count)." : nil)
      Button("Cancel", role: .cancel) { try await router.dismiss() }
    } onSubmit: {
      guard let store = shelf.store else { throw TodoError("You are not signed in. Sign in and try again.") }
      if let list {
        try await store.rename(list, name.text)
        try await router.dismiss()
      } else {
        let made = try await store.addList(name.text, key: key)
        try await router.dismiss()
        if let id = made.id { try await router.coordinator?.router.show(.todos(.list(id))) }
      }
    }
  }
}
