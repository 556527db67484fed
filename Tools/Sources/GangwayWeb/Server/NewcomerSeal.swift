import CSodium

/// A seal that makes the cookies of newcomers and recognizes them, without storing anything about newcomers.
///
/// A list of newcomers would be limited, so a flood of strangers could evict a browser between its first two requests.
/// The secret of a cookie is the time, and an authentication code of the ID and the time.
///
/// Source: HMAC-SHA-512-256, `crypto_auth` of libsodium.
struct NewcomerSeal {
  private let key: [UInt8]
  /// The number of hexadecimal digits of the time in a secret.
  private static let timeLength = 16

  /// Creates a seal with a random key.
  init() {
    // `sodium_init` prepares the library once for the process; later calls do nothing.
    _ = sodium_init()
    var key = [UInt8](repeating: 0, count: crypto_auth_keybytes())
    crypto_auth_keygen(&key)
    self.key = key
  }

  /// Returns the secret of a newcomer's cookie.
  ///
  /// - Parameters:
  ///   - id: the newcomer's id.
  ///   - time: when the cookie is made, in seconds since 1970.
  func secret(for id: String, at time: Int) -> String {
    let digits = String(UInt64(max(0, time)), radix: 16)
    let padded = String(repeating: "0", count: Self.timeLength - digits.count) + digits
    return padded + code(id, padded)
  }

  /// Returns when a cookie was made, in seconds since 1970; nil if this process did not make it.
  func time(ofSecret secret: String, for id: String) -> Int? {
    let digits = String(secret.prefix(Self.timeLength))
    guard People.isSame(String(secret.dropFirst(Self.timeLength)), code(id, digits)) else { return nil }
    return Int(digits, radix: 16)
  }

  private func code(_ id: String, _ time: String) -> String {
    let text = Array("\(id).\(time)".utf8)
    var code = [UInt8](repeating: 0, count: crypto_auth_bytes())
    crypto_auth(&code, text, UInt64(text.count), key)
    return code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
