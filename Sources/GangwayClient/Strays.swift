import Dispatch

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Processes that one which loaded plugins left behind: a plugin may have started them in sessions of their own, where no signal
/// to a group reaches them. They are known by a variable of their environment, which is passed on.
public struct Strays: Sendable {
  /// The variable that the process is given, and everything that it starts has.
  public let variable: String
  /// Its value, which no other process was given.
  public let marker: String

  /// A marker for a process that is about to be started.
  public init(variable: String) {
    self.variable = variable
    marker = "\(getpid())-\(UUID().uuidString)"
  }

  /// Ends what was left behind.
  public func end() {
    // One that is just starting another is found the next time.
    for _ in 1...3 {
      let left = processes
      if left.isEmpty { return }
      for process in left { kill(process, SIGKILL) }
      usleep(10_000)
    }
  }

  /// Ends what was left behind, on another thread.
  public func endInBackground() { DispatchQueue.global(qos: .utility).async { end() } }

  /// The processes of this user that have the marker.
  private var processes: [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let entry = Array("\(variable)=\(marker)".utf8)
    return names.compactMap { pid_t($0) }.filter { process in
      guard process != getpid(), let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ")
      else { return false }
      return environment.split(separator: 0).contains { $0.elementsEqual(entry) }
    }
  }
}
