import Dispatch
import FoundationEssentials
import Glibc

/// Processes that a host left behind: a plugin may have started them in sessions of their own, where no signal to the host's
/// group reaches them. They are known by a variable of their environment.
enum Strays {
  /// The variable that every process of a host has.
  static let variable = "GANGWAY_HOST_PROCESSES"

  /// A value of the variable that no other host has.
  static func newMarker() -> String { "\(getpid())-\(UUID().uuidString)" }

  /// Ends what a host left behind, on another thread.
  static func end(of marker: String) {
    DispatchQueue.global(qos: .utility).async {
      // One that is just starting another is found the next time.
      for _ in 1...3 {
        let left = processes(of: marker)
        if left.isEmpty { return }
        for process in left { kill(process, SIGKILL) }
        usleep(10_000)
      }
    }
  }

  /// The processes of this user that have the marker.
  static func processes(of marker: String) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let entry = Array("\(variable)=\(marker)".utf8)
    return names.compactMap(pid_t.init).filter { process in
      guard process != getpid(), let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ")
      else { return false }
      return environment.split(separator: 0).contains { $0.elementsEqual(entry) }
    }
  }
}
