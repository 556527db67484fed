@_spi(FrontEnd) import Gangway
@_spi(FrontEnd) import GangwayProtocol

/// The rule about which libraries may run: those in a lock, those that a trusted key signed, or both.
///
/// It is checked before any code of a library runs, the probe included.
struct LibraryPolicy: Sendable {
  /// A file with a rule. If it cannot be read, every library is refused for that reason.
  private struct Source<Rule: Sendable>: Sendable {
    let path: String
    let rule: Result<Rule, Refusal>
  }

  private let lock: Source<PluginLock>?
  private let keys: Source<[TrustedKey]>?
  /// A text that differs between rules, for the cache of verdicts. Empty without a rule.
  let fingerprint: String

  /// Whether any library may run.
  var isEmpty: Bool { lock == nil && keys == nil }

  /// Whether a rule cannot be read, so that no stored verdict counts.
  var isBroken: Bool {
    if case .failure = lock?.rule { return true }
    if case .failure = keys?.rule { return true }
    return false
  }

  /// Reads the files that the settings name.
  init(_ launch: HostLaunch) {
    var fingerprint = ""
    func read<Rule: Sendable>(
      _ path: String?, _ limit: Int, _ what: String, _ parse: (String) throws -> Rule
    ) -> Source<Rule>? {
      guard let path else { return nil }
      let text: String
      do throws(Refusal) {
        text = try Self.text(of: path, limit, what)
      } catch {
        fingerprint += "\(what) unreadable "
        let refusal = Refusal(
          .trust, .notChecked, "\(what) could not be read: \(error.reason)", advice: error.advice)
        return Source(path: path, rule: .failure(refusal))
      }
      var hash = ContentHash()
      hash.update(Array(text.utf8))
      fingerprint += "\(what) \(hash.value) "
      do {
        return Source(path: path, rule: .success(try parse(text)))
      } catch {
        let refusal = Refusal(
          .trust, .notChecked, "\(what) '\(path)' could not be read: \(error)",
          advice: "Correct the file, or create it again.")
        return Source(path: path, rule: .failure(refusal))
      }
    }
    lock = read(launch.lock, PluginLock.maximumSize, "the lock") { try PluginLock($0) }
    keys = read(launch.trustedKeys, 1 << 20, "the file of trusted keys") { try TrustedKey.read($0) }
    self.fingerprint = fingerprint
  }

  /// The names and versions of plugins in the lock; nil without a readable lock.
  var locked: [PluginLock.Member]? { lock.flatMap { try? $0.rule.get().members } }

  /// Checks a library.
  ///
  /// - Throws: a refusal at the step `trust`.
  func check(_ file: borrowing TrustedFile) throws(Refusal) {
    guard !isEmpty else { return }
    let sodium = try Sodium.required()
    if let lock {
      let digest = Self.hexadecimal(sodium.digest(.sha256, of: file))
      try lock.rule.get().check(file.path, sha256: digest, lock: lock.path)
    }
    if let keys { try check(file, keys.rule.get(), keys.path, sodium) }
  }

  /// Checks that a plugin has the id and version that the lock has for its content.
  ///
  /// - Throws: a refusal at the step `probe`.
  func check(_ manifest: PluginManifest, of path: String) throws(Refusal) {
    guard let lock else { return }
    let digest = try Self.sha256(of: path)
    try lock.rule.get().check(manifest, sha256: digest, lock: lock.path)
  }

  /// Returns the SHA-256 of a file, in hexadecimal digits.
  static func sha256(of path: String) throws(Refusal) -> String {
    let sodium = try Sodium.required()
    let file = try TrustedFile(path)
    return hexadecimal(sodium.digest(.sha256, of: file))
  }

  private func check(
    _ file: borrowing TrustedFile, _ keys: [TrustedKey], _ path: String, _ sodium: Sodium
  ) throws(Refusal) {
    let place = file.path + LibrarySignature.suffix
    let text: String
    do throws(Refusal) {
      text = try Self.text(of: place, LibrarySignature.maximumSize, "the signature")
    } catch {
      guard error.code == .missing else { throw error }
      throw Refusal(
        .trust, .unsigned, "it is not signed: there is no file '\(place)'",
        advice: "Ask its author for the signature, or sign it with `gangway sign`.")
    }
    let signature: LibrarySignature
    do throws(LibrarySignature.Mistake) {
      signature = try LibrarySignature(text)
    } catch {
      throw Refusal(
        .trust, .badSignature, "the signature '\(place)' cannot be used: \(error)", advice: "Sign it again.")
    }
    let same = keys.filter { $0.number == signature.keyNumber }
    guard !same.isEmpty else {
      let trusted = keys.map(\.name).joined(separator: ", ")
      throw Refusal(
        .trust, .badSignature,
        "the key \(LibrarySignature.name(ofKey: signature.keyNumber)) signed it, but '\(path)' trusts only \(trusted)",
        advice: "Get a version that a trusted key signed, or add the key to the file.")
    }
    let digest = sodium.digest(.blake2b, of: file)
    guard same.contains(where: { signature.isValid(for: digest, by: $0, sodium) }) else {
      throw Refusal(
        .trust, .badSignature,
        "the signature '\(place)' does not match the library: one of the two was changed or is damaged",
        advice: "Install the library and its signature together, or sign it again.")
    }
  }

  // MARK: Files

  /// Reads a text that only its owner and root can change.
  static func text(of path: String, _ limit: Int, _ what: String) throws(Refusal) -> String {
    let file = try TrustedFile(path)
    guard file.identity.size <= limit else {
      throw Refusal(
        .trust, .notChecked, "\(what) '\(path)' has \(file.identity.size) bytes; the limit is \(limit)",
        advice: "Name the right file.")
    }
    guard let text = String(validating: file.read(limit, at: 0), as: UTF8.self) else {
      throw Refusal(.trust, .notChecked, "\(what) '\(path)' is not UTF-8", advice: "Name the right file.")
    }
    return text
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
