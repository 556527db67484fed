import Glibc

/// A descriptor of the protocol, with what it was opened on.
///
/// Code of a plugin may close the number, and the system may give it to another file. Nothing is read from or written to
/// that file.
struct ChannelDescriptor: Sendable {
  let number: Int32
  private let device: dev_t
  private let inode: ino_t

  /// How far below the limit of open files the descriptor is placed: the system gives out the lowest free number, so a
  /// plugin that closes its own descriptors one too often does not meet this one.
  private static let distanceFromLimit: Int32 = 64
  private static let highest: Int32 = 4_096

  /// Duplicates a descriptor to a high number that is closed on `exec`.
  ///
  /// - Parameter original: stays open.
  init(duplicating original: Int32) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let wanted = Int32(clamping: min(limit.rlim_cur, rlim_t(Self.highest))) - Self.distanceFromLimit
    let high = fcntl(original, F_DUPFD_CLOEXEC, max(wanted, STDERR_FILENO + 1))
    number = high >= 0 ? high : fcntl(original, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    var status = stat()
    fstat(number, &status)
    (device, inode) = (status.st_dev, status.st_ino)
  }

  /// Whether the number still stands for what it was opened on.
  var isIntact: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.st_dev == device && status.st_ino == inode
  }
}
