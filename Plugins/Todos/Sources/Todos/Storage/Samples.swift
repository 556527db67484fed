import Foundation

/// The todos that guests see before they sign in.
///
/// Their ids are negative, so that no link to a sample opens a user's todo.
enum Samples {
  static let lists = [TodoList(id: -1, key: "sample-list", title: "Home")]

  /// - Parameter now: the time that the dates are relative to.
  static func todos(now: Date) -> [Todo] {
    func day(_ offset: Double) -> Date { now.addingTimeInterval(offset * 86_400) }
    func sample(_ id: Todo.ID, _ title: String, _ change: (inout Todo) -> Void = { _ in }) -> Todo {
      var todo = Todo(id: id, key: "sample\(id)", title: title, position: Double(-id))
      change(&todo)
      return todo
    }
    return [
      sample(-1, "Water the plants") { ($0.listID, $0.due) = (-1, day(-0.5)) },
      sample(-2, "Book the train to the coast") { ($0.isFavourite, $0.due) = (true, day(3)) },
      sample(-3, "Read chapter one") { $0.note = "The book is on the desk. Return it to the library afterwards." },
      sample(-4, "Fix the kitchen lamp") { $0.listID = -1 },
      sample(-5, "Renew the library card") { $0.isDone = true },
    ]
  }
}
