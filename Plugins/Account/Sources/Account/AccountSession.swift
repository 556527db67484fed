import Foundation
import Observation

/// The signed-in user. Each session of the app has one for all of its features.
@MainActor @Observable final class AccountSession {
  /// The name of the signed-in user; nil if there is none.
  private(set) var user: String?
  /// The reason why the accounts cannot be used, for the user.
  private(set) var problem: String?

  @ObservationIgnored private let store: AccountStore
  @ObservationIgnored private let cost: PasswordHash.Cost
  @ObservationIgnored private let now: () -> Date

  /// - Parameters:
  ///   - cost: the work for hashing a password.
  ///   - now: returns the time that slows down repeated tries.
  init(_ store: AccountStore, cost: PasswordHash.Cost = .standard, now: @escaping () -> Date = { Date() }) {
    self.store = store
    self.cost = cost
    self.now = now
    do { user = try store.signedIn() } catch { problem = "\(error)" }
  }

  /// The signed-in user, now and after each change.
  var users: Observations<String?, Never> { Observations { [weak self] in self?.user } }

  /// Signs a user in.
  ///
  /// - Throws: ``AccountError``: wrong name or password, too many tries, or the reason why the accounts cannot be used.
  func signIn(_ name: String, _ password: String) async throws {
    try await enter(try await checked(name) { account in try await account.password.matches(password) }.name)
  }

  /// Adds an account without signing in, because the user writes down the code first.
  ///
  /// - Returns: the code that replaces a forgotten password. It is known only now.
  func register(_ name: String, _ password: String) async throws -> String {
    let code = RecoveryCode.make()
    let name = name.trimmingCharacters(in: .whitespaces)
    try await store.add(
      name, password: try await .make(password, cost: cost),
      recovery: try await .make(RecoveryCode.normalized(code), cost: cost))
    return code
  }

  /// Replaces a forgotten password.
  ///
  /// - Returns: the code for the next time. The used code is void.
  func recover(_ name: String, code: String, password: String) async throws -> String {
    let account = try await checked(name) { account in
      try await account.recovery.matches(RecoveryCode.normalized(code))
    }
    let next = RecoveryCode.make()
    try await store.replace(
      account.name, password: try await .make(password, cost: cost),
      recovery: try await .make(RecoveryCode.normalized(next), cost: cost))
    return next
  }

  /// Makes another code for the signed-in user.
  ///
  /// - Returns: the code. The previous code is void.
  func newCode(_ password: String) async throws -> String {
    guard let user else { throw AccountError("You are not signed in. Sign in and try again.") }
    let account = try await checked(user) { account in try await account.password.matches(password) }
    let code = RecoveryCode.make()
    try await store.replace(
      user, password: account.password, recovery: try await .make(RecoveryCode.normalized(code), cost: cost))
    return code
  }

  /// Signs out. Screens that need a user close in every feature.
  func signOut() async throws {
    try await store.setSignedIn(nil)
    user = nil
  }

  private func enter(_ name: String) async throws {
    try await store.setSignedIn(name)
    user = name
  }

  /// Returns the account that a secret belongs to. After five failed tries, each wait doubles, up to a minute.
  private func checked(
    _ name: String, _ matches: (AccountStore.Account) async throws -> Bool
  ) async throws -> AccountStore.Account {
    let name = name.trimmingCharacters(in: .whitespaces)
    if let failures = try await store.failures(of: name), failures.count >= 5 {
      let pause = min(60, pow(2, Double(failures.count - 5)))
      let left = failures.last.addingTimeInterval(pause).timeIntervalSince(now())
      // A clock that was set back makes nobody wait longer.
      if left > 0, left <= pause { throw AccountError.slowedDown(Int(left.rounded(.up))) }
    }
    try await store.noteTry(of: name, at: now())
    guard let account = try await store.account(name) else {
      // Take as long as for a known name.
      _ = try await PasswordHash.make("", cost: cost)
      throw AccountError.wrong
    }
    guard try await matches(account) else { throw AccountError.wrong }
    try await store.forgetTries(of: name)
    return account
  }
}
