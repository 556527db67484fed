import Foundation

/// Why something was not done, for the person.
struct AccountError: Error, CustomStringConvertible, LocalizedError, Equatable {
  let description: String
  var errorDescription: String? { description }
  init(_ description: String) { self.description = description }

  /// The same for a name that nobody has and for a wrong password: neither is told apart.
  static let wrong = AccountError("The name or the password is wrong.")

  /// - Parameter seconds: how long it is until the next try.
  static func slowedDown(_ seconds: Int) -> AccountError {
    AccountError("Too many tries. Try again in \(seconds) \(seconds == 1 ? "second" : "seconds").")
  }
}
