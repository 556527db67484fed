import Gangway
import Observation

/// A flow that signs in, registers, or replaces a forgotten password, and finishes with the name of the user.
///
/// Other features show it as `account.sign-in`. After a guard's redirect, the user's navigation continues.
@Observable final class SignInFlow: StackCoordinator {
  enum Route: NavigationRoute {
    case signIn
    case register
    case forgotten
    case code

    var title: String? {
      switch self {
      case .signIn: "Sign in"
      case .register: "Register"
      case .forgotten: "Forgotten password"
      case .code: "Your code"
      }
    }
  }
  typealias Output = String

  /// The problem of the last try with its screen, which is restored after a restart.
  struct State: Codable {
    var problem: String?
    var place: Route?

    /// Returns the problem of the last try on a screen.
    func problem(on route: Route) -> String? { place == route ? problem : nil }
  }

  let start = Route.signIn
  var state = State()
  /// The new code with its input, which do not outlive the host.
  private(set) var made: Made?
  @ObservationIgnored let session: AccountSession
  @ObservationIgnored private let ends: Bool

  struct Made {
    let code: String
    let name: String
    let password: String
  }

  /// - Parameter ends: whether the flow finishes after a sign-in.
  init(_ session: AccountSession, ends: Bool = true) {
    self.session = session
    self.ends = ends
  }

  func destination(for route: Route) -> Destination {
    switch route {
    case .signIn: .screen { router in SignInScreen(flow: self, router: router) }
    case .register: .screen { RegisterScreen(flow: self) }
    case .forgotten: .screen(.modal) { ForgottenScreen(flow: self) }
    case .code: .screen { router in CodeScreen(flow: self, router: router) }
    }
  }

  /// Signs in, and finishes the flow if it ends.
  func signIn(_ name: String, _ password: String, on route: Route) async throws {
    try await attempt(route) {
      try await session.signIn(name, password)
      if ends, let user = session.user { try await router.finish(user) }
    }
  }

  /// Makes an account or replaces a password, and shows the code for it.
  func make(
    _ name: String, _ password: String, on route: Route, _ make: (String, String) async throws -> String
  ) async throws {
    try await attempt(route) {
      made = Made(code: try await make(name, password), name: name, password: password)
      try await router.show(.code)
    }
  }

  /// Runs an action, and keeps the reason of a failure until the next try.
  private func attempt(_ route: Route, _ action: () async throws -> Void) async throws {
    (state.problem, state.place) = (nil, route)
    do { try await action() } catch let error as AccountError { state.problem = error.description }
  }
}

/// The typed input. Checkpoints contain no secrets, so the user types them again after a restart.
@MainActor @Observable final class Credentials {
  var name = ""
  var password = ""
  var repeated = ""
  var code = ""

  var nameProblem: String? {
    name.count > 40 ? "Use at most 40 characters; this name has \(name.count)." : nil
  }
  var passwordProblem: String? {
    if password.count < 8 { return "Use at least 8 characters." }
    return password.utf8.count > 1_000 ? "Use at most 1,000 characters." : nil
  }
  var repeatedProblem: String? { repeated == password ? nil : "The passwords don't match." }
}

/// The problems of the accounts and of the last try.
struct Problems: Content {
  let flow: SignInFlow
  let route: SignInFlow.Route

  var body: some Content {
    if let problem = flow.session.problem { Banner(.problem, "Sign-in is not possible", message: problem) }
    if let problem = flow.state.problem(on: route) { Banner(.problem, problem) }
  }
}

struct SignInScreen: Screen {
  let flow: SignInFlow
  let router: Router<SignInFlow>
  @Bindable var credentials = Credentials()

  var body: some Content {
    Problems(flow: flow, route: .signIn)
    Form("Sign in", submit: "Sign in") {
      TextField("Name", text: $credentials.name).required()
      TextField("Password", text: $credentials.password, style: .secure).required()
    } onSubmit: {
      try await flow.signIn(credentials.name, credentials.password, on: .signIn)
      // After a failure, the user may correct one letter.
      if flow.state.problem == nil { credentials.password = "" }
    }
    Button("Register") { try await router.show(.register) }
    Button("I forgot my password") { try await router.show(.forgotten) }
  }
}

struct RegisterScreen: Screen {
  let flow: SignInFlow
  @Bindable var credentials = Credentials()

  var body: some Content {
    Problems(flow: flow, route: .register)
    Form("Register", submit: "Register") {
      TextField("Name", text: $credentials.name).required().rule(credentials.nameProblem)
      TextField("Password", text: $credentials.password, style: .secure)
        .rule(credentials.passwordProblem).help("At least 8 characters.")
      TextField("Password again", text: $credentials.repeated, style: .secure).rule(credentials.repeatedProblem)
    } onSubmit: {
      try await flow.make(credentials.name, credentials.password, on: .register) {
        try await flow.session.register($0, $1)
      }
    }
  }
}

struct ForgottenScreen: Screen {
  let flow: SignInFlow
  @Bindable var credentials = Credentials()

  var body: some Content {
    Text("Enter the recovery code that you wrote down last.")
    Problems(flow: flow, route: .forgotten)
    Form("Reset password", submit: "Replace") {
      TextField("Name", text: $credentials.name).required()
      TextField("Code", text: $credentials.code, style: .secure).required()
      TextField("New password", text: $credentials.password, style: .secure).rule(credentials.passwordProblem)
      TextField("New password again", text: $credentials.repeated, style: .secure).rule(credentials.repeatedProblem)
    } onSubmit: {
      let code = credentials.code
      try await flow.make(credentials.name, credentials.password, on: .forgotten) {
        try await flow.session.recover($0, code: code, password: $1)
      }
    }
  }
}

/// The code that replaces a password. It is in no checkpoint, so a restart loses it.
struct CodeScreen: Screen {
  let flow: SignInFlow
  let router: Router<SignInFlow>
  @Bindable var code = ShownCode()

  var body: some Content {
    Problems(flow: flow, route: .code)
    Banner(.success, "Your password is set")
    Text(
      "If you forget your password, use your recovery code to set a new one. "
        + "Write the code down: it is not shown again.")
    Button("Show the code") { code.isShown = true }
    Alert(
      flow.made == nil ? "The code cannot be shown again" : "Your code",
      message: flow.made?.code ?? "Sign in and get a new code in the Account tab.", isPresented: $code.isShown)
    Button("Sign in") {
      if let made = flow.made {
        try await flow.signIn(made.name, made.password, on: .code)
      } else {
        try await router.popToRoot()
      }
    }
  }
}

/// Whether the code is on the screen.
@MainActor @Observable final class ShownCode { var isShown = false }
