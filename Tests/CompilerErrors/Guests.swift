// The feature of Documentation/CompilerErrors.md. Its test inserts each code of the page after the comment that names
// the page's section, here or in NewFile.swift.
import Gangway
import Observation

struct Guest: Codable, Hashable, Identifiable { var id: Int, name: String }

@Observable final class GuestBook { var guests: [Guest] = [] }

@Observable final class GuestForm { var name = "" }

// In a file

@Observable final class GuestsFlow: StackCoordinator {
  enum Route: NavigationRoute { case guests, pick, help }
  let start = Route.guests
  var chosen: Guest?
  // In a coordinator

  func destination(for route: Route) -> Destination {
    switch route {
    case .guests: .screen { router in GuestsScreen(router: router) }
    // In destination(for:)
    default: .nowhere("is not part of the sample")
    }
  }
}

struct GuestsScreen: Screen {
  let router: Router<GuestsFlow>
  let guest = Guest(id: 1, name: "Ada")
  let names = ["Ada", "Grace"]
  // In a screen

  init(router: Router<GuestsFlow>) { self.router = router }

  var body: some Content {
    Text(guest.name)
    // In a body
    // Names from SwiftUI
  }
}

final class PickFlow: StackCoordinator {
  enum Route: NavigationRoute { case all }
  typealias Output = Guest
  let start = Route.all
  func destination(for route: Route) -> Destination { .screen { router in PickScreen(router: router) } }
}

struct PickScreen: Screen {
  let router: Router<PickFlow>
  let guest = Guest(id: 1, name: "Ada")
  var body: some Content {
    Text(guest.name)
    // In a body of a flow with a value
  }
}
