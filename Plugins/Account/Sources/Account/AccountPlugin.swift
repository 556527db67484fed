import Gangway

/// The user of the app. Other features call the service `account.session` and show the place `account.sign-in`.
final class AccountPlugin: Plugin {
  static let id = "account"
  static let version = "1.0.0"

  func register(in registry: Registrar) {
    registry.service("session") { context in
      AccountSession(AccountStore(folder: context.dataFolder))
    } operations: { contract in
      contract.operation("user") { (session, _: NoPayload) in session.user }
      contract.operation("sign-out") { (session, _: NoPayload) in
        try await session.signOut()
        return NoPayload()
      }
      contract.changes("user") { session in session.users }
    }
    registry.tab(
      "main", title: "Account", symbol: "☺", order: 90,
      label: { context in TabLabel(title: (try? context.service(AccountSession.self))?.user) },
      make: { context in AccountCoordinator(try context.service()) })
    registry.place("sign-in") { (_: NoPayload, context) in SignInFlow(try context.service()) }
    registry.link("account", tab: "main")
  }
}

@c(gangway_plugin) public func gangwayPlugin() -> UnsafeMutableRawPointer { exportPlugin(AccountPlugin.self) }
