import Glibc

/// A descriptor of the protocol that remembers its file.
///
/// Code of a plugin may close the number, and the system may give it to another file. The host neither reads from nor
/// writes to the other file.
struct ChannelDescriptor: Sendable {
  let number: Int32
  private let device: dev_t
  private let inode: ino_t

  /// The distance of the descriptor from the limit of open files. The system assigns the lowest free number. So a
  /// plugin that closes one of its own descriptors twice does not close this one.
  private static let distanceFromLimit: Int32 = 64
  private static let highest: Int32 = 4_096

  /// Duplicates a descriptor to a high number that closes on `exec`.
  ///
  /// - Parameter original: the descriptor to duplicate. It stays open.
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

  /// Whether the number still belongs to the same file.
  var isIntact: Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.st_dev == device && status.st_ino == inode
  }
}
