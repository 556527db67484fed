import Gangway
import Observation

/// The flow of the tab: the sign-in or the account. The root follows the session, even if another feature changes it.
final class AccountCoordinator: StackCoordinator {
  enum Route: NavigationRoute {
    case signIn
    case account
    case newCode

    var title: String? {
      switch self {
      case .signIn: "Sign in"
      case .account: "Account"
      case .newCode: "A new code"
      }
    }
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
    // The flow does not finish here, because the root changes as soon as a user signs in.
    case .signIn: .flow { [session] in SignInFlow(session, ends: false) }
    case .account: .screen { [session] router in AccountScreen(session: session, router: router) }
    case .newCode: .screen(.modal) { [session] router in NewCodeScreen(session: session, router: router) }
    }
  }
}

struct AccountScreen: Screen {
  let session: AccountSession
  let router: Router<AccountCoordinator>

  var body: some Content {
    LabeledContent("Signed in as", value: session.user ?? "nobody")
    Button("New code") { try await router.show(.newCode) }.help(
      "Creates a recovery code, for when you forget your password.")
    Button("Sign out") { try await session.signOut() }
  }
}

struct NewCodeScreen: Screen {
  let session: AccountSession
  let router: Router<AccountCoordinator>
  @Bindable var made = MadeCode()

  @MainActor @Observable final class MadeCode {
    var password = ""
    var code: String?
    var problem: String?
  }

  var body: some Content {
    if let problem = made.problem { Banner(.problem, problem) }
    Form("A new code", submit: "Make a code") {
      TextField("Password", text: $made.password, style: .secure).required()
    } onSubmit: {
      made.problem = nil
      do {
        made.code = try await session.newCode(made.password)
      } catch let error as AccountError {
        made.problem = error.description
      }
    }
    Alert(
      "Your code",
      message: "\(made.code ?? "")\nIf you forget your password, set a new one with this code. Write the code down: "
        + "it is not shown again. Your previous code no longer works.", isPresented: isShown
    ) {
      Button("Close", role: .cancel) { try await router.dismiss() }
    }
  }

  private var isShown: Binding<Bool> {
    Binding {
      made.code != nil
    } set: { [made] in
      if !$0 { made.code = nil }
    }
  }
}
