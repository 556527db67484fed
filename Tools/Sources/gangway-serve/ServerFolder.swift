import FoundationEssentials
import GangwayCommand
@_spi(FrontEnd) import GangwaySupervisor
import Glibc

/// The folder in which one server keeps its users, their sessions and its port.
///
/// A user of the machine who can write to the folder can add users to the server. So the folder must belong to the
/// server's user alone.
struct ServerFolder {
  let path: String
  private let lock: SessionLock

  /// Creates the folder, or checks the one that is there, and locks it until the process ends.
  ///
  /// - Parameter path: the folder; its parents are created, too.
  /// - Throws: the exit code 73 (`EX_CANTCREAT`), after standard error got the reason and the fix.
  init(_ path: String) throws {
    self.path = path
    var folder = path
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    if let reason = Self.reason(against: folder) { throw Mistake.cannotCreate(reason).refused() }
    switch SessionLock.take("\(folder)/server") {
    case .taken(let lock): self.lock = lock
    case .inUse(let process):
      let other = process.map { " (process \($0))" } ?? ""
      throw Mistake.cannotCreate(
        "Another server\(other) uses '\(folder)'. Stop that server, or name another folder with --state-dir."
      ).refused()
    case .impossible, .notNow:
      throw Mistake.cannotCreate(
        "'\(folder)' could not be locked: \(String(cString: strerror(errno))). Name another folder with --state-dir."
      ).refused()
    }
  }

  /// Returns why a folder cannot be used, with the fix; nil if it can.
  ///
  /// A folder of this user that others can only read, as `mkdir` makes it, becomes private.
  private static func reason(against folder: String) -> String? {
    var status = stat()
    guard lstat(folder, &status) == 0 else {
      return "'\(folder)' cannot be used: \(String(cString: strerror(errno))). Name another folder with --state-dir."
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: break
    case S_IFLNK: return "'\(folder)' is a link. Name the folder itself with --state-dir."
    default: return "'\(folder)' is not a folder. Name another with --state-dir."
    }
    guard status.st_uid == geteuid() else {
      return """
        '\(folder)' belongs to user \(status.st_uid), and this is user \(geteuid()). \
        Name a folder of your own with --state-dir.
        """
    }
    let mode = status.st_mode & 0o777
    guard mode & 0o022 == 0 else {
      return """
        Others can write to '\(folder)' (mode \(String(mode, radix: 8)), not 700), and could add users to this server. \
        If you trust what is in it, run: chmod 700 '\(folder)'
        """
    }
    if mode & 0o055 != 0 { chmod(folder, 0o700) }
    guard access(folder, W_OK | X_OK) == 0 else {
      return "'\(folder)' could not be written. Name another folder with --state-dir."
    }
    return nil
  }
}
