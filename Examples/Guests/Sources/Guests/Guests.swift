import Gangway

final class GuestsPlugin: Plugin {
  static let id = "guests", version = "1.0.0"

  func register(in registry: Registrar) {
    registry.service { context in GuestBook(file: context.dataFolder.appending(path: "guests.json")) }
    registry.tab(
      "main", title: "Guests", symbol: "☺", label: { (try? $0.service(GuestBook.self))?.label },
      make: { GuestsCoordinator(try $0.service()) })
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(GuestsPlugin.self) }

final class GuestsCoordinator: StackCoordinator {
  enum Route: NavigationRoute { case guests, guest(Guest.ID), edit(Guest) }
  let start = Route.guests
  private let book: GuestBook
  init(_ book: GuestBook) { self.book = book }

  func destination(for route: Route) -> Destination {
    switch route {
    case .guests: .screen { [book] router in GuestsScreen(book: book, router: router) }
    case .guest(let id): .screen(.detail) { [book] router in GuestScreen(id: id, book: book, router: router) }
    case .edit(let guest): .screen(.modal) { [book] in EditScreen(draft: Draft(guest), book: book, router: $0) }
    }
  }
}
