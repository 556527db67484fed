import Gangway

/// The tab: the sign-in, or what there is of the account. Which of both follows the session, wherever it changed.
final class AccountCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case signIn
    case account

    var title: String? { self == .signIn ? "Sign in" : "Account" }
  }

  let start: Route
  private let session: AccountSession

  init(_ session: AccountSession) {
    self.session = session
    start = session.user == nil ? .signIn : .account
    work { flow in
      for await user in session.users { _ = try await flow.router.root(user == nil ? .signIn : .account) }
    }
  }

  func destination(for route: Route) -> Destination {
    switch route {
    // It does not end here: the root is another one as soon as somebody is signed in.
    case .signIn: .flow { [session] in SignInFlow(session, ends: false) }
    case .account: .screen { [session] router in AccountScreen(session: session, router: router) }
    }
  }
}

struct AccountScreen: Screen {
  let session: AccountSession
  let router: Router<AccountCoordinator>

  var body: some Content {
    LabeledContent("Signed in as", value: session.user ?? "nobody")
    Button("Sign out") { try await session.signOut() }
  }
}
