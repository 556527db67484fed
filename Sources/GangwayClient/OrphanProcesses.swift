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

/// Processes that plugins started and that outlive the process that loaded those plugins.
///
/// A plugin may start processes in sessions of their own, where no signal to a group reaches them. An inherited
/// environment variable identifies them. A process that was started without the variable is not found: see
/// ``ControlGroup``.
@_spi(FrontEnd) public struct OrphanProcesses: Sendable {
  /// The variable for hosts.
  public static let hostVariable = "GANGWAY_HOST_PROCESSES"

  /// The variable that the process gets, and that everything it starts inherits.
  public let variable: String
  /// The value of the variable, which no other process gets.
  public let marker: String

  /// Creates a marker for processes that will be started.
  public init(variable: String) { self.init(variable: variable, marker: "\(getpid())-\(UUID().uuidString)") }

  /// Finds processes that have a marker.
  package init(variable: String, marker: String) { (self.variable, self.marker) = (variable, marker) }

  /// Returns a marker for one of several processes.
  ///
  /// The marker of the whole also finds the processes of a part.
  ///
  /// - Parameter number: a number that no other part has.
  public func part(_ number: Int) -> OrphanProcesses { .init(variable: variable, marker: "\(marker).\(number)") }

  /// Whether there are such processes.
  package var exist: Bool { !processes.isEmpty }

  /// Kills the processes, and blocks the thread until none is found.
  ///
  /// - Parameter limit: the time limit, in case the processes keep starting others.
  public func end(within limit: Duration = .seconds(2)) {
    let deadline = ContinuousClock.now + limit
    var isClear = true
    repeat {
      let left = processes
      // A process that was just starting may only be found in the next round.
      if left.isEmpty, isClear { return }
      isClear = left.isEmpty
      for process in left { kill(process, SIGKILL) }
      usleep(5_000)
    } while ContinuousClock.now < deadline
  }

  /// Kills the processes, on another thread.
  public func endInBackground() { DispatchQueue.global(qos: .utility).async { end() } }

  /// The processes of this user that have the marker.
  private var processes: [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      guard process != getpid(), let environment = ProcessIO.contents(of: "/proc/\(process)/environ")
      else { return false }
      return hasMarker(environment)
    }
  }

  /// Returns whether an environment, a list of zero-terminated texts, contains the marker or that of a part.
  private func hasMarker(_ environment: [UInt8]) -> Bool {
    let entry = "\(variable)=\(marker)"
    let length = entry.utf8.count
    return (environment + [0]).withUnsafeBytes { bytes in
      var place = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      var rest = bytes.count
      while let text = place, rest > 0 {
        if strncmp(text, entry, length) == 0, [0, CChar(bitPattern: UInt8(ascii: "."))].contains(text[length]) {
          return true
        }
        let size = strlen(text) + 1
        (place, rest) = (text + size, rest - size)
      }
      return false
    }
  }
}
