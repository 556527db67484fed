import Glibc

/// The functions of libsodium that locks and signatures need.
///
/// A host needs the library only to check a lock or a signature, so it is loaded then. Source: doc.libsodium.org.
struct Sodium: @unchecked Sendable {
  /// The algorithm of a digest.
  enum Digest: Sendable {
    /// SHA-256 (FIPS 180-4), 32 bytes.
    case sha256
    /// BLAKE2b (RFC 7693), 64 bytes unless a caller asks for fewer.
    case blake2b

    fileprivate var size: Int { self == .sha256 ? 32 : 64 }
  }

  /// The library; nil if it is not installed.
  static let installed = Sodium()

  private typealias Bytes = UnsafePointer<UInt8>
  private typealias Output = UnsafeMutablePointer<UInt8>
  private typealias State = UnsafeMutableRawPointer

  private let sizeOfSHA: @convention(c) () -> Int
  private let beginSHA: @convention(c) (State) -> Int32
  private let updateSHA: @convention(c) (State, Bytes, UInt64) -> Int32
  private let endSHA: @convention(c) (State, Output) -> Int32
  private let sizeOfBLAKE: @convention(c) () -> Int
  private let beginBLAKE: @convention(c) (State, Bytes?, Int, Int) -> Int32
  private let updateBLAKE: @convention(c) (State, Bytes, UInt64) -> Int32
  private let endBLAKE: @convention(c) (State, Output, Int) -> Int32
  private let makeKeys: @convention(c) (Output, Output) -> Int32
  private let signBytes: @convention(c) (Output, UnsafeMutablePointer<UInt64>?, Bytes, UInt64, Bytes) -> Int32
  private let verifyBytes: @convention(c) (Bytes, Bytes, UInt64, Bytes) -> Int32
  private let fillRandomly: @convention(c) (UnsafeMutableRawPointer, Int) -> Void

  private init?() {
    // The names of Debian 11 to 13, and of a later version.
    let handle = ["libsodium.so.23", "libsodium.so.26", "libsodium.so"].lazy
      .compactMap { (name: String) in dlopen(name, RTLD_NOW | RTLD_LOCAL) }.first
    guard let handle else { return nil }
    func function<Function>(_ name: String, _: Function.Type = Function.self) -> Function? {
      dlsym(handle, name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let begin: @convention(c) () -> Int32 = function("sodium_init"), begin() >= 0,
      let sizeOfSHA: @convention(c) () -> Int = function("crypto_hash_sha256_statebytes"),
      let beginSHA: @convention(c) (State) -> Int32 = function("crypto_hash_sha256_init"),
      let updateSHA: @convention(c) (State, Bytes, UInt64) -> Int32 = function("crypto_hash_sha256_update"),
      let endSHA: @convention(c) (State, Output) -> Int32 = function("crypto_hash_sha256_final"),
      let sizeOfBLAKE: @convention(c) () -> Int = function("crypto_generichash_blake2b_statebytes"),
      let beginBLAKE: @convention(c) (State, Bytes?, Int, Int) -> Int32 = function("crypto_generichash_blake2b_init"),
      let updateBLAKE: @convention(c) (State, Bytes, UInt64) -> Int32 = function("crypto_generichash_blake2b_update"),
      let endBLAKE: @convention(c) (State, Output, Int) -> Int32 = function("crypto_generichash_blake2b_final"),
      let makeKeys: @convention(c) (Output, Output) -> Int32 = function("crypto_sign_ed25519_keypair"),
      let signBytes: @convention(c) (Output, UnsafeMutablePointer<UInt64>?, Bytes, UInt64, Bytes) -> Int32 = function(
        "crypto_sign_ed25519_detached"),
      let verifyBytes: @convention(c) (Bytes, Bytes, UInt64, Bytes) -> Int32 = function(
        "crypto_sign_ed25519_verify_detached"),
      let fillRandomly: @convention(c) (UnsafeMutableRawPointer, Int) -> Void = function("randombytes_buf")
    else { return nil }
    (self.sizeOfSHA, self.beginSHA, self.updateSHA, self.endSHA) = (sizeOfSHA, beginSHA, updateSHA, endSHA)
    (self.sizeOfBLAKE, self.beginBLAKE, self.updateBLAKE) = (sizeOfBLAKE, beginBLAKE, updateBLAKE)
    (self.endBLAKE, self.makeKeys, self.signBytes) = (endBLAKE, makeKeys, signBytes)
    (self.verifyBytes, self.fillRandomly) = (verifyBytes, fillRandomly)
  }

  /// Returns the library.
  ///
  /// - Throws: a refusal at the step `trust` if it is not installed.
  static func required() throws(Refusal) -> Sodium {
    guard let installed else {
      throw Refusal(
        .trust, .notChecked, "libsodium, which checks locks and signatures, is not installed",
        advice: "Install it: `apt-get install libsodium23` on Debian.")
    }
    return installed
  }

  // MARK: Digests

  /// Returns the digest of a file, which is read in pieces.
  func digest(_ digest: Digest, of file: borrowing TrustedFile) -> [UInt8] {
    var pieces = Pieces(self, digest)
    var offset = 0
    while offset < file.identity.size {
      let bytes = file.read(256 << 10, at: offset)
      guard !bytes.isEmpty else { break }
      pieces.add(bytes)
      offset += bytes.count
    }
    return pieces.end()
  }

  /// Returns the digest of bytes in memory.
  ///
  /// - Parameter size: the size of a BLAKE2b digest in bytes; nil for the largest.
  func digest(_ digest: Digest, size: Int? = nil, of bytes: [UInt8]) -> [UInt8] {
    var pieces = Pieces(self, digest, size)
    pieces.add(bytes)
    return pieces.end()
  }

  /// A content that arrives in pieces.
  private struct Pieces: ~Copyable {
    private let sodium: Sodium
    private let digest: Digest
    private let size: Int
    private let state: State

    init(_ sodium: Sodium, _ digest: Digest, _ size: Int? = nil) {
      (self.sodium, self.digest, self.size) = (sodium, digest, size ?? digest.size)
      // A state of BLAKE2b needs an alignment of 64 bytes.
      state = .allocate(byteCount: digest == .sha256 ? sodium.sizeOfSHA() : sodium.sizeOfBLAKE(), alignment: 64)
      _ = digest == .sha256 ? sodium.beginSHA(state) : sodium.beginBLAKE(state, nil, 0, self.size)
    }

    mutating func add(_ bytes: [UInt8]) {
      bytes.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        let update = digest == .sha256 ? sodium.updateSHA : sodium.updateBLAKE
        _ = update(state, start, UInt64(buffer.count))
      }
    }

    consuming func end() -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        guard let start = buffer.baseAddress else { return }
        _ = digest == .sha256 ? sodium.endSHA(state, start) : sodium.endBLAKE(state, start, size)
        count = size
      }
    }

