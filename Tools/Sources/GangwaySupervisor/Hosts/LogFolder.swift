import FoundationEssentials
import Glibc

/// The folder of a supervisor's log and crash reports, which is limited in size.
package struct LogFolder {
  /// The most crash reports to keep; the oldest are removed first.
  static let maximumReports = 50
  /// The size in bytes at which a new log begins; one older log is kept.
  static let maximumLog = 4 << 20

  let path: String
  private var crashes: String { path + "/crashes" }
  private var logPath: String { path + "/host.log" }

  /// Creates the folder with access for its owner only, and removes old reports.
  init(_ path: String) {
    self.path = path
    try? FileManager.default.createDirectory(
      atPath: crashes, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // An existing folder may be open to other users, but its content is private to this user.
    for folder in [path, crashes] {
      var status = stat()
      guard lstat(folder, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFDIR else {
        continue
      }
      if status.st_mode & 0o077 != 0 { chmod(folder, 0o700) }
    }
    clear()
  }

  /// Removes the oldest reports.
  func clear() {
    let reports = ((try? FileManager.default.contentsOfDirectory(atPath: crashes)) ?? []).sorted()
    for old in reports.dropLast(Self.maximumReports) {
      try? FileManager.default.removeItem(atPath: crashes + "/" + old)
    }
  }

  /// Opens the log for the output of hosts.
  ///
  /// - Throws: ``SupervisorFailure`` with the system's reason.
  func openLog() throws -> HostLog { try HostLog(logPath, limit: Self.maximumLog) }

  /// Returns the path of a host's crash report; the names sort by time.
  func report(process: Int32, generation: Int) -> String {
    "\(crashes)/\(Int(Date().timeIntervalSince1970))-\(process)-\(generation).log"
  }
}
