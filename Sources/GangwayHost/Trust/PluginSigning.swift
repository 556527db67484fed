@_spi(FrontEnd) import GangwayClient
import Glibc

/// The signing of libraries: what `gangway sign` does.
@_spi(FrontEnd) public enum PluginSigning {
  /// Creates a secret key without a password, and beside it the public key, whose file ends in `.pub`.
  ///
  /// - Parameter path: the file of the secret key, which must not exist.
  /// - Returns: the name of the key.
  /// - Throws: ``Refusal`` if a file exists or cannot be written, or if libsodium is not installed.
  public static func createKey(at path: String) throws(Refusal) -> String {
    let sodium = try Sodium.required()
    for file in [path, path + ".pub"] where access(file, F_OK) == 0 {
      throw Refusal(.trust, .notChecked, "'\(file)' exists", advice: "Name a new file.")
    }
    let key = SigningKey(sodium)
    try write(key.text(sodium), to: path, mode: 0o600)
    do throws(Refusal) {
      try write(key.trusted.text, to: path + ".pub", mode: 0o644)
    } catch {
      unlink(path)
      throw error
    }
    return key.trusted.name
  }

  /// Signs a library, and writes the signature beside it.
  ///
  /// - Parameters:
  ///   - library: the path of the library.
  ///   - key: the file of the secret key, as this command or `minisign -G -W` writes it.
  ///   - time: the time that the signature names, in seconds since 1970.
  /// - Returns: the path of the signature. An older one is replaced.
  /// - Throws: ``Refusal`` if a file cannot be read or written, or if the key has a password.
  public static func sign(_ library: String, key: String, time: Int) throws(Refusal) -> String {
    let sodium = try Sodium.required()
    let text = try LibraryPolicy.text(of: key, 8 << 10, "the key")
    let signing: SigningKey
    do throws(LibrarySignature.Mistake) {
      signing = try SigningKey(text, sodium)
    } catch {
      throw Refusal(
        .trust, .notChecked, "the key '\(key)' could not be read: \(error)",
        advice: "Name a secret key, or create one with `gangway sign --new-key FILE`.")
    }
    let file = try TrustedFile(library)
    let name = file.path.split(separator: "/").last ?? ""
    let signature = LibrarySignature(
      of: sodium.digest(.blake2b, of: file), by: signing, comment: "timestamp:\(time)\tfile:\(name)\thashed", sodium)
    let place = file.path + LibrarySignature.suffix
    // A reader sees the old signature or the new one.
    let temporary = "\(place).\(getpid())"
    unlink(temporary)
    try write(signature.text, to: temporary, mode: 0o644)
    guard rename(temporary, place) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(temporary)
      throw Refusal(
        .trust, .notChecked, "'\(place)' could not be written: \(reason)", advice: "Make its folder writable.")
    }
    return place
  }

  private static func write(_ text: String, to path: String, mode: mode_t) throws(Refusal) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else {
      throw Refusal(
        .trust, .notChecked, "'\(path)' could not be written: \(String(cString: strerror(errno)))",
        advice: errno == EEXIST ? "Name a new file." : "Make its folder writable.")
    }
    let isWritten = ProcessIO.writeAll(Array(text.utf8), to: descriptor) && fsync(descriptor) == 0
    let reason = String(cString: strerror(errno))
    guard close(descriptor) == 0, isWritten else {
      unlink(path)
      throw Refusal(
        .trust, .notChecked, "'\(path)' could not be written: \(reason)", advice: "Free space on its file system.")
    }
  }
}
