import FoundationEssentials
import SystemPackage

/// The folder of a supervisor's log and crash reports, kept from growing without end.
struct LogFolder {
  /// How many crash reports are kept; the oldest go first.
  static let maximumReports = 50
  /// How large the log may be, in bytes, before a run begins a new one; one older log is kept.
  static let maximumLog = 4 << 20

  let path: String
  private var crashes: String { path + "/crashes" }
  private var logPath: String { path + "/host.log" }

  /// Makes the folder, readable by its owner alone, and clears out what is old.
  init(_ path: String) {
    self.path = path
    try? FileManager.default.createDirectory(
      atPath: crashes, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let reports = ((try? FileManager.default.contentsOfDirectory(atPath: crashes)) ?? []).sorted()
    for old in reports.dropLast(Self.maximumReports) {
      try? FileManager.default.removeItem(atPath: crashes + "/" + old)
    }
    let size = (try? FileManager.default.attributesOfItem(atPath: logPath))?[.size] as? UInt64 ?? 0
    guard size > Self.maximumLog else { return }
    try? FileManager.default.removeItem(atPath: logPath + ".1")
    try? FileManager.default.moveItem(atPath: logPath, toPath: logPath + ".1")
  }

  /// Opens the log for what hosts say.
  ///
  /// - Throws: ``SupervisorFailure`` with the system's reason.
  func openLog() throws -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        FilePath(logPath), .writeOnly, options: [.create, .append, .closeOnExec], permissions: .ownerReadWrite)
    } catch {
      throw SupervisorFailure("The log '\(logPath)' cannot be written: \(error).")
    }
  }

  /// A file for the report of a host that may crash; names sort by time.
  func report(process: Int32, generation: Int) -> String {
    "\(crashes)/\(Int(Date().timeIntervalSince1970))-\(process)-\(generation).log"
  }
}
