import Foundation

/// The memory of processes.
@_spi(FrontEnd) public enum ProcessMemory {
  /// Returns the resident memory of a process in megabytes; 0 if there is no such process.
  ///
  /// Source: proc_pid_status(5).
  public static func resident(_ process: Int32) -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    return status.firstMatch(of: /VmRSS:\s*(\d+) kB/).flatMap { Int($0.1) }.map { $0 / 1_024 } ?? 0
  }
}
