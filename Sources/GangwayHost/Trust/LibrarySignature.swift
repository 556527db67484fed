import FoundationEssentials
import Glibc

/// Signatures of libraries, in the format of minisign.
///
/// A signature is in a file beside the library, such as `libClock.so.minisig`. It signs the BLAKE2b digest of the
/// library with Ed25519. Source: jedisct1.github.io/minisign, "Signature format".
struct LibrarySignature: Hashable {
  /// The end of the file's name, after the name of the library.
  static let suffix = ".minisig"
  /// The largest file in bytes.
  static let maximumSize = 8 << 10

  /// The number of the key, 8 bytes.
  let keyNumber: [UInt8]
  /// The signature of the digest, 64 bytes.
  let signature: [UInt8]
  /// A text that is signed, too.
  let comment: String
  /// The signature of the signature and the comment, 64 bytes.
  let whole: [UInt8]

  /// The reason why a text is not a signature or a key.
  struct Mistake: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  private static let trusted = "trusted comment: "

  /// Reads the text of a file.
  init(_ text: String) throws(Mistake) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.count >= 4, lines[0].hasPrefix("untrusted comment:"), lines[2].hasPrefix(Self.trusted) else {
      throw Mistake(description: "it does not have the four lines of a signature")
    }
    guard let bytes = Data(base64Encoded: String(lines[1])), bytes.count == 74,
      let whole = Data(base64Encoded: String(lines[3])), whole.count == 64
    else { throw Mistake(description: "its second or fourth line is damaged") }
    guard Array(bytes.prefix(2)) == Array("ED".utf8) else {
      throw Mistake(
        description:
          "it signs the file itself, not its digest (sign with `gangway sign`, or with `minisign -S` without -l)")
    }
    self.init(
      keyNumber: Array(bytes[2..<10]), signature: Array(bytes[10...]),
      comment: String(lines[2].dropFirst(Self.trusted.count)), whole: Array(whole))
  }

  private init(keyNumber: [UInt8], signature: [UInt8], comment: String, whole: [UInt8]) {
    (self.keyNumber, self.signature, self.comment, self.whole) = (keyNumber, signature, comment, whole)
  }

  /// Signs a library.
  ///
  /// - Parameters:
  ///   - digest: the BLAKE2b digest of the library.
  ///   - comment: one line, which is signed, too.
  init(of digest: [UInt8], by key: SigningKey, comment: String, _ sodium: Sodium) {
    let signature = sodium.sign(digest, with: key.secret)
    self.init(
      keyNumber: key.number, signature: signature, comment: comment,
      whole: sodium.sign(signature + Array(comment.utf8), with: key.secret))
  }

  /// The text of the file.
  var text: String {
    """
    untrusted comment: signature of a Gangway plugin
    \(Data(Array("ED".utf8) + keyNumber + signature).base64EncodedString())
    \(Self.trusted)\(comment)
    \(Data(whole).base64EncodedString())

    """
  }

  /// Returns whether a key signed a digest with this signature.
  func isValid(for digest: [UInt8], by key: TrustedKey, _ sodium: Sodium) -> Bool {
    keyNumber == key.number && sodium.isValid(signature, of: digest, by: key.bytes)
      && sodium.isValid(whole, of: signature + Array(comment.utf8), by: key.bytes)
  }
}

/// A public key whose signatures are trusted.
struct TrustedKey: Hashable, Sendable {
  /// The number of the key, 8 bytes.
  let number: [UInt8]
  /// The key, 32 bytes.
  let bytes: [UInt8]

  /// Reads the text of a file: a key a line, with lines of comments.
  static func read(_ text: String) throws(LibrarySignature.Mistake) -> [TrustedKey] {
    var keys: [TrustedKey] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.filter { !" \t\r".contains($0) || line.hasPrefix("untrusted") }
      if line.isEmpty || line.hasPrefix("untrusted comment:") || line.hasPrefix("#") { continue }
      guard let bytes = Data(base64Encoded: String(line)), bytes.count == 42, bytes.starts(with: Array("Ed".utf8))
      else {
        throw LibrarySignature.Mistake(description: "line \(index + 1) is not a public key: '\(line.prefix(80))'")
      }
      keys.append(TrustedKey(number: Array(bytes[2..<10]), bytes: Array(bytes[10...])))
    }
    guard !keys.isEmpty else { throw LibrarySignature.Mistake(description: "it contains no key") }
    return keys
  }

  /// The number as minisign shows it.
  var name: String { LibrarySignature.name(ofKey: number) }

  /// The text of a file with this key.
  var text: String {
    "untrusted comment: public key \(name) of Gangway plugins\n"
      + Data(Array("Ed".utf8) + number + bytes).base64EncodedString() + "\n"
  }
}

extension LibrarySignature {
  /// Returns the number of a key as minisign shows it: hexadecimal, the last byte first.
  static func name(ofKey number: [UInt8]) -> String {
    number.reversed().map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}

/// A secret key, without a password.
struct SigningKey: Sendable {
  let number: [UInt8]
  /// The seed and the public key, 64 bytes.
  let secret: [UInt8]

  private static let plain: [UInt8] = Array("Ed".utf8) + [0, 0] + Array("B2".utf8)

  /// Creates a key.
  init(_ sodium: Sodium) {
    secret = sodium.makeKeyPair().secret
    number = sodium.random(8)
  }

  /// Reads the text of a file.
  init(_ text: String, _ sodium: Sodium) throws(LibrarySignature.Mistake) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let line = lines.first(where: { !$0.hasPrefix("untrusted comment:") }),
      let bytes = Data(base64Encoded: String(line)).map(Array.init), bytes.count == 158,
      bytes.starts(with: Array("Ed".utf8))
    else { throw LibrarySignature.Mistake(description: "it is not a secret key") }
    guard Array(bytes[2..<4]) == [0, 0] else {
      throw LibrarySignature.Mistake(
        description: "the key has a password: sign with `minisign -S`, or create a key without one")
    }
    (number, secret) = (Array(bytes[54..<62]), Array(bytes[62..<126]))
    // Version 0.11 of minisign writes zeros for a key without a password.
    let checksum = Array(bytes[126...])
    guard checksum.allSatisfy({ $0 == 0 }) || checksum == Self.checksum(number, secret, sodium) else {
      throw LibrarySignature.Mistake(description: "the key is damaged: its checksum does not match")
    }
  }

  /// The public half of the key.
  var trusted: TrustedKey { TrustedKey(number: number, bytes: Array(secret[32...])) }

  /// The text of the secret file.
  func text(_ sodium: Sodium) -> String {
    let bytes =
      Self.plain + [UInt8](repeating: 0, count: 48) + number + secret + Self.checksum(number, secret, sodium)
    return "untrusted comment: secret key \(trusted.name) of Gangway plugins\n"
      + Data(bytes).base64EncodedString() + "\n"
  }

  /// BLAKE2b with 32 bytes of the algorithm, the number and the key.
  private static func checksum(_ number: [UInt8], _ secret: [UInt8], _ sodium: Sodium) -> [UInt8] {
    sodium.digest(.blake2b, size: 32, of: Array("Ed".utf8) + number + secret)
  }
}
