import Foundation
import Gangway

struct TodoScreen: Screen {
  let shelf: Shelf
  let id: Todo.ID
  let router: Router<TodosCoordinator>

  private var todo: Todo? { try? shelf.store?.todo(id) }
  var title: String? { todo?.title ?? "Todo" }

  var body: some Content {
    if let store = shelf.store, let todo {
      if store.isDue(todo.due), !todo.isDone { Banner(.warning, "Overdue") }
      if let due = todo.due { LabeledContent("Due", value: due.forPeople(on: store.today)) }
      if let list = store.lists?.first(where: { $0.id == todo.listID }) { LabeledContent("List", value: list.title) }
      LabeledContent("State", value: todo.isDone ? "done" : "open").badge(todo.isFavourite ? "★" : nil)
      if !todo.note.isEmpty { Text(todo.note) }
      if !store.isSample { actions(todo, store) }
    } else if shelf.store != nil {
      if id < 0 {
        Empty("This sample todo is no longer shown", symbol: "○", text: "Your own todos are here now.") { showAll }
      } else {
        Empty("This todo does not exist", symbol: "○", text: "It was deleted, or belongs to another user.") { showAll }
      }
    } else {
      Progress("Loading your todos")
    }
  }

  private var showAll: some Content {
    Button("Show all") { try await router.coordinator?.router.popToRoot() }
  }

  @ContentBuilder private func actions(_ todo: Todo, _ store: TodoStore) -> ContentGroup {
    Button(todo.isDone ? "Open again" : "Done") { try await store.update(id) { $0.isDone = !todo.isDone } }
      .keyboardShortcut("d")
    Button("Edit") { try await router.show(.edit(id)) }.keyboardShortcut("e")
    Button(todo.isFavourite ? "Remove from favourites" : "Favourite") {
      try await store.update(id) { $0.isFavourite = !todo.isFavourite }
    }
    if !todo.isDone {
      // The order counts among the todos of its list, or among all if it has no list.
      let filter = todo.listID.map(Filter.list) ?? .all
      Menu("Order") {
        Button("Move up") { try await store.move(id, by: -1, in: filter) }
        Button("Move down") { try await store.move(id, by: 1, in: filter) }
      }
    }
    Button("Delete", role: .destructive) {
      try await TodosCoordinator.remove(todo, from: shelf, router)
      try await router.pop()
    }
  }
}

extension Date {
  /// The day and the time in the user's time zone; the year only if it is another one.
  ///
  /// - Parameter today: the beginning of the user's present day.
  func forPeople(on today: Date) -> String {
    let calendar = Calendar.current
    func text(_ format: FormatString) -> String {
      formatted(.verbatim(format, locale: Locale(identifier: "en"), timeZone: .current, calendar: calendar))
    }
    let time = text("\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)")
    let days = calendar.dateComponents(
      [.day], from: today, to: calendar.startOfDay(for: self)
    ).day
    switch days {
    case -1: return "yesterday \(time)"
    case 0: return "today \(time)"
    case 1: return "tomorrow \(time)"
    default: break
    }
    let isThisYear = calendar.component(.year, from: self) == calendar.component(.year, from: today)
    let day = text("\(day: .defaultDigits) \(month: .abbreviated)")
    return isThisYear ? "\(day) \(time)" : "\(day) \(text("\(year: .defaultDigits)")) \(time)"
  }

  private typealias FormatString = Date.FormatString
}
