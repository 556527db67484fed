import FoundationEssentials
import Glibc

/// The folder of a supervisor's log and crash reports, kept from growing without end.
struct LogFolder {
  /// How many crash reports are kept; the oldest go first.
  static let maximumReports = 50
  /// How large the log may be, in bytes, before a new one is begun; one older log is kept.
  static let maximumLog = 4 << 20

  let path: String
  private var crashes: String { path + "/crashes" }
  private var logPath: String { path + "/host.log" }

  /// Makes the folder, readable by its owner alone, and clears out what is old.
  init(_ path: String) {
    self.path = path
    try? FileManager.default.createDirectory(
      atPath: crashes, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // One that was there may be open to others: what is in it is this user's alone.
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

  /// Opens the log for what hosts say.
  ///
  /// - Throws: ``SupervisorFailure`` with the system's reason.
  func openLog() throws -> HostLog { try HostLog(logPath, limit: Self.maximumLog) }

  /// A file for the report of a host that may crash; names sort by time.
  func report(process: Int32, generation: Int) -> String {
    "\(crashes)/\(Int(Date().timeIntervalSince1970))-\(process)-\(generation).log"
  }
}
