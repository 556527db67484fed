import CSodium
import Foundation

/// What is kept of a password: enough to check it, too little to know it.
///
/// Argon2id (RFC 9106) by libsodium, as one line of text that holds the cost, the salt and the key.
struct PasswordHash: Equatable, Sendable {
  /// How much work a hash is.
  struct Cost: Equatable, Sendable {
    /// Passes over the memory.
    var passes: Int
    /// Memory in bytes.
    var memory: Int

    /// 19 MiB and two passes, some 40 ms: the least that the OWASP Password Storage Cheat Sheet advises.
    static let standard = Cost(passes: 2, memory: 19 << 20)
  }

  /// The line, `$argon2id$v=19$m=…,t=…,p=1$SALT$KEY`.
  let text: String

  /// Hashes a password with a salt of its own, away from the main actor.
  ///
  /// - Throws: ``AccountError`` where there is not enough memory.
  @concurrent static func make(_ password: String, cost: Cost) async throws -> PasswordHash {
    try prepare()
    var line = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let typed = bytes(of: password)
    guard crypto_pwhash_str(&line, typed, UInt64(typed.count), UInt64(cost.passes), cost.memory) == 0 else {
      throw AccountError("There is not enough memory to check a password. Try again.")
    }
    return PasswordHash(text: String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// Whether a password is the one. The comparison takes constant time.
  @concurrent func matches(_ password: String) async throws -> Bool {
    try Self.prepare()
    let typed = Self.bytes(of: password)
    return crypto_pwhash_str_verify(text, typed, UInt64(typed.count)) == 0
  }

  /// The same text typed on different keyboards gives the same bytes.
  private static func bytes(of password: String) -> [CChar] {
    password.precomposedStringWithCanonicalMapping.utf8.map { CChar(bitPattern: $0) }
  }

  /// libsodium is prepared once, before any thread uses it.
  private static let isPrepared = sodium_init() >= 0

  private static func prepare() throws {
    guard isPrepared else { throw AccountError("Passwords cannot be checked: the system gives no random numbers.") }
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
