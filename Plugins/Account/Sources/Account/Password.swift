import Crypto
import CryptoExtras
import Foundation

/// What is kept of a password: enough to check it, too little to know it.
///
/// The key is derived with scrypt (RFC 7914). What it cost is kept beside it, so that it can be raised for new ones.
struct PasswordHash: Codable, Equatable, Sendable {
  /// How much work a key is.
  struct Cost: Codable, Equatable, Sendable {
    /// A power of two; 128 × `blockSize` bytes of memory each.
    var rounds: Int
    var blockSize = 8
    var parallelism = 1

    /// 16 MB and some 50 ms.
    static let standard = Cost(rounds: 1 << 14)
  }

  let cost: Cost
  let salt: Data
  let key: Data

  /// Derives a key with a salt of its own, away from the main actor.
  @concurrent static func make(_ password: String, cost: Cost) async throws -> PasswordHash {
    var random = SystemRandomNumberGenerator()
    let salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    let key = try derive(password, salt, cost)
    return PasswordHash(cost: cost, salt: salt, key: key.withUnsafeBytes { Data($0) })
  }

  /// Whether a password is the one; the comparison takes as long whatever differs.
  @concurrent func matches(_ password: String) async throws -> Bool {
    // The comparison of symmetric keys is one of constant time.
    try Self.derive(password, salt, cost) == SymmetricKey(data: key)
  }

  private static func derive(_ password: String, _ salt: Data, _ cost: Cost) throws -> SymmetricKey {
    // Typed on one keyboard or another, it is the same text.
    let text = password.precomposedStringWithCanonicalMapping
    return try KDF.Scrypt.deriveKey(
      from: Data(text.utf8), salt: salt, outputByteCount: 32, rounds: cost.rounds, blockSize: cost.blockSize,
      parallelism: cost.parallelism)
  }
}

/// A code that somebody writes down, to choose a new password with.
enum RecoveryCode {
  /// Letters and digits that are not mistaken for each other.
  private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")

  /// Twenty characters of 5 bits each, in groups of five.
  static func make() -> String {
    var random = SystemRandomNumberGenerator()
    let characters = (0..<20).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
    return stride(from: 0, to: 20, by: 5).map { String(characters[$0..<$0 + 5]) }.joined(separator: "-")
  }

  /// A code as it was made, however it was typed.
  static func normalized(_ text: String) -> String {
    String(text.uppercased().filter { alphabet.contains($0) })
  }
}