    deinit { state.deallocate() }
  }

  // MARK: Signatures (Ed25519, RFC 8032)

  /// Returns whether a key signed a message.
  ///
  /// - Parameters:
  ///   - signature: 64 bytes.
  ///   - key: the public key, 32 bytes.
  func isValid(_ signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool {
    guard signature.count == 64, key.count == 32 else { return false }
    return signature.withUnsafeBufferPointer { signature in
      message.withUnsafeBufferPointer { message in
        key.withUnsafeBufferPointer { key in
          guard let start = signature.baseAddress, let key = key.baseAddress else { return false }
          // The start of an empty array may be nil.
          return verifyBytes(start, message.baseAddress ?? start, UInt64(message.count), key) == 0
        }
      }
    }
  }

  /// Returns the signature of a message, 64 bytes.
  ///
  /// - Parameter key: the secret key, 64 bytes: the seed and the public key.
  func sign(_ message: [UInt8], with key: [UInt8]) -> [UInt8] {
    precondition(key.count == 64)
    return [UInt8](unsafeUninitializedCapacity: 64) { output, count in
      message.withUnsafeBufferPointer { message in
        key.withUnsafeBufferPointer { key in
          guard let output = output.baseAddress, let key = key.baseAddress else { return }
          _ = signBytes(output, nil, message.baseAddress ?? key, UInt64(message.count), key)
          count = 64
        }
      }
    }
  }

  /// Creates a pair of keys: the public one of 32 bytes, the secret one of 64.
  func makeKeyPair() -> (open: [UInt8], secret: [UInt8]) {
    var (open, secret) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 64))
    open.withUnsafeMutableBufferPointer { open in
      secret.withUnsafeMutableBufferPointer { secret in
        if let open = open.baseAddress, let secret = secret.baseAddress { _ = makeKeys(open, secret) }
      }
    }
    return (open, secret)
  }

  /// Returns random bytes.
  func random(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      if let start = buffer.baseAddress { fillRandomly(start, count) }
      filled = count
    }
  }
}
