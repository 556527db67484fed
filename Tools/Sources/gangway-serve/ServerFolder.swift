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
      throw Mistake.cannotCreate(Words.Folder.inUse(folder, process: process)).refused()
    case .impossible, .notNow:
      throw Mistake.cannotCreate(Words.Folder.notLocked(folder, reason: String(cString: strerror(errno)))).refused()
    }
  }

  /// Returns why a folder cannot be used, with the fix; nil if it can.
  ///
  /// A folder of this user that others can only read, as `mkdir` makes it, becomes private.
  private static func reason(against folder: String) -> String? {
    var status = stat()
    guard lstat(folder, &status) == 0 else {
      return Words.Folder.unusable(folder, reason: String(cString: strerror(errno)))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: break
    case S_IFLNK: return Words.Folder.isLink(folder)
    default: return Words.Folder.isFile(folder)
    }
    guard status.st_uid == geteuid() else {
      return Words.Folder.foreign(folder, owner: status.st_uid, user: geteuid())
    }
    let mode = status.st_mode & 0o777
    guard mode & 0o022 == 0 else {
      return Words.Folder.writableByOthers(folder, mode: String(mode, radix: 8))
    }
    if mode & 0o055 != 0 { chmod(folder, 0o700) }
    guard access(folder, W_OK | X_OK) == 0 else {
      return Words.Folder.unwritable(folder)
    }
    return nil
  }
}
