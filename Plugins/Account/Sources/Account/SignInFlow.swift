import Gangway
import Observation

/// Signs in, registers, or replaces a forgotten password, and ends with the name of who is signed in.
///
/// Others lead to it as `account.sign-in`: a guard's redirect, and what the person wanted goes on afterwards.
final class SignInFlow: StackCoordinator {
  enum Route: NavigationRoute {
    case signIn
    case register
    case forgotten

    var title: String? {
      switch self {
      case .signIn: "Sign in"
      case .register: "Register"
      case .forgotten: "Forgotten password"
      }
    }
  }
  typealias Output = String

  let start = Route.signIn
  private let session: AccountSession
  private let ends: Bool

  /// - Parameter ends: whether the flow goes once somebody is signed in.
  init(_ session: AccountSession, ends: Bool = true) {
    self.session = session
    self.ends = ends
  }

  func destination(for route: Route) -> Destination {
    switch route {
    case .signIn: .screen { [session] router in SignInScreen(flow: self, session: session, router: router) }
    case .register: .screen { [session] in RegisterScreen(flow: self, session: session) }
    case .forgotten: .screen(.modal) { [session] in ForgottenScreen(flow: self, session: session) }
    }
  }

  /// Signs in who has proved to be somebody, and ends the flow, where it is one that ends.
  func end(_ signIn: () async throws -> Void) async throws {
    try await signIn()
    if ends, let user = session.user { try await router.finish(user) }
  }
}

/// What is typed. Secrets are in no checkpoint: after a restart they are typed again.
@MainActor @Observable final class Credentials {
  var name = ""
  var password = ""
  var repeated = ""
  var code = ""
  var problem: String?
  /// The code that was made, to be written down before the flow goes on.
  var made: String?

  /// Does something, and keeps why it failed, beside the form and until the next try.
  func attempt(_ action: () async throws -> Void) async throws {
    problem = nil
    do { try await action() } catch let error as AccountError { problem = error.description }
  }

  var nameProblem: String? {
    name.count > 40 ? "A name has at most 40 characters; this one has \(name.count)." : nil
  }
  var passwordProblem: String? {
    if password.count < 8 { return "A password has at least 8 characters." }
    return password.utf8.count > 1_000 ? "A password has at most 1,000 characters." : nil
  }
  var repeatedProblem: String? { repeated == password ? nil : "This is another one." }
}

struct SignInScreen: Screen {
  let flow: SignInFlow
  let session: AccountSession
  let router: Router<SignInFlow>
  @Bindable var credentials = Credentials()

  var body: some Content {
    if let problem = session.problem { Banner(.problem, "Nobody can sign in", message: problem) }
    if let problem = credentials.problem { Banner(.problem, problem) }
    Form("Sign in", submit: "Sign in") {
      TextField("Name", text: $credentials.name).required()
      TextField("Password", text: $credentials.password, style: .secure).required()
    } onSubmit: {
      try await credentials.attempt {
        defer { credentials.password = "" }
        try await flow.end { try await session.signIn(credentials.name, credentials.password) }
      }
    }
    Button("Register") { try await router.show(.register) }
    Button("I forgot my password") { try await router.show(.forgotten) }
  }
}

struct RegisterScreen: Screen {
  let flow: SignInFlow
  let session: AccountSession
  @Bindable var credentials = Credentials()

  var body: some Content {
    if let code = credentials.made {
      MadeCode(code: code, credentials: credentials, flow: flow, session: session)
    } else {
      if let problem = credentials.problem { Banner(.problem, problem) }
      Form("Register", submit: "Register") {
        TextField("Name", text: $credentials.name).required().rule(credentials.nameProblem)
        TextField("Password", text: $credentials.password, style: .secure)
          .rule(credentials.passwordProblem).help("At least 8 characters.")
        TextField("Password again", text: $credentials.repeated, style: .secure).rule(credentials.repeatedProblem)
      } onSubmit: {
        try await credentials.attempt {
          credentials.made = try await session.register(credentials.name, credentials.password)
        }
      }
    }
  }
}

struct ForgottenScreen: Screen {
  let flow: SignInFlow
  let session: AccountSession
  @Bindable var credentials = Credentials()

  var body: some Content {
    if let code = credentials.made {
      MadeCode(code: code, credentials: credentials, flow: flow, session: session)
    } else {
      Text("The code that you wrote down when you registered replaces the password.")
      if let problem = credentials.problem { Banner(.problem, problem) }
      Form("Replace the password", submit: "Replace") {
        TextField("Name", text: $credentials.name).required()
        TextField("Code", text: $credentials.code, style: .secure).required()
        TextField("New password", text: $credentials.password, style: .secure).rule(credentials.passwordProblem)
        TextField("New password again", text: $credentials.repeated, style: .secure).rule(credentials.repeatedProblem)
      } onSubmit: {
        try await credentials.attempt {
          credentials.made = try await session.recover(
            credentials.name, code: credentials.code, password: credentials.password)
        }
      }
    }
  }
}

/// A code that is shown once.
struct MadeCode: Content {
  let code: String
  let credentials: Credentials
  let flow: SignInFlow
  let session: AccountSession

  var body: some Content {
    Banner(.success, "The password is set")
    Text("Should you forget it, this code replaces it. Write the code down: it is not shown again.")
    LabeledContent("Code", value: code)
    Button("Sign in") {
      try await flow.end { try await session.signIn(credentials.name, credentials.password) }
    }
  }
}
