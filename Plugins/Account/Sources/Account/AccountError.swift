import Foundation

/// An error, with its reason for the user.
struct AccountError: Error, CustomStringConvertible, LocalizedError, Equatable {
  let description: String
  var errorDescription: String? { description }
  init(_ description: String) { self.description = description }

  /// One error for an unknown name and for a wrong password, so that the two look the same.
  static let wrong = AccountError("Wrong name or password.")

  /// - Parameter seconds: the time until the next try.
  static func slowedDown(_ seconds: Int) -> AccountError {
    AccountError("Too many tries. Try again in \(seconds) \(seconds == 1 ? "second" : "seconds").")
  }
}
