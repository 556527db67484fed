import Glibc

/// A regular file that only its owner and root can change.
///
/// The file is opened once, without blocking. Later calls use only its descriptor, so that they read the checked file.
struct TrustedFile: ~Copyable {
  typealias Identity = FileIdentity

  /// The path without links.
  let path: String
  let descriptor: Int32
  let identity: Identity

  /// Opens a file and checks that it can be trusted.
  ///
  /// - Parameter path: the path of the file. ``TrustedPath`` follows its links.
  /// - Throws: a refusal at the step `find` or `trust`.
  init(_ path: String) throws(Refusal) {
    let place = try TrustedPath(path).resolved
    let descriptor = open(place, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw Self.cannotOpen(path, errno) }
    do {
      identity = try Self.check(descriptor, path)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    self.path = place
    self.descriptor = descriptor
  }

  deinit { Glibc.close(descriptor) }

  /// Checks that the path still names the checked file.
  ///
  /// - Throws: a refusal at the step `load` if the file was replaced.
  func requireUnchanged() throws(Refusal) {
    var status = stat()
    guard lstat(path, &status) == 0, FileIdentity(status) == identity else {
      throw Refusal(
        .load, .changed, "the file was replaced between its checks and its loading",
        advice: "Install plugins by renaming a finished file into place. Then start the app again.")
    }
  }

  /// Reads bytes; fewer at the end of the file.
  func read(_ count: Int, at offset: Int) -> [UInt8] {
    guard count > 0, offset >= 0, offset < identity.size else { return [] }
    let wanted = min(count, identity.size - offset)
    return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      while filled < wanted {
        let got = pread(descriptor, buffer.baseAddress?.advanced(by: filled), wanted - filled, off_t(offset + filled))
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { return }
        filled += got
      }
    }
  }

  static func cannotOpen(_ path: String, _ code: Int32) -> Refusal {
    let reason = String(cString: strerror(code))
    switch code {
    case ENOENT, ENOTDIR:
      return Refusal(.find, .missing, "there is no file '\(path)' (\(reason))", advice: "Check the path.")
    case ENXIO:
      return Refusal(
        .trust, .notRegularFile, "'\(path)' is not a regular file (\(reason))", advice: "Name a shared library.")
    default:
      return Refusal(
        .trust, .unreadable, "'\(path)' could not be opened: \(reason)", advice: "Make it readable for this user.")
    }
  }

  private static func check(_ descriptor: Int32, _ path: String) throws(Refusal) -> Identity {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw cannotOpen(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Refusal(
        .trust, .notRegularFile, "'\(path)' is \(kind(status.st_mode)), not a regular file",
        advice: "Name a shared library.")
    }
    try checkOwner(status, "the file '\(path)'")
    return FileIdentity(status)
  }

  /// Checks that only root and this user can change something.
  ///
  /// - Parameters:
  ///   - status: the state of the file or folder.
  ///   - what: its description in words.
  static func checkOwner(_ status: stat, _ what: String) throws(Refusal) {
    let user = geteuid()
    guard status.st_uid == 0 || status.st_uid == user else {
      throw Refusal(
        .trust, .foreignOwner, "\(what) belongs to user \(status.st_uid), but this process runs as user \(user)",
        advice: "Install it as this user or as root.")
    }
    // Only its owner can change a link. The mode of a link has no effect.
    if status.st_mode & S_IFMT == S_IFLNK { return }
    // In a sticky folder, nobody can replace another user's file. On a file, the bit means nothing. A user's own group
    // counts as the user.
    let isSticky = status.st_mode & S_ISVTX != 0 && status.st_mode & S_IFMT == S_IFDIR
    let byAnyone = status.st_mode & S_IWOTH != 0 && !isSticky
    let byGroup = status.st_mode & S_IWGRP != 0 && !isSticky && status.st_gid != 0 && status.st_gid != getegid()
    guard !byAnyone, !byGroup else {
      throw Refusal(
        .trust, .writableByOthers,
        "\(what) is writable by other users (mode \(String(status.st_mode & 0o7777, radix: 8)))",
        advice: "Run chmod go-w on it.")
    }
  }

  private static func kind(_ mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "a folder"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "something else"
    }
  }
}
