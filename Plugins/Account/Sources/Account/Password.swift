import CSodium
import Foundation

/// A stored password: enough to check a password, too little to know it.
///
/// Argon2id (RFC 9106) by libsodium, as one line of text with the cost, the salt and the key.
struct PasswordHash: Equatable, Sendable {
  /// The work for a hash.
  struct Cost: Equatable, Sendable {
    /// The passes over the memory.
    var passes: Int
    /// The memory, in bytes.
    var memory: Int

    /// 19 MiB and two passes, some 40 ms: the minimum that the OWASP Password Storage Cheat Sheet advises.
    static let standard = Cost(passes: 2, memory: 19 << 20)
  }

  /// The line, `$argon2id$v=19$m=…,t=…,p=1$SALT$KEY`.
  let text: String

  /// Hashes a password with its own salt, outside the main actor.
  ///
  /// - Throws: ``AccountError`` if there is not enough memory.
  @concurrent static func make(_ password: String, cost: Cost) async throws -> PasswordHash {
    try prepare()
    var line = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
    let typed = bytes(of: password)
    guard crypto_pwhash_str(&line, typed, UInt64(typed.count), UInt64(cost.passes), cost.memory) == 0 else {
      throw AccountError("There is not enough memory to check the password. Try again.")
    }
    return PasswordHash(text: String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// Returns whether a password matches. The comparison takes constant time.
  @concurrent func matches(_ password: String) async throws -> Bool {
    try Self.prepare()
    let typed = Self.bytes(of: password)
    return crypto_pwhash_str_verify(text, typed, UInt64(typed.count)) == 0
  }

  /// Returns the bytes of a password, the same for the same text from different keyboards.
  private static func bytes(of password: String) -> [CChar] {
    password.precomposedStringWithCanonicalMapping.utf8.map { CChar(bitPattern: $0) }
  }

  /// Whether libsodium is initialized, once, before any thread uses it.
  private static let isPrepared = sodium_init() >= 0

  private static func prepare() throws {
    guard isPrepared else { throw AccountError("Passwords do not work here: the system provides no random numbers.") }
  }
}

/// A code that the user writes down, to choose a new password with.
enum RecoveryCode {
  /// Letters and digits that are hard to confuse.
  private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")

  /// Returns a new code: twenty characters of 5 bits each, in groups of five.
  static func make() -> String {
    var random = SystemRandomNumberGenerator()
    let characters = (0..<20).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
    return stride(from: 0, to: 20, by: 5).map { String(characters[$0..<$0 + 5]) }.joined(separator: "-")
  }

  /// Returns a code for a comparison: in upper case, without separators.
  static func normalized(_ text: String) -> String {
    String(text.uppercased().filter { alphabet.contains($0) })
  }
}
